/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EVEN_FLOW_H
#define COFLOW_EVEN_FLOW_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-light-timer.h"
#include "ns3/coflow-network-timer.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3::coflow
{

class BareFlows;
class SinkConnection;
struct SourceFlow;

/// The ports that a flow's packets pass.
struct PortPath
{
    std::array<LinkPort, MAX_PATH_PORTS> ports{};
    uint32_t n{0}; ///< used entries; 0: not known
};

/// A flow while it sends bare segments, and what has become of those that it has sent. All numbers
/// of bytes are of payload, counted from the flow's first bare segment on. What is touched by the
/// same thing lies together.
struct BareFlow
{
    // To be credited with a jump.
    bool sends{false};         ///< bare segments and no others
    bool resumes{false};       ///< it went back to TCP for a new allowance
    bool hasLostAnswer{false}; ///< an acknowledgement is to be sent again
    uint32_t lost{0};          ///< segments that are to be sent again
    uint32_t number{0};        ///< among BareFlows; 0: it has sent none yet
    ::coflow::HostId dst{0};   ///< the host that receives
    uint64_t left{0};          ///< of the whole flow: bytes that neither TCP nor this has taken
    uint64_t skipped{0};       ///< bytes of jumps that the flow's ends were not credited with

    // To send.
    double due{0};        ///< network time when it sends the next segment, steps
    double interval{0};   ///< between two of them, steps
    uint64_t sent{0};     ///< bytes
    uint64_t answered{0}; ///< bytes that the sender knows to have arrived
    SegmentRoute data;    ///< of its segments

    // To receive.
    uint64_t arrived{0};        ///< bytes
    uint64_t answeredByPeer{0}; ///< bytes that acknowledgements were sent for
    SegmentRoute answers;       ///< of the acknowledgements

    // Seldom.
    ConnectionName name;          ///< of the connection at the sending host
    ConnectionName peerName;      ///< at the receiving host
    uint64_t creditedSent{0};     ///< what the flow's sending end knows of `sent`
    uint64_t creditedAnswered{0}; ///< what it knows of `answered`
    uint64_t creditedArrived{0};  ///< what the flow's receiving end knows of `arrived`
    NetworkTimer again;           ///< until what was lost is sent again
};

/// What a TimeJumper knows of a flow that runs.
struct EvenFlow final : public SimpleRefCount<EvenFlow>, public ::coflow::InArena
{
    /// @param bareFlows who sends its bare segments
    /// @param node id of the node that it is at
    EvenFlow(BareFlows& bareFlows, uint32_t node)
        : owner(bareFlows),
          timer(*this, node)
    {
    }

    /// Sends the next bare segment.
    void Send();

    /// The timer runs out soon.
    void Prefetch(std::size_t stage) const;

    /// Brings to the cache what is touched when a flow that sends bare segments is credited with a
    /// jump.
    void PrefetchCredit() const
    {
        const auto* from = reinterpret_cast<const char*>(&bitsPerSecond);
        ::coflow::Prefetch(from, reinterpret_cast<const char*>(&bare.sent) - from);
    }

    /// Brings to the cache who sends and who receives, which a look asks of flows that send no bare
    /// segments.
    void PrefetchEnds() const
    {
        ::coflow::Prefetch(&source); // all of it is in one line
    }

    /// A place in no list.
    static constexpr auto NOWHERE = std::numeric_limits<uint32_t>::max();

    uint32_t label{0}; ///< that the paths are of

    // To be credited with a jump; the first part of `bare` as well.
    uint64_t bitsPerSecond{0}; ///< its rate; 0: it has none
    int64_t creditedTo{0};     ///< of all steps that were skipped, how many it was credited with
    uint64_t rest{0};          ///< what is owed to it, in 8e9ths of a byte, always below one byte
    uint64_t owedBytes{0};     ///< payload that its ports have not been credited with
    uint64_t owedAnswers{0};   ///< the same, as acknowledgements count it
    BareFlow bare;

    BareFlows& owner;
    LightTimer<EvenFlow, &EvenFlow::Send> timer; ///< until the next bare segment

    FlowKey key;
    SourceFlow* source{nullptr};   ///< its sending end
    SinkConnection* sink{nullptr}; ///< its receiving end; null until its first bytes have come
    ::coflow::HostId src{0};       ///< the host that sends
    uint32_t place{NOWHERE};       ///< in its list
    uint32_t endPlace{NOWHERE};    ///< in the queue of ends to come; NOWHERE: it is not there
    uint32_t ending{0};            ///< its last bytes arrive by rule; 0: they do not
    uint32_t unsent{0};            ///< bytes that TCP had and had not sent
    uint32_t epoch{0};             ///< state of the topology that the paths are of
    uint16_t port{0};              ///< of its connection at the sending host, that the paths are of
    uint8_t band{PacketPriority::NO_BAND}; ///< class of service of what its ports are owed
    bool sends{false};                     ///< it is in the list of those that may send
    bool wasEven{false};                   ///< it was seen to send evenly
    bool isShort{false};     ///< it has so few segments that all of them are simulated
    bool isUnlimited{false}; ///< it has no rate, and is counted at the ports of its paths
    PortPath data;           ///< of its data
    PortPath answers;        ///< of the acknowledgements
    int64_t seenAt{-1};      ///< network time when `unsent` was that, while it catches up
    uint64_t ahead{0};       ///< of what TCP has too much, what it has sent, less what was credited
};

} // namespace ns3::coflow

#endif // COFLOW_EVEN_FLOW_H
