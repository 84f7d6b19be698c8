/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_SETTINGS_H
#define COFLOW_LEAN_SETTINGS_H

#include "ns3/coflow-congestion-control-factory.h"
#include "ns3/coflow-congestion-control-needs.h"
#include "ns3/coflow-wire-count.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3::coflow
{

class CoflowTcpSocket;

/// The settings that all lean connections of a host share. The values are read from a
/// CoflowTcpSocket that a TransportProfile has created, so both kinds of connections have the same
/// settings.
struct LeanSettings
{
    uint32_t segmentBytes{0};   ///< payload of a full segment
    uint32_t sendBuffer{0};     ///< size of the buffer, in bytes
    uint32_t receiveBuffer{0};  ///< size of the buffer, in bytes
    uint32_t maxWindowField{0}; ///< largest value of the header's window
    uint32_t initialWindow{0};  ///< initial congestion window, in segments
    uint32_t slowStart{0};      ///< initial slow start threshold, bytes
    uint32_t duplicates{0};     ///< duplicate ACKs after which a segment counts as lost
    uint32_t synRetries{0};     ///< number of SYNs of one attempt
    uint32_t dataRetries{0};    ///< consecutive timeouts before the connection is aborted
    /// Consecutive timeouts after which only one byte is retransmitted; 0: never.
    uint32_t probeAfter{0};
    uint32_t delayedAckCount{0}; ///< number of segments per ACK
    Time delayedAckTimeout;      ///< longest delay of an ACK
    Time minRto;                 ///< shortest retransmission timeout
    Time maxRto;                 ///< longest retransmission timeout
    Time granularity;            ///< least variation term of the timeout
    Time initialRtt;             ///< round-trip time before the first sample
    Time connectTimeout;         ///< retransmission timeout of the first SYN
    Time persistTimeout;         ///< first interval of window probes
    Time timeWait;               ///< duration of the state TIME_WAIT
    double rttGain{0.125};       ///< weight of a sample in the estimate
    double variationGain{0.25};  ///< weight of a sample in the variation
    bool sack{true};
    bool timestamps{true};
    bool windowScaling{true};
    bool noDelay{true}; ///< as TCP_NODELAY: small segments are sent while others are in flight
    bool limitedTransmit{true};      ///< limited transmit (RFC 3042), used without SACK
    bool undoTimeouts{true};         ///< undo spurious timeouts
    bool inhibitsJumps{false};       ///< no time jumps while applications wait for written bytes
    std::shared_ptr<WireCount> wire; ///< counter of sent segments; null: none
    uint8_t tos{0};                  ///< DSCP of the segments, shifted left by two bits
    /// Probability of the loss of an arriving segment, in addition to drops of queues.
    double lossProbability{0};
    Ptr<RandomVariableStream> lossVariable; ///< random variable of these losses
    TcpSocketState::UseEcn_t ecn{TcpSocketState::Off};
    Ptr<TcpSocketState> state;    ///< state that a new connection copies
    Ptr<TcpRecoveryOps> recovery; ///< recovery algorithm that a new connection copies
    /// Creates the congestion control of each connection.
    std::optional<CongestionControlFactory> congestionControls;
    CongestionControlNeeds needs;
    bool marksAll{false}; ///< segments without data and retransmissions are also ECN-capable
    /// ECN codepoint of ECN-capable segments.
    TcpSocketState::EcnCodePoint_t ectCodePoint{TcpSocketState::Ect0};

    /// @return whether a segment that has arrived is lost
    bool LosesSegment() const
    {
        return lossVariable && lossVariable->GetValue() < lossProbability;
    }

    /// @param control a congestion control
    /// @return an error message if lean connections do not support the congestion control, or
    ///         ns-3's defaults of TcpSocketState; empty: no error
    static std::string GetMissing(Ptr<const TcpCongestionOps> control);

    /// @param socket a closed socket from a TransportProfile
    /// @param recoveryOps recovery algorithm of its connections
    /// @param rtt round-trip time before the first sample
    /// @return the settings of the socket
    /// @throws ::coflow::InputError if lean connections do not support the settings (see
    ///         GetMissing())
    static LeanSettings Of(const CoflowTcpSocket& socket,
                           Ptr<TcpRecoveryOps> recoveryOps,
                           Time rtt);
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SETTINGS_H
