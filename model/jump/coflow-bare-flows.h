/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARE_FLOWS_H
#define COFLOW_BARE_FLOWS_H

#include "ns3/coflow-allowance.h"
#include "ns3/coflow-bare-segment.h"
#include "ns3/coflow-even-flow.h"
#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::coflow
{

/// Sends bare segments for flows with slow rates.
///
/// A flow whose segments are acknowledged before it sends the next one asks nothing of TCP but to
/// count: no window, timer or pacing decides when a segment leaves, only the flow's rate. Such a
/// flow sends bare segments here. A bare segment passes the ports that its flow's segments pass,
/// with the same size, and its acknowledgement comes back in the same way. TCP's ends do not see
/// either. What they would touch in memory is most of what a segment of a slow flow costs when
/// there are thousands of flows.
///
/// A flow goes back to TCP before its last segment (unless somebody else sends that one), when it
/// is paused, when a bare segment or an acknowledgement is lost, when more than DelAckCount + 1
/// segments are not acknowledged, as TCP might decide then, and when somebody else says so. But
/// for the first two it has to be seen to send evenly before it sends bare segments again.
///
/// What is lost is sent again after TCP's shortest retransmission timeout.
class BareFlows final : public BareSegmentUser
{
  public:
    /// @param channel the network; outlives this
    /// @param settings of the connections whose flows send bare segments
    /// @param mayGoOn says before each bare segment whether the flow may send it
    BareFlows(FabricChannel& channel,
              const LeanSettings& settings,
              std::function<bool(EvenFlow&)> mayGoOn);
    ~BareFlows();

    BareFlows(const BareFlows&) = delete;
    BareFlows& operator=(const BareFlows&) = delete;

    /// @return whether a flow has enough left to begin
    bool HasEnough(const SourceFlow& flow) const;

    /// A flow's next write is a segment, and TCP has nothing else of it to do: sends a bare one
    /// when the flow's bucket has tokens for it, and goes on doing so.
    /// @param flow the flow; both of its ends are there
    /// @param dst the host that it sends to
    /// @return false where the flow has too little left
    bool Begin(EvenFlow& flow, ::coflow::HostId dst);

    /// A flow that sends bare segments goes on to with another rate, as it would with TCP: what it
    /// has saved up for its next segment stays.
    /// @param flow the flow, credited with all jumps
    /// @param allowance the rate, not 0
    /// @return false where it cannot: it has too little left, writes more than a segment at once by
    ///         that rate, or has saved up nothing, so that its phase is drawn anew
    bool Follow(EvenFlow& flow, const Allowance& allowance);

    /// A flow goes back to TCP. Its ends are told what was sent. Its source writes when the next
    /// bare segment would have been due.
    void End(EvenFlow& flow);

    /// Tells a flow's ends what was sent, and skipped, and not credited to them. May end the flow
    /// if it sends no bare segments now.
    void Credit(EvenFlow& flow);

    /// A flow's connection is gone: what is on its way is nobody's.
    void Forget(EvenFlow& flow);

    /// A flow that sends bare segments has sent bytes in a time that was jumped over.
    /// @param flow the flow
    /// @param bytes how many; not its last one
    static void Skip(EvenFlow& flow, uint64_t bytes);

    /// @param flow one that sends bare segments
    /// @return how long it takes, in steps, until the flow may send the last of its bytes
    int64_t GetStepsToLast(const EvenFlow& flow) const;

    /// A flow that sends bare segments may send the last of its bytes, and somebody else does. Its
    /// ends are told of all others, also of those that are on their way: these count as arrived.
    /// @return how many bytes the last ones are
    uint64_t TakeLast(EvenFlow& flow);

    /// @return whether a bare segment of a flow, or its acknowledgement, was lost and is to be sent
    ///         again
    static bool IsRecovering(const EvenFlow& flow)
    {
        return flow.bare.lost != 0 || flow.bare.hasLostAnswer;
    }

    /// @return whether all bare segments of a flow are known to have arrived
    static bool IsAnswered(const EvenFlow& flow)
    {
        return flow.bare.sent == flow.bare.answered;
    }

    /// A flow's next bare segment is due.
    void Send(EvenFlow& flow);

    /// @return the DS field of segments that have no band
    uint8_t GetDsField() const
    {
        return m_dsField;
    }

    /// @return bare segments sent so far, without acknowledgements
    uint64_t GetNSent() const
    {
        return m_sent;
    }

    /// @return bare segments and acknowledgements that were lost so far
    uint64_t GetNLost() const
    {
        return m_lost;
    }

    /// @return a number that is another one if anything has been sent or has arrived since
    uint64_t GetVersion() const
    {
        return m_sent + m_arrived + m_lost;
    }

    /// A flow on a host sends soon: brings to the cache what that will touch.
    void PrefetchUplink(::coflow::HostId host) const
    {
        m_channel.PrefetchUplink(host);
    }

    void ReceiveBare(const LeanSegmentHead& segment, uint32_t end) override;
    void LoseBare(const LeanSegmentHead& segment, uint32_t end) override;
    void PrefetchBare(uint32_t end, std::size_t stage) const override;

  private:
    /// A number of a flow in SegmentRoute::end: a place, and how often the place was used before.
    struct Place
    {
        EvenFlow* flow{nullptr};
        uint32_t uses{0};
    };

    static constexpr uint32_t PLACE_BITS = 22;
    static constexpr uint32_t PLACE_MASK = (1U << PLACE_BITS) - 1;
    static constexpr uint32_t USES_MASK = BARE_SEGMENT / (1U << PLACE_BITS) - 1;

    void Enter(EvenFlow& flow, ::coflow::HostId dst);
    /// @return the flow that has a number; or null
    EvenFlow* Find(uint32_t end) const;
    /// @return what a flow has saved up for its next segment, bytes
    double GetSaved(const BareFlow& bare) const;
    /// Has the next bare segment sent when it is due.
    void Wait(EvenFlow& flow);
    PacketClass GetClass(const EvenFlow& flow, bool isAnswer) const;
    void SendSegment(EvenFlow& flow);
    void SendAnswer(EvenFlow& flow);
    void HandleData(EvenFlow& flow, uint32_t payload);
    void HandleAnswer(EvenFlow& flow, uint32_t acknowledgement);
    void SendAgainLater(EvenFlow& flow);
    void SendAgain(EvenFlow& flow);

    FabricChannel& m_channel;
    const std::function<bool(EvenFlow&)> m_mayGoOn;
    const uint32_t m_segmentBytes;
    const uint32_t m_answeredAtOnce; ///< segments per acknowledgement
    const double m_slowestAnswer;    ///< steps; segments further apart are acknowledged one by one
    const Time m_minRto;
    const uint8_t m_dsField;
    std::vector<Place> m_places;
    std::vector<uint32_t> m_free; ///< places
    uint64_t m_sent{0};
    uint64_t m_arrived{0};
    uint64_t m_lost{0};
};

} // namespace ns3::coflow

#endif // COFLOW_BARE_FLOWS_H
