/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIME_JUMPER_H
#define COFLOW_TIME_JUMPER_H

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-jump-account.h"
#include "ns3/coflow-packet-timer.h"
#include "ns3/coflow-port-loads.h"
#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::coflow
{

/// Jumps over time in which every flow that sends keeps to its rate.
///
/// A flow with a rate that TCP keeps up with repeats itself: a segment, its acknowledgement, and
/// the next segment. When all flows that send do so, nothing else is on its way, and ns-3's next
/// event is far, then WheelSimulatorImpl::JumpOver() brings that event near, and
/// RateTable::Advance() has every flow send, without packets, what it would have sent. No packet,
/// timer or sequence number moves: what is on its way goes on where it was.
///
/// A jump ends where something changes: at ns-3's next event (an arrival, a message, a decision, a
/// sample), or when the first flow may write its last bytes. These last bytes arrive after the time
/// that their path takes by the queues that stand still, without a packet, where the receiver has
/// all bytes before them; otherwise TCP sends them. Time is simulated packet by packet while a
/// connection opens, a segment is sent again or is lost, a window opens, or a packet is on its way
/// that is no segment of such a flow; for SettleTime after a rate has changed; as long as a port is
/// given more than it carries; and while a flow without a rate sends.
///
/// Ports count the packets that they would have carried (PortLoads). Queues, marks and drops are as
/// in the time that was simulated: while all flows keep to their rates, there are no marks and no
/// drops.
class TimeJumper : public Object, private RateTable::Listener
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    TimeJumper();
    ~TimeJumper() override;

    /// @return whether time is to be jumped over
    bool IsOn() const
    {
        return m_isOn;
    }

    /// Begins to look at a network; to be called once, before anything is sent.
    /// @param fabric the network, of the kind express
    /// @param profile TCP's parameters
    /// @throws ::coflow::InputError where time cannot be jumped over, and says why
    void Install(Ptr<Fabric> fabric, Ptr<const TransportProfile> profile);

    /// Watches a host.
    /// @param host the host
    /// @param source its source
    /// @param sink its sink
    /// @throws ::coflow::InputError where its flows write in step
    void Watch(::coflow::HostId host, const Ptr<CoflowSource>& source, const Ptr<CoflowSink>& sink);

    /// @return how much was jumped over so far, and why not more
    JumpTotals GetTotals();

  protected:
    void DoDispose() override;

  private:
    using Reason = JumpAccount::Reason;

    /// What is known of a flow besides its row.
    struct Flow
    {
        PortLoads::Load load;
        uint32_t label{0};    ///< of its packets, that the paths are of
        uint16_t port{0};     ///< of its connection at the sending host, that the paths are of
        uint32_t epoch{0};    ///< state of the topology that the paths are of; 0: none
        bool isLoaded{false}; ///< its load is among m_loads
        int64_t seenAt{-1};   ///< packet time when TCP's backlog was that, while it catches up
        uint32_t backlog{0};  ///< bytes that TCP had and had not sent
        uint64_t caughtUp{0}; ///< bytes of the backlog that TCP has sent, and that are no segment
    };

    /// When a flow may write its last bytes.
    struct End
    {
        int64_t time; ///< ns
        uint32_t row;
        uint32_t flows; ///< RateTable::Row::flows
    };

    static bool IsLater(const End& a, const End& b);
    void NotifyChanged(uint32_t row) override;
    bool EndsWithoutPackets(uint32_t row) override;
    void NotifyEnded(uint32_t row) override;
    void FollowPort(LinkPort port);

    /// Something has changed in how flows send.
    void NoteChange();
    /// Has the next look come, unless it will.
    void Wake();
    /// @param reason why there was no jump
    /// @return whether that stays so until a flow, a rate limit or a link changes
    static bool Lasts(Reason reason);
    /// Looks whether time can be jumped over, and does.
    void Check();
    /// @return why not; or JUMPED
    Reason TryToJump();
    /// Looks whether all flows keep to their rates, and until when.
    /// @return why there is no jump; or JUMPED
    Reason Verify();
    /// @return whether all flows were seen to keep to their rates not long ago, and no rate, link
    ///         or number of flows has changed since
    bool IsVerified() const;
    /// @return whether a flow is so short that all of it is simulated
    bool IsShort(const SourceFlow& flow) const;
    /// @param row a flow
    /// @return why there is no jump, as far as the flow is concerned; or JUMPED
    Reason FindReason(uint32_t row);
    /// @return why there is no jump, as far as any flow is concerned; or JUMPED
    Reason FindReason();
    /// @return whether a flow that catches up falls further behind
    bool IsFallingBehind(uint32_t row);
    /// Takes note of what TCP has of flows that catch up, to see later whether it becomes more.
    void NoteBacklogs();
    /// Computes, after a change, what flows bring to ports.
    /// @return whether no port is given more than it carries
    bool IsFeasible();
    /// Brings a flow's load up to date.
    void UpdateLoad(uint32_t row);
    void FindPaths(const RateTable::Row& row, Flow& flow);
    /// Jumps.
    /// @param duration how far, ns
    void Jump(int64_t duration);
    /// TCP has sent some of what it had of a flow beyond one write, in time that was jumped over.
    void CatchUp(uint32_t row, int64_t duration);
    /// Ends the flows that may write their last bytes.
    /// @return whether all of these end without packets
    bool EndFlows();
    /// @param end of a flow
    /// @return whether its last bytes go without packets; otherwise TCP sends them
    bool EndFlow(const End& end);
    /// A flow's last bytes arrive.
    void Arrive(const End& end);
    /// The acknowledgement of a flow's last bytes comes back.
    void Acknowledge(const End& end);
    /// @return whether a flow has not ended
    bool IsThere(const End& end) const;
    /// @param flow a flow that sends at its rate
    /// @return how long it takes, in ns, until the flow may write the last of its bytes
    static int64_t GetTimeToLast(SourceFlow& flow);
    /// @return payload of a flow's last segment where all of the flow is sent in packets, bytes
    uint32_t GetLastPayload(const SourceFlow& flow) const;
    /// @param flow a flow that sends at its rate
    /// @return how long after its bucket has tokens for its last bytes these leave: TCP's pacing
    ///         has a last segment that is short wait as if it were whole
    Time GetLagOfLast(const SourceFlow& flow) const;
    /// @param path ports that a packet passes
    /// @param bytes its size
    /// @return how long it takes by what the queues of the ports hold
    Time GetDelay(const PortPath& path, uint32_t bytes) const;

    bool m_isOn;       ///< attribute Jump
    Time m_interval;   ///< attribute LookInterval
    Time m_settle;     ///< attribute SettleTime
    uint32_t m_fewest; ///< attribute FewestSegments

    Ptr<Fabric> m_fabric;
    Ptr<FabricChannel> m_channel;
    Ptr<RateTable> m_rateTable;
    std::unique_ptr<PortLoads> m_loads;
    bool m_isPaced{true};          ///< TCP paces flows with rates
    uint32_t m_segment{0};         ///< payload of a full segment, bytes
    uint32_t m_segmentsPerAck{1};  ///< segments for an acknowledgement
    double m_delayedAckTimeout{0}; ///< ns; segments further apart are acknowledged one by one
    std::map<uint32_t, ::coflow::HostId> m_hosts; ///< by id of their nodes
    std::vector<Flow> m_flows;                    ///< by row
    std::vector<End> m_ends;                      ///< a heap, the first end on top
    std::vector<uint32_t> m_behind;               ///< rows of which TCP has more than one write

    uint32_t m_suspect{0};   ///< row of the last flow that was a reason for no jump
    uint32_t m_epoch{1};     ///< state of the topology
    int64_t m_lastChange{0}; ///< packet time when something has changed, or a flow was behind
    bool m_noted{false};     ///< NoteBacklogs() was called since
    bool m_checked{false};   ///< m_largestLoad is of the present flows
    double m_load{0};        ///< of the port that has the largest one, as a part of what it carries
    double m_largestLoad{0}; ///< the largest m_load
    bool m_verified{false};  ///< all flows were seen to keep to their rates at m_lastVerified
    int64_t m_lastVerified{0}; ///< packet time
    PacketTimer m_look;
    bool m_lookComes{false};   ///< in m_look or in an event of ns-3
    int64_t m_asleepSince{-1}; ///< packet time of the last look, if none comes before a change
    uint64_t m_jumps{0};
    uint64_t m_endsWithoutPackets{0};
    JumpAccount m_account;
};

} // namespace ns3::coflow

#endif // COFLOW_TIME_JUMPER_H
