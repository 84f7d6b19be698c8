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

/// Jumps over time while every sending flow keeps its rate.
///
/// A flow whose TCP keeps up with its rate repeats itself: a segment, its acknowledgement, and the
/// next segment. A jump needs three conditions: all sending flows repeat themselves, no other
/// packet is on its way, and ns-3's next event is not at the same time. Then
/// WheelSimulatorImpl::JumpOver() advances the simulation time. RateTable::Advance() adds the bytes
/// that each flow would have sent. Packets, timers and sequence numbers stay as they are.
///
/// A *check* is a moment at which TimeJumper looks whether time can be jumped over. After a jump
/// the next check is right after the event at which the jump ends. Otherwise it is LookInterval
/// later. Where the reason against the jump stays, it is right after the next change.
///
/// A jump ends at ns-3's next event (an arrival, a message, a decision, a sample), or when the
/// first flow may write its last bytes. The last bytes of a flow arrive without a packet. Their
/// delay is the delay of the path with the present queues. TCP sends the last bytes where a link of
/// the path has failed, a segment was lost, or the receiver lacks earlier bytes.
///
/// Packets are simulated
///
/// - while a connection opens, and until the receiver reads the flow;
/// - while an application waits for a packet, such as a message or a handshake;
/// - for SettleTime after a change of a rate, a priority, a path or a link;
/// - while a flow without a rate sends, or a flow with fewer segments than FewestSegments;
/// - while a paused flow has unacknowledged bytes;
/// - while TCP does not keep up with the rate of a flow, such as with a small window;
/// - while TCP recovers from a loss;
/// - while the load of a port is larger than its capacity;
/// - while TCP sends the last segments of a flow.
///
/// Ports count the packets that they would have carried (PortLoads). Queues do not change in a
/// jump, and there are no marks and no drops, as in simulated time in which all flows keep their
/// rates.
class TimeJumper : public Object, private RateTable::Listener
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    TimeJumper();
    ~TimeJumper() override;

    /// @return whether the attribute Jump is true
    bool IsOn() const
    {
        return m_isOn;
    }

    /// Starts the checks of a network; to be called once, before any packet is sent.
    /// @param fabric the network, of the kind express
    /// @param profile TCP's parameters
    /// @throws ::coflow::InputError where time cannot be jumped over, with the cause
    void Install(Ptr<Fabric> fabric, Ptr<const TransportProfile> profile);

    /// Adds a host.
    /// @param host the host
    /// @param source its source
    /// @param sink its sink
    /// @throws ::coflow::InputError where its flows write in step
    void Watch(::coflow::HostId host, const Ptr<CoflowSource>& source, const Ptr<CoflowSink>& sink);

    /// @return the time jumped over so far, and the reasons why it was not more
    JumpTotals GetTotals();

  protected:
    void DoDispose() override;

  private:
    using Reason = JumpAccount::Reason;

    /// The state of a flow, in addition to its row.
    struct Flow
    {
        PortLoads::Load load; ///< load of the flow at ports
        uint32_t label{0};    ///< label of its packets when the paths were computed
        uint16_t port{0};     ///< port of its sending end when the paths were computed
        uint32_t epoch{0};    ///< m_epoch when the paths were computed; 0: no paths
        bool isLoaded{false}; ///< m_loads has its load
    };

    /// The time at which a flow may write its last bytes.
    struct End
    {
        int64_t time;   ///< simulation time, ns
        uint32_t row;   ///< row of the flow
        uint32_t flows; ///< RateTable::Row::flows of the row
    };

    static bool IsLater(const End& a, const End& b);
    void NotifyChanged(uint32_t row) override;
    bool EndsWithoutPackets(uint32_t row) override;
    void NotifyEnded(uint32_t row) override;
    void FollowPort(LinkPort port);

    /// A flow sends in another way, or a link has changed.
    void NoteChange();
    /// Schedules the next check, if none is scheduled.
    void Wake();
    /// @param reason the reason why there was no jump
    /// @return whether the reason stays until a flow, a rate limit or a link changes
    static bool Lasts(Reason reason);
    /// Does a check, and jumps if time can be jumped over.
    void Check();
    /// @return the reason why there was no jump; JUMPED: there was one
    Reason TryToJump();
    /// Finds out whether all flows keep their rates, and until when.
    /// @return the reason why there is no jump; JUMPED: there is no such reason
    Reason Verify();
    /// @return whether a recent check has found that all flows keep their rates, and no rate, link
    ///         or number of flows has changed since
    bool IsVerified() const;
    /// @param flow a flow
    /// @return whether the flow has fewer segments than FewestSegments, so that all of it is
    ///         simulated
    bool IsShort(const SourceFlow& flow) const;
    /// @param row row of a flow
    /// @return the reason why this flow prevents a jump; JUMPED: it does not
    Reason FindReason(uint32_t row);
    /// @return the reason why any flow prevents a jump; JUMPED: no flow does
    Reason FindReason();
    /// Computes the loads of all ports, if a flow or a link has changed.
    /// @return whether the load of every port is at most its capacity
    bool IsFeasible();
    /// Updates the load of a flow.
    /// @param row row of the flow
    void UpdateLoad(uint32_t row);
    /// Computes the paths of a flow, if its label, its port or the topology has changed.
    /// @param row row of the flow
    /// @param flow the flow
    void FindPaths(const RateTable::Row& row, Flow& flow);
    /// Jumps over time.
    /// @param duration length of the jump, in ns
    void Jump(int64_t duration);
    /// Ends the flows that may write their last bytes.
    /// @return whether the last bytes of all these flows are sent without packets
    bool EndFlows();
    /// Ends a flow that may write its last bytes.
    /// @param end the end of the flow
    /// @return whether its last bytes are sent without packets; otherwise TCP sends them
    bool EndFlow(const End& end);
    /// The last bytes of a flow, which were sent without packets, arrive.
    /// @param end the end of the flow
    void Arrive(const End& end);
    /// The acknowledgement of these last bytes arrives.
    /// @param end the end of the flow
    void Acknowledge(const End& end);
    /// @param end the end of a flow
    /// @return whether the flow has not ended
    bool IsThere(const End& end) const;
    /// @param flow a flow that sends at its rate
    /// @return time from now until the flow may write its last bytes, in ns
    static int64_t GetTimeToLast(SourceFlow& flow);
    /// @param flow a flow
    /// @return payload of its last segment, in bytes, if all of the flow were sent in packets
    uint32_t GetLastPayload(const SourceFlow& flow) const;
    /// @param path path of a packet
    /// @param bytes size of the packet
    /// @return delay of the packet on the path with the present queues
    Time GetDelay(const PortPath& path, uint32_t bytes) const;

    bool m_isOn;       ///< attribute Jump
    Time m_interval;   ///< attribute LookInterval
    Time m_settle;     ///< attribute SettleTime
    uint32_t m_fewest; ///< attribute FewestSegments

    Ptr<Fabric> m_fabric;                         ///< network
    Ptr<FabricChannel> m_channel;                 ///< channel of the network
    Ptr<RateTable> m_rateTable;                   ///< flows of the network
    std::unique_ptr<PortLoads> m_loads;           ///< loads of the ports
    uint32_t m_segment{0};                        ///< payload of a full segment, bytes
    uint32_t m_segmentsPerAck{1};                 ///< segments per acknowledgement
    double m_delayedAckTimeout{0};                ///< timeout of a delayed acknowledgement, ns
    std::map<uint32_t, ::coflow::HostId> m_hosts; ///< hosts by node id
    std::vector<Flow> m_flows;                    ///< state of flows by row
    std::vector<End> m_ends;                      ///< heap of ends, the first on top

    uint32_t m_suspect{0};     ///< row of the last flow that has prevented a jump
    uint32_t m_epoch{1};       ///< number of changes of links, from 1 on
    int64_t m_lastChange{0};   ///< packet time of the last change, or at which a flow was behind
    bool m_checked{false};     ///< m_load is of the present flows
    double m_load{0};          ///< largest load of a port, relative to its capacity
    double m_largestLoad{0};   ///< largest m_load so far
    bool m_verified{false};    ///< all flows kept their rates at m_lastVerified
    int64_t m_lastVerified{0}; ///< packet time of the last Verify() of all flows
    PacketTimer m_look;        ///< timer of the next check
    bool m_lookComes{false};   ///< the next check is scheduled, in m_look or in an event of ns-3
    int64_t m_asleepSince{-1}; ///< packet time of the check whose reason stays; -1: none
    uint64_t m_jumps{0};       ///< number of jumps
    /// Number of flows whose last bytes were sent without packets.
    uint64_t m_endsWithoutPackets{0};
    JumpAccount m_account; ///< counts of reasons
};

} // namespace ns3::coflow

#endif // COFLOW_TIME_JUMPER_H
