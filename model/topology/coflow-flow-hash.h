/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_HASH_H
#define COFLOW_FLOW_HASH_H

#include "ns3/ipv4-header.h"
#include "ns3/packet.h"

#include <compare>
#include <cstdint>

namespace ns3::coflow
{

/// The five header fields that identify a flow.
struct FlowTuple
{
    uint32_t srcAddress{0}; ///< IPv4 source address in host byte order
    uint32_t dstAddress{0}; ///< IPv4 destination address in host byte order
    uint16_t srcPort{0};    ///< source port; 0 for fragments, and without TCP or UDP
    uint16_t dstPort{0};    ///< destination port; 0 as for srcPort
    uint8_t protocol{0};    ///< IP protocol number

    auto operator<=>(const FlowTuple&) const = default;
};

/// Mixes 64 bits: a bijection in which every input bit changes every output bit with a probability
/// of about one half (the finaliser of SplitMix64, Steele et al., OOPSLA 2014).
constexpr uint64_t
MixBits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// The hash for ECMP: the same for all packets of a flow, in every fabric.
constexpr uint64_t
GetFlowHash(const FlowTuple& flow)
{
    const uint64_t addresses = (uint64_t{flow.srcAddress} << 32) | flow.dstAddress;
    const uint64_t rest =
        (uint64_t{flow.srcPort} << 24) | (uint64_t{flow.dstPort} << 8) | uint64_t{flow.protocol};
    return MixBits(MixBits(addresses) + rest);
}

/// The hash for packet spraying: different for every packet of a flow.
/// @param flowHash hash of the packet's flow
/// @param identification identification field of the packet's IPv4 header, in which ns-3 counts the
///        packets between two addresses
constexpr uint64_t
GetPacketHash(uint64_t flowHash, uint16_t identification)
{
    return MixBits(flowHash + 0x9e3779b97f4a7c15U * (uint64_t{identification} + 1));
}

/// The largest label. It fits into the flow label of IPv6 (RFC 6437), which has 20 bits.
inline constexpr uint32_t MOST_LABEL = UINT16_MAX;

/// The hash of a packet with a label. Switches use it in place of the hash of the packet's flow.
/// All packets with a label have the same hash.
/// @param label a number from 1 to MOST_LABEL
constexpr uint64_t
GetLabelHash(uint32_t label)
{
    return MixBits(label);
}

/// Reads the flow of a packet from its headers, without copying or parsing the packet. Fragments
/// have a flow without ports, so that all fragments of a packet take the same path.
/// @param header IPv4 header
/// @param payload content after the IPv4 header, beginning with the transport header
FlowTuple GetFlowTuple(const Ipv4Header& header, const Packet& payload);

/// Whether a TCP packet has no data, and is an acknowledgement or a reset.
/// @param packet a packet of TCP, which is not a fragment
/// @param offset position of the TCP header in the packet
bool IsPureAcknowledgement(const Packet& packet, uint32_t offset);

} // namespace ns3::coflow

#endif // COFLOW_FLOW_HASH_H
