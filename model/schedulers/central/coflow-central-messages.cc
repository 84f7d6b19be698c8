/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-messages.h"

#include <cstddef>
#include <iterator>

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(RegisterCoflowMessage);
COFLOW_REGISTER_MESSAGE(RegisteredCoflowMessage);
COFLOW_REGISTER_MESSAGE(AddFlowsMessage);
COFLOW_REGISTER_MESSAGE(GetFlowsMessage);
COFLOW_REGISTER_MESSAGE(GotFlowDescsMessage);
COFLOW_REGISTER_MESSAGE(FlowProgressMessage);
COFLOW_REGISTER_MESSAGE(UpdatedRatesMessage);
COFLOW_REGISTER_MESSAGE(RejectedCoflowMessage);
COFLOW_REGISTER_MESSAGE(CoflowOrderMessage);
COFLOW_REGISTER_MESSAGE(PortShareMessage);

const char*
ToString(Outcome outcome)
{
    constexpr const char* NAMES[] = {"dropped", "best effort", "released"};
    const auto number = static_cast<std::size_t>(outcome);
    return number < std::size(NAMES) ? NAMES[number] : "?";
}

uint32_t
Wire<FlowKey>::Size(const FlowKey&)
{
    return 2 * sizeof(uint64_t);
}

void
Wire<FlowKey>::Write(Buffer::Iterator& to, const FlowKey& key)
{
    to.WriteHtonU64(key.coflowId);
    to.WriteHtonU64(key.flowId);
}

bool
Wire<FlowKey>::Read(ControlReader& from, FlowKey& key)
{
    key.coflowId = from.Read<uint64_t>();
    const auto flowId = from.Read<uint64_t>();
    key.flowId = static_cast<::coflow::FlowId>(flowId);
    return key.flowId == flowId;
}

void
Wire<FlowKey>::Print(std::ostream& os, const FlowKey& key)
{
    os << key.coflowId << '.' << key.flowId;
}

} // namespace ns3::coflow
