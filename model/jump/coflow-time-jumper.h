/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIME_JUMPER_H
#define COFLOW_TIME_JUMPER_H

#include "ns3/coflow-bare-flows.h"
#include "ns3/coflow-end-queue.h"
#include "ns3/coflow-even-flow.h"
#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-flow-watcher.h"
#include "ns3/coflow-jump-totals.h"
#include "ns3/coflow-network-timer.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::coflow
{

/// Jumps over time in which all flows send evenly.
///
/// A flow with a rate that TCP keeps up with repeats itself: a segment, its acknowledgement, and
/// the next segment. When all flows that send do so, nothing else is on its way, and ns-3's next
/// event is far, then WheelSimulatorImpl::SkipTime() puts that event near, and every flow gets
/// shorter by what it would have sent. No packet, timer or sequence number moves: what is on its
/// way goes on where it was.
///
/// A jump takes no longer the more flows there are. Flows are credited when somebody asks how far
/// they are, when they are looked at, and before one comes to its end. They are looked at again
/// after a change, and when the network has gone on for SettleTime.
///
/// A jump ends where something happens: at ns-3's next event (an arrival, a message, a decision, a
/// sample), or when the first flow may write its last bytes. The last bytes of a flow that sends
/// bare segments arrive by rule, and are acknowledged by rule: after the time that their path takes
/// by the queues that stand still. Time is simulated packet by packet
/// while a connection opens or another one ends, a segment is sent again or is lost, a window
/// opens, or a packet is on its way that is no segment of such a flow; for SettleTime after a rate
/// has changed; as long as a port is given more than it carries; and while a flow without a rate
/// sends.
///
/// Ports are credited with the packets that they would have carried, so that what they count is
/// whole. Queues, marks and drops are as in the time that was simulated; while all flows send
/// evenly, there are no marks and no drops.
///
/// After the first jump, a flow that was seen to send evenly sends bare segments where its rate is
/// slow (see BareFlows), so that the time between jumps costs less. Bare segments do not hear of
/// marks. So none are sent through a port that a flow without a rate uses.
class TimeJumper : public Object, private FlowWatcher
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
    /// Why a look ends without a jump.
    enum Reason : uint32_t
    {
        JUMPED,
        HELD,        ///< a message or another packet is on its way
        SETTLING,    ///< a rate has changed lately
        OPENING,     ///< a connection is not open yet, or nothing of a flow has come
        STOPPING,    ///< a flow that was paused has segments under way
        UNLIMITED,   ///< a flow has no rate
        SHORT,       ///< a flow has fewer segments than FewestSegments
        ENDING,      ///< the last segments of a flow are on their way
        CATCHING_UP, ///< TCP has ever more of a flow
        BEHIND,      ///< a flow does not get what its rate is
        RECOVERING,  ///< something is lost
        OVERLOADED,  ///< a port is given more than it carries
        NEAR,        ///< something happens soon
        N_REASONS
    };

    void BringUpToDate(const FlowKey& key) override;
    void BringUpToDate(const SourceFlow& flow) override;
    void BringAllUpToDate() override;
    void GiveBack(const SourceFlow& flow) override;
    bool Follow(SourceFlow& flow, const Allowance& allowance) override;
    void NotifyStarted(SourceFlow& flow) override;
    void NotifyAllowance(SourceFlow& flow) override;
    void NotifyPriority(SourceFlow& flow) override;
    bool TakeOver(SourceFlow& flow) override;
    void NotifyOpening(SourceFlow& flow) override;
    void NotifyBroken(SourceFlow& flow) override;
    void NotifyEnded(SourceFlow& flow) override;
    void NotifyRecord(const FlowKey& key, SinkConnection& connection) override;
    void NotifyRecordEnd(const FlowKey& key, SinkConnection& connection) override;

    void FollowPort(LinkPort port);
    /// Puts a flow into the list that it belongs to.
    void Sort(EvenFlow& flow);
    void Enter(std::vector<EvenFlow*>& list, EvenFlow& flow);
    void Leave(EvenFlow& flow);
    /// Something has changed in how flows send.
    void NoteChange();
    /// Has the next look come, unless it will.
    void Wake();
    /// @param reason why there was no jump
    /// @return whether that stays so until a flow, an allowance or a link changes
    bool Lasts(Reason reason) const;
    /// Looks whether time can be jumped over, and does.
    void Look();
    /// @return why not; or JUMPED
    Reason TryToJump();
    /// @return why there is no jump, as far as flows that were paused are concerned; or JUMPED
    Reason FindStopping();
    /// @param flow one that may send
    /// @param steps becomes how long the flow goes on evenly, if that is less
    /// @return why there is no jump, as far as the flow is concerned; or JUMPED
    Reason FindUneven(EvenFlow& flow, int64_t& steps);
    /// A flow that sends evenly sends bare segments from now on, if it may.
    void BeginBare(EvenFlow& flow);
    /// @param steps becomes how long all flows that send go on evenly
    /// @return why there is no jump, as far as these flows are concerned; or JUMPED
    Reason FindUneven(int64_t& steps);
    /// Looks whether all flows send evenly, and until when.
    /// @param untilEvent steps until the next event of the world
    /// @return why there is no jump; or JUMPED
    Reason Verify(int64_t untilEvent);
    /// @return whether all flows were seen to send evenly not long ago, and no rate, link or number
    ///         of flows has changed since
    bool IsVerified() const;
    /// @return whether a flow that is not credited may write its last bytes soon
    bool IsEndNear() const;
    /// Ends the flows that may write their last bytes, if these arrive by rule.
    /// @return whether all of them have
    bool EndFlows();
    /// @param flow one that may write its last bytes
    /// @param due since when
    /// @return whether they arrive by rule; otherwise TCP has the flow
    bool EndByRule(EvenFlow& flow, Time due);
    /// A flow's last bytes arrive.
    /// @param flow the flow
    /// @param ending what its `ending` was when they left
    /// @param bytes how many
    void Arrive(const Ptr<EvenFlow>& flow, uint32_t ending, uint64_t bytes);
    /// Credits ports with the last bytes of a flow, and with the end of its connection.
    void SettleEnd(EvenFlow& flow, uint64_t bytes);
    /// The acknowledgement of a flow's last bytes comes back.
    /// @param flow the flow
    /// @param ending what its `ending` was
    void AcknowledgeLast(const Ptr<EvenFlow>& flow, uint32_t ending);
    /// @param path ports that a packet passes
    /// @param bytes its size
    /// @return how long it takes by what the queues of the ports hold
    Time GetDelay(const PortPath& path, uint32_t bytes) const;
    /// Takes note of what TCP has of flows that catch up, to see later whether it becomes more.
    void NoteUnsent();
    static Reason GetReason(SourceConnection::Sending sending);
    /// @return whether a flow that catches up falls further behind
    bool IsFallingBehind(EvenFlow& flow) const;
    /// Looks, after a change, which ports are given more than they carry by rates.
    /// @return whether no port is
    bool IsFeasible();
    /// Adds what a flow's rate brings to the ports of its paths.
    void AddLoad(const EvenFlow& flow);
    /// @return whether a port of a path is given more than it carries, by IsFeasible()
    bool IsCrowded(const PortPath& path) const;
    /// Flows at ports that are given more than they carry go back to TCP: bare segments do not
    /// hear of marks, and would fill the ports' queues.
    void ReturnCrowded();
    /// Counts a flow at the ports of its paths while it has no rate, and else does not.
    void SetUnlimited(EvenFlow& flow, bool isUnlimited);
    void CountAtPorts(const EvenFlow& flow, int by);
    /// @return whether a flow without a rate uses a port of a flow's paths
    bool MeetsUnlimited(EvenFlow& flow);
    /// Brings a flow's paths up to date, and the ports that it is counted at.
    void FindPaths(EvenFlow& flow);
    /// Packets have passed the ports of a path that were not simulated.
    /// @param path the ports
    /// @param packets how many
    /// @param bytes of all of them, as IPv4 packets
    /// @param band their class of service, or PacketPriority::NO_BAND
    void CreditPath(const PortPath& path, uint64_t packets, uint64_t bytes, uint8_t band);
    /// @return class of service of a flow's acknowledgements
    uint8_t GetAnswerBand(const EvenFlow& flow) const;
    void Jump(int64_t steps);
    /// Credits a flow with what it has sent in time that was jumped over.
    void Credit(EvenFlow& flow);
    /// Credits a flow with what TCP has sent of what it had too much.
    /// @param flow the flow
    /// @param bytes what the flow has sent besides
    /// @return bytes
    uint64_t CreditUnsent(EvenFlow& flow, uint64_t bytes);

    /// Brings to the cache what Credit() and FindUneven() touch of flows some places on in
    /// m_sending.
    void PrefetchAhead(std::size_t place) const;

    /// Credits all flows that send.
    void CreditAll();
    /// Credits ports with what a flow has sent in time that was jumped over.
    void Settle(EvenFlow& flow);
    /// Likewise, and with what is less than a segment: a flow ends.
    void SettleRest(EvenFlow& flow);
    void SettleAll();
    /// @return whether a flow may send bare segments as far as its ends and ports are concerned
    bool MayBeBare(EvenFlow& flow);
    bool AnswersSlowly(const EvenFlow& flow) const;

    bool m_isOn;         ///< attribute Jump
    Time m_interval;     ///< attribute LookInterval
    Time m_settle;       ///< attribute SettleTime
    Time m_shortest;     ///< attribute ShortestJump
    uint32_t m_fewest;   ///< attribute FewestSegments
    bool m_bareSegments; ///< attribute BareSegments

    Ptr<Fabric> m_fabric;
    Ptr<FabricChannel> m_channel;
    Ptr<const TransportProfile> m_profile;
    uint32_t m_segment{0};     ///< payload of a full segment, bytes
    uint32_t m_answered{1};    ///< segments per acknowledgement
    double m_slowestAnswer{0}; ///< steps; segments further apart are acknowledged one by one

    std::map<uint32_t, ::coflow::HostId> m_hosts; ///< by id of their nodes
    std::unique_ptr<BareFlows> m_bareFlows;       ///< outlives m_flows
    uint64_t m_bareCredited{0}; ///< what had been sent and skipped when all ends were told of it
    std::map<FlowKey, Ptr<EvenFlow>> m_flows; ///< that run
    std::vector<EvenFlow*> m_sending;         ///< those that are not paused
    std::vector<EvenFlow*> m_stopping;        ///< paused, perhaps with segments under way
    std::size_t m_suspect{0}; ///< place in m_sending of the flow that was uneven last
    uint32_t m_epoch{1};      ///< state of the topology
    int64_t m_lastChange{0};  ///< network time when something has changed, or a flow was behind
    bool m_noted{false};      ///< NoteUnsent() was called since
    bool m_checked{false};    ///< m_feasible is of the present flows
    bool m_feasible{false};
    std::vector<double> m_loads;      ///< by port, bytes per second; for IsFeasible()
    std::vector<int32_t> m_unlimited; ///< by port, how many flows without rates use it
    int64_t m_nUnlimited{0};          ///< how many there are
    NetworkTimer m_look;
    bool m_verified{false};    ///< all flows were seen to send evenly at m_lastVerified
    int64_t m_lastVerified{0}; ///< network time
    int64_t m_evenUntil{0};    ///< world time until which those do that are not in m_ends; those
                               ///< not credited yet do still

    /// @return world time when the first flow may write its last bytes; INT64_MAX: never
    int64_t GetFirstEnd() const;

    EndQueue m_ends;           ///< of flows that send bare segments; as of m_lastVerified
    bool m_behind{false};      ///< there may be a flow that is not credited
    bool m_lookComes{false};   ///< in m_look or in an event of ns-3
    int64_t m_asleepSince{-1}; ///< network time of the last look, if none comes before a change

    bool m_owes{false};      ///< there may be a port that was not credited
    double m_largestLoad{0}; ///< of a port, by rates, as a part of what the port carries
    uint64_t m_jumps{0};
    uint64_t m_skippedBytes{0};
    uint64_t m_skippedHops{0};
    uint64_t m_endsByRule{0};

    /// What was simulated since looks that have ended for one reason.
    struct Account
    {
        uint64_t looks{0};
        int64_t steps{0}; ///< network time until the next look
        uint64_t events{0};
    };

    /// Writes what was simulated since the last look to the account of its reason.
    void CloseAccount();

    Account m_accounts[N_REASONS];
    Reason m_lastReason{JUMPED}; ///< of the last look
    int64_t m_lastLook{0};       ///< its network time
    uint64_t m_eventsAtLastLook{0};
};

} // namespace ns3::coflow

#endif // COFLOW_TIME_JUMPER_H
