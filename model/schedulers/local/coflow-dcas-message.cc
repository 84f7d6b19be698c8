/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(DcasMessage);

const char*
ToString(DcasMessage::Kind kind)
{
    return kind == DcasMessage::Kind::ANNOUNCEMENT ? "announcement" : "feedback";
}

} // namespace ns3::coflow
