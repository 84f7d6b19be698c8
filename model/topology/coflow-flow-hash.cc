/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-hash.h"

#include <array>

namespace ns3::coflow
{

FlowTuple
GetFlowTuple(const Ipv4Header& header, const Packet& payload)
{
    constexpr uint8_t TCP = 6;
    constexpr uint8_t UDP = 17;
    FlowTuple flow;
    flow.srcAddress = header.GetSource().Get();
    flow.dstAddress = header.GetDestination().Get();
    flow.protocol = header.GetProtocol();
    const bool fragment = !header.IsLastFragment() || header.GetFragmentOffset() != 0;
    if (!fragment && (flow.protocol == TCP || flow.protocol == UDP))
    {
        // The headers of TCP and UDP begin with the source and the destination port, in network
        // byte order.
        uint8_t ports[4];
        if (payload.CopyData(ports, sizeof(ports)) == sizeof(ports))
        {
            flow.srcPort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
            flow.dstPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
        }
    }
    return flow;
}

bool
IsPureAcknowledgement(const Packet& packet, uint32_t offset)
{
    constexpr uint32_t LONGEST_IPV4_HEADER = 60;
    constexpr uint32_t UP_TO_FLAGS = 14; // bytes of a TCP header up to the flags
    constexpr uint8_t RESET_OR_ACKNOWLEDGEMENT = 0x14;
    std::array<uint8_t, LONGEST_IPV4_HEADER + UP_TO_FLAGS> b{};
    if (offset > LONGEST_IPV4_HEADER ||
        packet.CopyData(b.data(), offset + UP_TO_FLAGS) < offset + UP_TO_FLAGS)
    {
        return false;
    }
    const uint32_t headerBytes = 4 * (b[offset + 12] >> 4);
    return packet.GetSize() == offset + headerBytes &&
           (b[offset + 13] & RESET_OR_ACKNOWLEDGEMENT) != 0;
}

} // namespace ns3::coflow
