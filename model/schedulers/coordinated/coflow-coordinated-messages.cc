/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-messages.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(UnregisterCoflowMessage);
COFLOW_REGISTER_MESSAGE(HeartbeatMessage);

} // namespace ns3::coflow
