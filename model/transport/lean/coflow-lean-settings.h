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

/// What all lean connections of a host have in common. The values are read off a CoflowTcpSocket
/// that a TransportProfile has made, so that both kinds of connections are set in one place.
struct LeanSettings
{
    uint32_t segmentBytes{0};    ///< payload of a full segment
    uint32_t sendBuffer{0};      ///< bytes
    uint32_t receiveBuffer{0};   ///< bytes
    uint32_t maxWindowField{0};  ///< largest value of the header's window
    uint32_t initialWindow{0};   ///< segments
    uint32_t slowStart{0};       ///< initial slow start threshold, bytes
    uint32_t duplicates{0};      ///< ACKs after which a segment counts as lost
    uint32_t synRetries{0};      ///< SYNs of one attempt
    uint32_t dataRetries{0};     ///< timeouts in a row before a connection is given up
    uint32_t probeAfter{0};      ///< timeouts in a row after which one byte is repeated; 0: never
    uint32_t delayedAckCount{0}; ///< segments per ACK
    Time delayedAckTimeout;      ///< longest time for which an ACK is held back
    Time minRto;                 ///< shortest retransmission timeout
    Time maxRto;                 ///< longest one
    Time granularity;            ///< least variation term of the timeout
    Time initialRtt;             ///< before there is a sample
    Time connectTimeout;         ///< of the first SYN
    Time persistTimeout;         ///< first interval of probes of a closed window
    Time timeWait;               ///< for which the closing end keeps its port
    double rttGain{0.125};       ///< of a sample in the estimate
    double variationGain{0.25};  ///< of a sample in the variation
    bool sack{true};
    bool timestamps{true};
    bool windowScaling{true};
    bool noDelay{true};              ///< small segments leave while others are under way
    bool limitedTransmit{true};      ///< without SACK
    bool undoTimeouts{true};         ///< where nothing was lost
    bool inhibitsJumps{false};       ///< applications wait for what is written: no jumps over time
    std::shared_ptr<WireCount> wire; ///< of what is sent; null: it is not counted
    uint8_t tos{0};                  ///< DSCP of its segments, with two zero bits below
    double lossProbability{0};       ///< of a segment that arrives, besides what queues drop
    Ptr<RandomVariableStream> lossVariable; ///< decides about that
    TcpSocketState::UseEcn_t ecn{TcpSocketState::Off};
    Ptr<TcpSocketState> state;    ///< what a new connection's is a copy of
    Ptr<TcpRecoveryOps> recovery; ///< likewise
    std::optional<CongestionControlFactory> congestionControls; ///< makes each connection's
    CongestionControlNeeds needs;
    bool marksAll{false}; ///< segments without data may be marked, too
    TcpSocketState::EcnCodePoint_t ectCodePoint{TcpSocketState::Ect0}; ///< of what may be marked

    /// @return whether a segment that has come is lost
    bool LosesSegment() const
    {
        return lossVariable && lossVariable->GetValue() < lossProbability;
    }

    /// @param control a congestion control
    /// @return what lean connections lack for it, or for ns-3's defaults of TcpSocketState; empty:
    ///         nothing
    static std::string GetMissing(Ptr<const TcpCongestionOps> control);

    /// @param socket closed, as a TransportProfile makes it
    /// @param recoveryOps how its connections recover from losses
    /// @param rtt its estimate before there is a sample
    /// @return its values
    /// @throws ::coflow::InputError where lean connections lack something (see GetMissing())
    static LeanSettings Of(const CoflowTcpSocket& socket,
                           Ptr<TcpRecoveryOps> recoveryOps,
                           Time rtt);
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SETTINGS_H
