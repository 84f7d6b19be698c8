/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_SEGMENT_H
#define COFLOW_LEAN_SEGMENT_H

#include <array>
#include <cstdint>
#include <utility>

namespace ns3::coflow
{

/// @return whether a sequence number comes before another one; they wrap around
constexpr bool
IsBefore(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b) < 0;
}

/// The fields of a TCP segment between lean connections that all segments have: 32 bytes.
struct LeanSegmentHead
{
    /// Bits of flags, with the values that they have in the header.
    enum Flag : uint8_t
    {
        FIN = 1,
        SYN = 2,
        RST = 4,
        ACK = 16,
        ECE = 64,
        CWR = 128
    };

    uint32_t sequence{0};        ///< of the first byte
    uint32_t acknowledgement{0}; ///< next byte that the sender of this segment waits for
    uint32_t timestamp{0};       ///< when it was sent, ms (RFC 7323)
    uint32_t echo{0};            ///< the peer's timestamp
    uint16_t payload{0};         ///< bytes
    uint16_t window{0};          ///< advertised window as it stands in the header
    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint8_t flags{0};
    uint8_t windowScale{0};     ///< with SYN: shift of later windows
    uint8_t nSackBlocks{0};     ///< valid elements of LeanSegment::sack
    bool hasTimestamp{false};   ///< timestamp and echo are valid
    bool hasWindowScale{false}; ///< windowScale is valid
    bool permitsSack{false};    ///< with SYN: its sender takes SACK blocks

    /// @return whether a bit is set
    bool Has(Flag flag) const
    {
        return (flags & flag) != 0;
    }

    /// @return whether it is a pure acknowledgement or reset
    bool IsAnswer() const
    {
        return payload == 0 && (flags & (RST | ACK)) != 0;
    }

    /// @return bytes of the TCP header with its options, a multiple of four
    uint32_t GetHeaderBytes() const
    {
        constexpr uint32_t BASIC = 20;
        const uint32_t options = (hasTimestamp ? 10U : 0U) + (hasWindowScale ? 3U : 0U) +
                                 (permitsSack ? 2U : 0U) +
                                 (nSackBlocks > 0 ? 2U + 8U * nSackBlocks : 0U);
        return BASIC + (options + 3) / 4 * 4;
    }

    /// @return how many SACK blocks a header has room for
    uint32_t GetSackRoom() const
    {
        constexpr uint32_t MOST_OPTIONS = 40;
        return (MOST_OPTIONS - (hasTimestamp ? 10U : 0U) - 2) / 8;
    }
};

/// A TCP segment between lean connections: the fields of its header, and how many bytes of payload
/// it has. The payload itself stays in the connection's LeanStream.
struct LeanSegment : LeanSegmentHead
{
    static constexpr uint32_t MAX_SACK_BLOCKS = 4;

    /// A range of sequence numbers that has arrived: [first, second).
    using SackBlock = std::pair<uint32_t, uint32_t>;

    using SackBlocks = std::array<SackBlock, MAX_SACK_BLOCKS>;

    SackBlocks sack{}; ///< the newest first
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SEGMENT_H
