/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-segment-parser.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-option-winscale.h"

namespace ns3::coflow
{

LeanSegment
ParseSegment(const Packet& packet, uint32_t offset)
{
    TcpHeader header;
    const auto rest = packet.CreateFragment(offset, packet.GetSize() - offset);
    rest->RemoveHeader(header);
    LeanSegment segment;
    segment.sequence = header.GetSequenceNumber().GetValue();
    segment.acknowledgement = header.GetAckNumber().GetValue();
    segment.payload = static_cast<uint16_t>(rest->GetSize());
    segment.window = header.GetWindowSize();
    segment.sourcePort = header.GetSourcePort();
    segment.destinationPort = header.GetDestinationPort();
    segment.flags = header.GetFlags();
    segment.permitsSack = header.HasOption(TcpOption::SACKPERMITTED);
    if (const auto stamp = DynamicCast<const TcpOptionTS>(header.GetOption(TcpOption::TS)))
    {
        segment.hasTimestamp = true;
        segment.timestamp = stamp->GetTimestamp();
        segment.echo = stamp->GetEcho();
    }
    if (const auto scale =
            DynamicCast<const TcpOptionWinScale>(header.GetOption(TcpOption::WINSCALE)))
    {
        segment.hasWindowScale = true;
        segment.windowScale = scale->GetScale();
    }
    if (const auto sack = DynamicCast<const TcpOptionSack>(header.GetOption(TcpOption::SACK)))
    {
        for (const auto& [first, end] : sack->GetSackList())
        {
            segment.sack[segment.nSackBlocks++] = {first.GetValue(), end.GetValue()};
        }
    }
    return segment;
}

} // namespace ns3::coflow
