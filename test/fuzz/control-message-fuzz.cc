/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-check.h"

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-completion-message.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-dcas-message.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <vector>

namespace
{

using Bytes = std::vector<std::uint8_t>;

/// Bytes that are a header are the same after they were read and written; others do no harm.
/// @param size how many bytes the header is made of
template <class H>
void
TryHeader(const Bytes& bytes, std::size_t size)
{
    H header;
    ns3::Create<ns3::Packet>(bytes.data(), bytes.size())->RemoveHeader(header);
    std::ostringstream text;
    header.Print(text);
    if (!header.IsValid())
    {
        return;
    }
    auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(header);
    Bytes again(packet->GetSize());
    packet->CopyData(again.data(), again.size());
    coflow::test::Require(again == Bytes(bytes.begin(), bytes.begin() + size),
                          H::GetTypeId().GetName() + " survives the round trip");
}

template <class... M>
void
TryMessages(const Bytes& bytes)
{
    (TryHeader<M>(bytes, bytes.size()), ...);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ns3::coflow;
    const Bytes bytes(data, data + size);
    TryHeader<ControlHeader>(bytes, ControlHeader::SIZE);
    TryMessages<RegisterCoflowMessage,
                RegisteredCoflowMessage,
                UnregisterCoflowMessage,
                AddFlowsMessage,
                GetFlowsMessage,
                GotFlowDescsMessage,
                FlowProgressMessage,
                UpdatedRatesMessage,
                CoflowOrderMessage,
                PortShareMessage,
                RejectedCoflowMessage,
                HeartbeatMessage,
                PlaceCoflowMessage,
                CoflowPlaceMessage,
                LocalCoflowsMessage,
                GlobalCoflowsMessage,
                CoflowTotalsMessage,
                QueueThresholdsMessage,
                TasksDoneMessage,
                DcasMessage>(bytes);
    return 0;
}
