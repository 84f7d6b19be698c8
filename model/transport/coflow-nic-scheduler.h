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

/// Decides segment by segment which flow of a host sends, as a scheduler in the host's network
/// card would: weighted or strict sharing between queues, in-order service inside a queue, equal
/// sharing inside a coflow (see SendQueues).
///
/// It sits above IP, in TCP's permission to send: a connection that would send asks, and is given
/// leave for one segment when the host's port has less than one segment waiting. So what has been
/// decided cannot be buried: beneath the decision there is at most one segment that waits and one
/// on the wire, whatever the windows of the flows; the port is not left idle; and nothing depends
/// on what queues the fabric has. TCP chooses what the segment is, so a retransmission that fits
/// the window waits for its turn like anything else. Only the first segment that a timeout or a
/// third duplicate acknowledgement sends again goes at once; it is charged to its queue.
/// Acknowledgements and control messages are not held up.
class NicScheduler : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    NicScheduler();
    ~NicScheduler() override;

    /// Tells it about its port; to be called once, before anything else.
    /// @param network the network, built
    /// @param host the host
    /// @param segmentBytes TCP's segment size
    void SetPort(Ptr<HostNetwork> network, HostId host, uint32_t segmentBytes);

    /// Says how queues share; to be called before any coflow is placed.
    /// @param weights per queue, highest queue first, each at least 1
    /// @param strict so many queues go strictly before all below them, whatever their weights
    void SetWeights(const std::vector<double>& weights, std::size_t strict);

    /// Gives a coflow its place among those of the host; see SendQueues::Place().
    void Place(::coflow::CoflowId coflow, const SendPlace& place);

    /// A coflow is over: forgets its place and what it has sent.
    void Forget(::coflow::CoflowId coflow);

    /// @param key a flow, whose connection there may or may not be
    /// @param open whether it may send at all; flows may, unless told otherwise
    void SetOpen(const FlowKey& key, bool open);

    /// @param coflow a coflow
    /// @return bytes that TCP has sent of it for the first time
    uint64_t GetSent(::coflow::CoflowId coflow) const;

    /// Has the callback of SetAlarm() called when a coflow has sent so much; replaces an earlier
    /// amount.
    /// @param coflow the coflow
    /// @param bytes as of GetSent(); UINT64_MAX: never
    void SetAlarmAt(::coflow::CoflowId coflow, uint64_t bytes);

    /// @param callback is told of coflows that have sent what SetAlarmAt() says; it may give them
    ///        another place and amount
    void SetAlarm(std::function<void(::coflow::CoflowId)> callback);

    /// A connection of its own has been made for a flow.
    /// @param key the flow
    /// @param socket sends only as it is told from now on, until Detach()
    void Attach(const FlowKey& key, Ptr<Connection> socket);

    /// The connection of a flow is gone; no effect where there is none.
    void Detach(const FlowKey& key);

  protected:
    void DoDispose() override;

  private:
    class Gate;

    /// What is kept of a coflow.
    struct Account
    {
        uint64_t sent{0};
        uint64_t alarm{UINT64_MAX};
    };

    /// Sees to it that segments are given leave.
    void Wake();
    /// Gives leave as long as the port has room.
    void Pump();
    void PumpAfter(Time delay);
    void CountSent(const SendQueues::Flow& flow,
                   Account& account,
                   uint32_t bytes,
                   uint32_t newBytes);
    std::shared_ptr<Account> GetAccount(::coflow::CoflowId coflow);

    Ptr<HostNetwork> m_network;
    HostId m_host{0};           ///< whose port it is
    uint32_t m_segmentBytes{0}; ///< less than this may wait in the port
    SendQueues m_queues;
    std::map<FlowKey, std::unique_ptr<Gate>> m_gates; ///< of flows that have a connection
    std::set<FlowKey> m_closed;                       ///< flows that may not send
    std::map<::coflow::CoflowId, std::shared_ptr<Account>> m_accounts;
    std::function<void(::coflow::CoflowId)> m_alarm;
    PacketTimer m_pump;
    bool m_pumping{false}; ///< in Pump(), from within which connections may ask
};

} // namespace ns3::coflow

#endif // COFLOW_NIC_SCHEDULER_H
