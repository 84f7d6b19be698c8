/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-nic-scheduler.h"

#include "ns3/coflow-wire-times.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowNicScheduler");

NS_OBJECT_ENSURE_REGISTERED(NicScheduler);

/// The gate of one connection.
class NicScheduler::Gate final : public SendGate, public SendQueues::Sender
{
  public:
    Gate(NicScheduler& scheduler, const FlowKey& key, bool open, Ptr<Connection> socket)
        : m_scheduler(scheduler),
          m_socket(socket),
          m_flow(scheduler.m_queues.Add(key, *this)),
          m_account(scheduler.GetAccount(key.coflowId))
    {
        m_scheduler.m_queues.SetOpen(m_flow, open);
        m_socket->SetGate(this);
    }

    ~Gate()
    {
        m_socket->SetGate(nullptr);
        m_scheduler.m_queues.Remove(m_flow);
    }

    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void NotifyBlocked() override
    {
        m_scheduler.m_queues.SetReady(m_flow);
        m_scheduler.Wake();
    }

    void NotifySent(uint32_t bytes, uint32_t newBytes) override
    {
        m_scheduler.CountSent(*m_flow, *m_account, bytes, newBytes);
    }

    void Send() override
    {
        m_socket->SendSegment();
    }

    SendQueues::Flow* GetFlow() const
    {
        return m_flow;
    }

  private:
    NicScheduler& m_scheduler;
    Ptr<Connection> m_socket;
    SendQueues::Flow* m_flow;
    std::shared_ptr<Account> m_account; ///< of its coflow
};

TypeId
NicScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::NicScheduler")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<NicScheduler>();
    return tid;
}

NicScheduler::NicScheduler() = default;

NicScheduler::~NicScheduler() = default;

void
NicScheduler::SetPort(Ptr<HostNetwork> network, HostId host, uint32_t segmentBytes)
{
    m_network = network;
    m_host = host;
    m_segmentBytes = segmentBytes;
    SetWeights({1}, 0);
}

void
NicScheduler::SetWeights(const std::vector<double>& weights, std::size_t strict)
{
    m_queues.SetWeights(weights, strict, m_segmentBytes);
}

void
NicScheduler::Place(::coflow::CoflowId coflow, const SendPlace& place)
{
    m_queues.Place(coflow, place);
}

void
NicScheduler::Forget(::coflow::CoflowId coflow)
{
    m_queues.Forget(coflow);
    m_accounts.erase(coflow);
    const auto first = m_closed.lower_bound({coflow, 0});
    auto last = first;
    while (last != m_closed.end() && last->coflowId == coflow)
    {
        ++last;
    }
    m_closed.erase(first, last);
}

void
NicScheduler::SetOpen(const FlowKey& key, bool open)
{
    NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId
                        << (open ? " may take its turn" : " is gated"));
    if (open)
    {
        m_closed.erase(key);
    }
    else
    {
        m_closed.insert(key);
    }
    const auto gate = m_gates.find(key);
    if (gate != m_gates.end())
    {
        m_queues.SetOpen(gate->second->GetFlow(), open);
        Wake();
    }
}

uint64_t
NicScheduler::GetSent(::coflow::CoflowId coflow) const
{
    const auto account = m_accounts.find(coflow);
    return account == m_accounts.end() ? 0 : account->second->sent;
}

void
NicScheduler::SetAlarmAt(::coflow::CoflowId coflow, uint64_t bytes)
{
    GetAccount(coflow)->alarm = bytes;
}

std::shared_ptr<NicScheduler::Account>
NicScheduler::GetAccount(::coflow::CoflowId coflow)
{
    auto& account = m_accounts[coflow];
    if (!account)
    {
        account = std::make_shared<Account>();
    }
    return account;
}

void
NicScheduler::SetAlarm(std::function<void(::coflow::CoflowId)> callback)
{
    m_alarm = std::move(callback);
}

void
NicScheduler::Attach(const FlowKey& key, Ptr<Connection> socket)
{
    const bool open = m_closed.count(key) == 0;
    NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId << " waits for its turn"
                        << (open ? "" : ", gated"));
    auto& gate = m_gates[key];
    gate = std::make_unique<Gate>(*this, key, open, socket);
}

void
NicScheduler::Detach(const FlowKey& key)
{
    m_gates.erase(key);
}

void
NicScheduler::DoDispose()
{
    m_pump.Cancel();
    m_gates.clear();
    m_alarm = nullptr;
    m_network = nullptr;
    Object::DoDispose();
}

void
NicScheduler::Wake()
{
    // TCP may have called this function, so permission comes in an event of its own.
    if (!m_pumping && !m_pump.IsPending())
    {
        PumpAfter(Time());
    }
}

void
NicScheduler::PumpAfter(Time delay)
{
    m_pump.Schedule(Simulator::GetContext(), delay, [this] { Pump(); });
}

void
NicScheduler::Pump()
{
    m_pumping = true;
    uint64_t waiting = m_network->GetWaitingBytes(m_host);
    const SendQueues::Flow* flow = nullptr;
    while (waiting < m_segmentBytes && (flow = m_queues.Next()))
    {
        SendQueues::GetSender(flow).Send();
        waiting = m_network->GetWaitingBytes(m_host);
    }
    m_pumping = false;
    if (waiting < m_segmentBytes)
    {
        return;
    }
    // By then the segment on the wire has left, and some waiting bytes have not: the port is never
    // idle. The division adds the frames around the bytes.
    const auto rate = m_network->GetCurrentUplinkRate(m_host);
    const WireTime time(rate.GetBitRate(), waiting + waiting / 256 + 2);
    PumpAfter(TimeStep(static_cast<uint64_t>(time.RoundUp())));
}

void
NicScheduler::CountSent(const SendQueues::Flow& flow,
                        Account& account,
                        uint32_t bytes,
                        uint32_t newBytes)
{
    m_queues.Charge(&flow, bytes);
    const FlowKey& key = SendQueues::GetKey(&flow);
    NS_LOG_LOGIC("flow " << key.coflowId << "/" << key.flowId << " has sent " << bytes << " bytes, "
                         << newBytes << " for the first time");
    account.sent += newBytes;
    if (account.sent >= account.alarm && m_alarm)
    {
        account.alarm = UINT64_MAX;
        m_alarm(key.coflowId);
    }
}

} // namespace ns3::coflow
