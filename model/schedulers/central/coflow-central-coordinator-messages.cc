/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a CentralCoordinator makes of the messages of daemons.

#include "ns3/coflow-central-coordinator.h"
#include "ns3/coflow-sink.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <cmath>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowCentralCoordinatorMessages");

using ::coflow::CoflowId;
using ::coflow::CoflowLedger;
using ::coflow::CoflowState;
using ::coflow::HostId;
using ::coflow::LifeState;

namespace
{

/// A coflow that has had nothing to send for so long, and whose driver is not through with it,
/// counts as departed until it has more flows. Applications may put flows late.
constexpr int64_t IDLE_MS = 1;

} // namespace

void
CentralCoordinator::OnDaemonUp(HostId host)
{
    auto& memory = *m_memory;
    memory.absent.erase(host);
    DropPuts(host, true);
    const auto registered = memory.ledger.RegisteredBy(host);
    memory.daemons[host] = {.lastHeard = Simulator::Now(),
                            .unconfirmed = {registered.begin(), registered.end()}};
    m_memory->residual.SetShare(host, 1); // until it says otherwise
    AnswerHeartbeat(host);
}

void
CentralCoordinator::OnDaemonDown(HostId host)
{
    NoteAbsent(host);
}

void
CentralCoordinator::OnHeartbeat(HostId host, const HeartbeatMessage& message)
{
    auto& memory = *m_memory;
    auto& daemon = memory.daemons[host];
    daemon.lastHeard = Simulator::Now();
    daemon.resting = message.rest && memory.open.empty();
    for (const auto coflow : std::exchange(daemon.unconfirmed, {}))
    {
        Close(coflow, Simulator::Now());
    }
    if (m_useMeasuredRem)
    {
        Measure(host, message);
    }
    if (!daemon.resting)
    {
        AnswerHeartbeat(host);
    }
}

void
CentralCoordinator::AnswerHeartbeat(HostId host)
{
    WatchDaemons();
    // This also calls a daemon back that has said too late that it rests.
    HeartbeatMessage answer;
    answer.host = host;
    answer.over = std::exchange(m_memory->daemons[host].over, {});
    answer.rest = m_memory->open.empty();
    SendTo(host, answer);
}

void
CentralCoordinator::Measure(HostId host, const HeartbeatMessage& message)
{
    auto& memory = *m_memory;
    memory.residual.Report(host,
                           static_cast<double>(message.txBitsPerSecond) / 8,
                           static_cast<double>(message.rxBitsPerSecond) / 8);
    if (memory.ledger.Table().Rows().empty())
    {
        return;
    }
    constexpr double REM_CHANGE = 0.2; // part of a port's rate
    const auto& now = memory.residual.Get();
    const auto& used = memory.usedRem;
    if (std::abs(now.ingress[host] - used.ingress[host]) > REM_CHANGE * m_rates.ingress[host] ||
        std::abs(now.egress[host] - used.egress[host]) > REM_CHANGE * m_rates.egress[host])
    {
        RequestRun(Simulator::Now());
    }
}

void
CentralCoordinator::OnPortShare(HostId host, const PortShareMessage& message)
{
    const auto share = static_cast<double>(message.billionths) * 1e-9;
    NS_LOG_INFO("host " << host << " has " << share << " of its port for coflows");
    m_memory->residual.SetShare(host, share);
    if (!m_memory->ledger.Table().Rows().empty())
    {
        RequestRun(Simulator::Now());
    }
}

void
CentralCoordinator::OnRegister(HostId host, const RegisterCoflowMessage& message)
{
    const auto id = message.id;
    m_memory->daemons[host].unconfirmed.erase(id);
    if (AnswerIfOver(host, id))
    {
        return;
    }
    if (m_memory->ledger.StateOf(id) == CoflowState::REJECTED)
    {
        TellVerdict({host}, id, Verdict::DROPPED, "not admitted"); // it has not heard that
        return;
    }
    CoflowLedger::Registration registration;
    registration.driver = host;
    registration.arrival = message.happened.GetNanoSeconds();
    registration.flows = message.numFlows;
    registration.weight = message.weight;
    if (message.deadline)
    {
        registration.deadline = (message.happened + *message.deadline).GetNanoSeconds();
    }
    const bool isNew = m_memory->ledger.Register(id, registration);
    RegisteredCoflowMessage answer;
    answer.id = id;
    SendTo(host, answer);
    if (!isNew)
    {
        if (m_memory->bestEffort.count(id) > 0)
        {
            // That may have been lost with the driver's last connection.
            TellVerdict({host}, id, Verdict::BEST_EFFORT, "best effort");
        }
        return;
    }
    Notify(id);
    WakeDaemons();
    if (m_readyTimeout != Time::Max())
    {
        After(m_readyTimeout, &CentralCoordinator::StopWaiting, id);
    }
    if (!m_memory->absent.empty())
    {
        After(m_rebuildTime, &CentralCoordinator::StopWaitingForAbsent, id);
    }
    CheckReady(id, message.happened);
}

bool
CentralCoordinator::NoteTold(HostId host, CoflowId coflow)
{
    if (AnswerIfOver(host, coflow))
    {
        return false;
    }
    if (m_memory->ledger.LifeOf(coflow) == LifeState::UNKNOWN)
    {
        // Its driver's daemon is yet to come back, or will not.
        After(m_daemonTimeout, &CentralCoordinator::ReleaseIfLacking, coflow);
    }
    return true;
}

bool
CentralCoordinator::AnswerIfOver(HostId host, CoflowId coflow)
{
    const auto state = m_memory->ledger.TerminalStateOf(coflow);
    if (!state)
    {
        return false;
    }
    if (state == CoflowState::FINISHED)
    {
        m_memory->daemons[host].over.push_back(coflow);
        return true;
    }
    TellVerdict({host},
                coflow,
                state == CoflowState::RELEASED ? Verdict::RELEASED : Verdict::DROPPED,
                "over");
    return true;
}

template <class Message, class Take>
void
CentralCoordinator::TakeRecords(HostId host, const Message& message, Take take)
{
    std::set<CoflowId> touched;
    std::vector<FlowKey> complete;
    std::map<CoflowId, bool> worth; // what was told of the coflow
    for (const auto& record : message.records)
    {
        const auto id = record.key.coflowId;
        const auto [known, first] = worth.try_emplace(id, true);
        known->second = first ? NoteTold(host, id) : known->second;
        if (!known->second)
        {
            continue;
        }
        if (take(record))
        {
            complete.push_back(record.key);
        }
        touched.insert(id);
    }
    TakeFlows(touched, complete, message.happened);
}

void
CentralCoordinator::OnAddFlows(HostId host, const AddFlowsMessage& message)
{
    TakeRecords(host, message, [this, host](const PutRecord& put) {
        std::optional<::coflow::Bytes> bytes;
        if (put.bytes)
        {
            bytes = static_cast<::coflow::Bytes>(*put.bytes);
        }
        const auto& [coflow, flow] = put.key;
        return m_memory->ledger.Put(coflow, flow, host, bytes, put.again, put.done);
    });
}

void
CentralCoordinator::OnGetFlows(HostId host, const GetFlowsMessage& message)
{
    TakeRecords(host, message, [this, host](const GetRecord& get) {
        return m_memory->ledger.Get(get.key.coflowId, get.key.flowId, host);
    });
}

void
CentralCoordinator::TakeFlows(const std::set<CoflowId>& touched,
                              const std::vector<FlowKey>& complete,
                              Time event)
{
    auto& ledger = m_memory->ledger;
    std::map<HostId, GotFlowDescsMessage> answers;
    for (const auto& key : complete)
    {
        const auto flow = ledger.Describe(key.coflowId, key.flowId);
        FlowDescription description;
        description.key = key;
        description.src = flow->src;
        description.dst = flow->dst;
        if (flow->bytes >= 0)
        {
            description.bytes = static_cast<uint64_t>(flow->bytes);
        }
        description.address = m_network->GetAddress(flow->src);
        description.port = CoflowSink::DEFAULT_PORT;
        answers[flow->dst].records.push_back(description);
        const auto state = ledger.StateOf(key.coflowId);
        if (state == CoflowState::READY || state == CoflowState::RUNNING)
        {
            RequestRun(event); // more flows than the coflow was registered with, or again
        }
    }
    for (const auto& [host, answer] : answers)
    {
        SendTo(host, answer);
    }
    for (const auto coflow : touched)
    {
        CheckReady(coflow, event);
    }
}

void
CentralCoordinator::OnFlowProgress(HostId, const FlowProgressMessage& message)
{
    auto& ledger = m_memory->ledger;
    std::set<CoflowId> touched;
    for (const auto& progress : message.records)
    {
        const auto& key = progress.key;
        ledger.Progress(key.coflowId,
                        key.flowId,
                        static_cast<::coflow::Bytes>(progress.bytesSince),
                        progress.done);
        if (progress.done)
        {
            touched.insert(key.coflowId);
            if (const auto flow = ledger.Describe(key.coflowId, key.flowId))
            {
                m_memory->dispatcher.FlowDone(flow->src, key);
            }
        }
    }
    if (touched.empty())
    {
        return;
    }
    if (m_rescheduleOnFlow == OnFlow::ALWAYS)
    {
        // A policy that does not look at flows that are done would take this for no event.
        for (const auto coflow : touched)
        {
            ledger.Renew(coflow);
        }
    }
    const auto triggers = m_memory->policy->GetTriggers();
    if (m_rescheduleOnFlow == OnFlow::ALWAYS ||
        (m_rescheduleOnFlow == OnFlow::POLICY && triggers.flowCompletion))
    {
        // A policy that hears of all flows so often has a clock of its own, and says when.
        const bool ownClock = m_memory->policy->ReportPeriod() != ::coflow::NEVER;
        RequestRun(message.happened, ownClock ? Time() : NanoSeconds(triggers.coalesce));
        return;
    }
    for (const auto coflow : touched)
    {
        // Mostly the driver is about to say that the coflow is over.
        if (m_rescheduleOnFlow != OnFlow::NEVER && ledger.IsIdle(coflow))
        {
            After(MilliSeconds(IDLE_MS), &CentralCoordinator::DoWithoutIdle, coflow);
        }
    }
    for (const auto coflow : touched)
    {
        if (ledger.IsStalled(coflow))
        {
            RequestRun(message.happened);
            return;
        }
    }
}

void
CentralCoordinator::OnUnregister(HostId driver, const UnregisterCoflowMessage& message)
{
    auto& ledger = m_memory->ledger;
    if (ledger.StateOf(message.id) != CoflowState::REJECTED)
    {
        Close(message.id, message.happened);
        return;
    }
    if (ledger.Close(message.id))
    {
        // The driver knows that the coflow is refused. Had the hosts been told before, and the
        // driver died without hearing of it, its application would wait for ever.
        auto hosts = ledger.EndpointsOf(message.id);
        hosts.erase(driver);
        ledger.Conclude(message.id);
        TellVerdict(hosts, message.id, Verdict::DROPPED, "not admitted");
    }
}

void
CentralCoordinator::OnRejected(HostId, const RejectedCoflowMessage& message)
{
    if (message.verdict == Verdict::RELEASED)
    {
        Release(message.id);
    }
}

} // namespace ns3::coflow
