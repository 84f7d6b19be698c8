/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-border-message.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(BorderFlowsMessage);

void
BorderRecord::Write(Buffer::Iterator& to) const
{
    to.WriteHtonU64(key.coflowId);
    to.WriteHtonU64(key.flowId);
    to.WriteHtonU64(next);
    to.WriteHtonU64(marginBillionths);
}

bool
BorderRecord::Read(ControlReader& reader)
{
    key.coflowId = reader.ReadU64();
    const auto flow = reader.ReadU64();
    key.flowId = static_cast<::coflow::FlowId>(flow);
    next = reader.ReadU64();
    marginBillionths = reader.ReadU64();
    return flow == key.flowId;
}

void
BorderRecord::Print(std::ostream& os) const
{
    os << key.coflowId << "/" << key.flowId << " or of " << next << " by "
       << static_cast<double>(marginBillionths) * 1e-9;
}

} // namespace ns3::coflow
