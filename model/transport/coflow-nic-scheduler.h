/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NIC_SCHEDULER_H
#define COFLOW_NIC_SCHEDULER_H

#include "ns3/coflow-connection.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-packet-timer.h"
#include "ns3/coflow-send-queues.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// Decides for every segment which flow of a host sends, like a scheduler in the host's network
/// card: weighted or strict sharing between queues, in-order service inside a queue, equal sharing
/// inside a coflow (see SendQueues).
///
/// The scheduler is above IP. A connection asks for permission before it sends a segment. The
/// scheduler permits one segment as soon as less than one segment waits in the host's port. So at
/// most one segment waits in the port behind the segment on the wire, for any windows of the flows.
/// The port is never idle while a flow has a segment to send, and the order does not depend on the
/// queues of the fabric. TCP chooses the segment, so a retransmission within the window also waits
/// for its turn. Only the first segment that TCP sends again after a timeout or a third duplicate
/// acknowledgement leaves at once. It counts for its queue. Acknowledgements and control messages
/// do not wait.
class NicScheduler : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    NicScheduler();
    ~NicScheduler() override;

    /// Sets the port; to be called once, before all other functions.
    /// @param network the network, built
    /// @param host the host
    /// @param segmentBytes TCP's segment size
    void SetPort(Ptr<HostNetwork> network, HostId host, uint32_t segmentBytes);

    /// Sets the sharing between queues; to be called before Place().
    /// @param weights per queue, highest queue first, each at least 1
    /// @param strict number of the highest queues that have strict priority over all lower queues
    void SetWeights(const std::vector<double>& weights, std::size_t strict);

    /// Sets the place of a coflow among the coflows of the host; see SendQueues::Place().
    void Place(::coflow::CoflowId coflow, const SendPlace& place);

    /// Forgets a coflow that has ended.
    void Forget(::coflow::CoflowId coflow);

    /// @param key a flow, with or without a connection
    /// @param open whether the flow may send; true before the first call
    void SetOpen(const FlowKey& key, bool open);

    /// @param coflow a coflow
    /// @return bytes of the coflow that TCP has sent, without retransmissions
    uint64_t GetSent(::coflow::CoflowId coflow) const;

    /// Sets the number of bytes at which the callback of SetAlarm() is called; replaces an earlier
    /// number.
    /// @param coflow the coflow
    /// @param bytes value of GetSent(); UINT64_MAX: never
    void SetAlarmAt(::coflow::CoflowId coflow, uint64_t bytes);

    /// @param callback a function that is called with a coflow that has sent the bytes of
    ///        SetAlarmAt(). It may call Place() and SetAlarmAt()
    void SetAlarm(std::function<void(::coflow::CoflowId)> callback);

    /// Adds the connection of a flow.
    /// @param key the flow
    /// @param socket the connection; until Detach() it sends only with permission
    void Attach(const FlowKey& key, Ptr<Connection> socket);

    /// Removes the connection of a flow. No effect on a flow without a connection.
    void Detach(const FlowKey& key);

  protected:
    void DoDispose() override;

  private:
    class Gate;

    /// The bytes of a coflow.
    struct Account
    {
        uint64_t sent{0};           ///< GetSent()
        uint64_t alarm{UINT64_MAX}; ///< SetAlarmAt()
    };

    /// Schedules Pump(), if it is not scheduled.
    void Wake();
    /// Permits segments as long as the port has room.
    void Pump();
    void PumpAfter(Time delay);
    void CountSent(const SendQueues::Flow& flow,
                   Account& account,
                   uint32_t bytes,
                   uint32_t newBytes);
    std::shared_ptr<Account> GetAccount(::coflow::CoflowId coflow);

    Ptr<HostNetwork> m_network;
    HostId m_host{0};           ///< host of the port
    uint32_t m_segmentBytes{0}; ///< a segment is permitted if fewer bytes wait in the port
    SendQueues m_queues;
    std::map<FlowKey, std::unique_ptr<Gate>> m_gates; ///< by flow with a connection
    std::set<FlowKey> m_closed;                       ///< flows that may not send
    std::map<::coflow::CoflowId, std::shared_ptr<Account>> m_accounts;
    std::function<void(::coflow::CoflowId)> m_alarm;
    PacketTimer m_pump;
    bool m_pumping{false}; ///< Pump() runs; connections may ask for permission meanwhile
};

} // namespace ns3::coflow

#endif // COFLOW_NIC_SCHEDULER_H
