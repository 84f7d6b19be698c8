/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-completion-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(TasksDoneMessage);

} // namespace ns3::coflow
