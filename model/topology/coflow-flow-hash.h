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

/// The five fields that make packets one flow.
struct FlowTuple
{
    uint32_t srcAddress{0}; ///< IPv4 source address in host byte order
    uint32_t dstAddress{0}; ///< IPv4 destination address in host byte order
    uint16_t srcPort{0};    ///< 0 for other protocols than TCP and UDP, and for fragments
    uint16_t dstPort{0};    ///< as srcPort
    uint8_t protocol{0};    ///< IP protocol number

    auto operator<=>(const FlowTuple&) const = default;
};

/// Scrambles 64 bits: a bijection in which every input bit changes every output bit with
/// probability of about one half (the finaliser of SplitMix64, Steele et al., OOPSLA 2014).
constexpr uint64_t
MixBits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// The hash that ECMP goes by: the same for all packets of a flow, in every fabric.
constexpr uint64_t
GetFlowHash(const FlowTuple& flow)
{
    const uint64_t addresses = (uint64_t{flow.srcAddress} << 32) | flow.dstAddress;
    const uint64_t rest =
        (uint64_t{flow.srcPort} << 24) | (uint64_t{flow.dstPort} << 8) | uint64_t{flow.protocol};
    return MixBits(MixBits(addresses) + rest);
}

/// The hash that packet spraying goes by: another one for every packet of a flow.
/// @param flowHash hash of the packet's flow
/// @param identification identification field of the packet's IPv4 header; ns-3 counts the
///        packets between two addresses with it
constexpr uint64_t
GetPacketHash(uint64_t flowHash, uint16_t identification)
{
    return MixBits(flowHash + 0x9e3779b97f4a7c15U * (uint64_t{identification} + 1));
}

/// The largest label. It fits into the flow label of IPv6 (RFC 6437), which has 20 bits.
inline constexpr uint32_t MOST_LABEL = UINT16_MAX;

/// The hash that switches go by for a packet with a label, in place of that of its flow: the same
/// for all packets with that label.
/// @param label a number from 1 to MOST_LABEL
constexpr uint64_t
GetLabelHash(uint32_t label)
{
    return MixBits(label);
}

/// Reads a packet's flow off its headers, without copying or parsing the packet.
/// All fragments of a packet count as one flow, without ports, so that they stay together.
/// @param header IPv4 header
/// @param payload what follows the IPv4 header, transport header first
FlowTuple GetFlowTuple(const Ipv4Header& header, const Packet& payload);

/// Whether TCP answers, and does not say anything: an acknowledgement or a reset without data.
/// @param packet a packet of TCP, which is not a fragment
/// @param offset where its TCP header begins
bool IsPureAcknowledgement(const Packet& packet, uint32_t offset);

} // namespace ns3::coflow

#endif // COFLOW_FLOW_HASH_H
