/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-coordinator.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowLedger;
using ::coflow::CoflowState;
using ::coflow::HostId;
using ::coflow::LifeState;

NS_LOG_COMPONENT_DEFINE("CoflowCentralCoordinator");

namespace
{

::coflow::PortRates
Scale(::coflow::PortRates rates, double factor)
{
    for (auto* side : {&rates.ingress, &rates.egress})
    {
        for (auto& rate : *side)
        {
            rate *= factor;
        }
    }
    return rates;
}

::coflow::Nanoseconds
Now()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace

CentralCoordinator::CentralCoordinator()
    : m_runs([this] { BeginRun(); }, [this] { EndRun(); })
{
}

CentralCoordinator::~CentralCoordinator()
{
}

void
CentralCoordinator::SetPolicy(std::function<std::unique_ptr<::coflow::Policy>()> makePolicy,
                              Ptr<const HostNetwork> network)
{
    m_makePolicy = std::move(makePolicy);
    m_network = network;
    m_rates = network->GetRates();
    if (m_pathChoice != ::coflow::PathChoice::FABRIC || m_makePolicy()->ChoosesPaths())
    {
        m_paths = network->GetPaths();
    }
}

uint64_t
CentralCoordinator::GetMoves() const
{
    if (!m_memory)
    {
        return 0;
    }
    return m_memory->ledger.GetMoves() + (m_memory->chooser ? m_memory->chooser->GetMoves() : 0);
}

void
CentralCoordinator::TellOrder(uint32_t classes)
{
    m_classes = classes;
}

void
CentralCoordinator::SetHandlers()
{
    On(&CentralCoordinator::OnPortShare);
    On(&CentralCoordinator::OnRegister);
    On(&CentralCoordinator::OnUnregister);
    On(&CentralCoordinator::OnAddFlows);
    On(&CentralCoordinator::OnGetFlows);
    On(&CentralCoordinator::OnFlowProgress);
    On(&CentralCoordinator::OnRejected);
}

void
CentralCoordinator::Begin()
{
    if (m_preset == Preset::EC2)
    {
        m_computeDelay = MilliSeconds(17);
        m_dispatchDelay = MilliSeconds(30);
    }
    m_runs.SetDelay(m_computeDelay);
    constexpr double MEASUREMENT_WEIGHT = 0.8; // of a new one in the moving average
    auto policy = m_makePolicy();
    policy->SetLeastRate(static_cast<double>(m_minFlowRate.GetBitRate()) / 8);
    const auto knowledge = policy->GetKnowledge();
    const bool choosesPaths = policy->ChoosesPaths();
    if (m_paths && choosesPaths)
    {
        policy->ShowPaths(*m_paths, m_kappa);
    }
    m_memory.reset(new Memory{
        .policy = std::move(policy),
        .ledger = CoflowLedger(knowledge, m_remaining),
        .residual = ::coflow::ResidualCapacity(Scale(m_rates, m_kappa), MEASUREMENT_WEIGHT),
        .chooser = m_paths && !choosesPaths
                       ? std::make_unique<::coflow::PathChooser>(*m_paths, m_pathChoice, m_kappa)
                       : nullptr,
        .dispatcher = RateDispatcher(
            [this](HostId host, const auto& message) { return SendTo(host, message); },
            [this](HostId host) { return IsBehind<UpdatedRatesMessage>(host); },
            [this] { return NextSchedule(); }),
        .orders = OrderDispatcher(
            [this](HostId host, const auto& message) { return SendTo(host, message); },
            [this] { return NextSchedule(); }),
    });
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        m_memory->absent.insert(host);
    }
    m_memory->usedRem = m_memory->residual.Get(); // heartbeats may come before the first run
    m_checkDaemons = Simulator::Schedule(m_daemonTimeout, &CentralCoordinator::CheckDaemons, this);
}

void
CentralCoordinator::End()
{
    m_runs.Clear();
    m_checkDaemons.Cancel();
    for (auto* events : {&m_memory->timers, &m_dispatches})
    {
        for (auto& event : *events)
        {
            event.Cancel();
        }
    }
    m_dispatches.clear();
    m_memory.reset();
    m_event = Time::Max();
}

void
CentralCoordinator::DoDispose()
{
    Coordinator::DoDispose();
    m_makePolicy = nullptr;
    m_network = nullptr;
    m_paths = nullptr;
}

std::optional<CoflowState>
CentralCoordinator::GetState(CoflowId coflow) const
{
    return m_memory ? m_memory->ledger.StateOf(coflow) : std::nullopt;
}

std::string
CentralCoordinator::DescribeWait(CoflowId coflow) const
{
    if (!m_memory)
    {
        return "the coordinator is dead";
    }
    const auto state = GetState(coflow);
    if (!state)
    {
        return "the coordinator does not know it";
    }
    std::string text = std::string("the coordinator has it as ") + ToString(*state);
    if (m_memory->ledger.LacksFlows(coflow))
    {
        text += ", with " + std::to_string(m_memory->ledger.ExistingOf(coflow)) + " of " +
                std::to_string(m_memory->ledger.RegistrationOf(coflow).flows) +
                " flows put and got";
    }
    return text;
}

void
CentralCoordinator::After(Time delay,
                          void (CentralCoordinator::*function)(CoflowId),
                          CoflowId coflow)
{
    auto& timers = m_memory->timers;
    std::erase_if(timers, [](const EventId& event) { return event.IsExpired(); });
    timers.push_back(Simulator::Schedule(delay, function, this, coflow));
}

void
CentralCoordinator::Notify(CoflowId coflow)
{
    const auto state = m_memory->ledger.StateOf(coflow);
    const auto told = m_memory->told.find(coflow);
    if (state && (told == m_memory->told.end() || told->second != *state))
    {
        NS_LOG_INFO("coflow " << coflow << " is " << ToString(*state));
        m_memory->told[coflow] = *state;
        if (*state == CoflowState::WAITING || *state == CoflowState::READY ||
            *state == CoflowState::RUNNING)
        {
            m_memory->open.insert(coflow);
        }
        else
        {
            m_memory->open.erase(coflow);
        }
        m_stateTrace(coflow, *state);
    }
}

void
CentralCoordinator::Close(CoflowId coflow, Time event)
{
    auto& ledger = m_memory->ledger;
    if (!ledger.StateOf(coflow) || !ledger.Close(coflow))
    {
        return;
    }
    RequestRun(event);
    if (ledger.IsDone(coflow))
    {
        Conclude(coflow);
        return;
    }
    After(m_unregisterGrace, &CentralCoordinator::Conclude, coflow);
}

void
CentralCoordinator::Conclude(CoflowId coflow)
{
    auto& ledger = m_memory->ledger;
    const auto endpoints = ledger.EndpointsOf(coflow);
    for (const auto host : ledger.HostsOf(coflow))
    {
        // Who cannot be reached will tell of the coflow again, and is told then.
        const auto daemon = m_memory->daemons.find(host);
        if (daemon != m_memory->daemons.end())
        {
            daemon->second.over.push_back(coflow);
        }
    }
    m_memory->bestEffort.erase(coflow);
    ledger.Conclude(coflow);
    Notify(coflow);
    TellVerdict(endpoints, coflow, Verdict::DROPPED, "unregistered");
}

void
CentralCoordinator::CheckReady(CoflowId coflow, Time event)
{
    if (m_memory->ledger.IsComplete(coflow))
    {
        MakeReady(coflow, event);
    }
}

void
CentralCoordinator::StopWaiting(CoflowId coflow)
{
    const auto& ledger = m_memory->ledger;
    const bool isOpen = ledger.LacksFlows(coflow) || ledger.IsComplete(coflow);
    if (isOpen && ledger.LifeOf(coflow) == LifeState::WAITING)
    {
        MakeReady(coflow, Simulator::Now());
    }
}

void
CentralCoordinator::StopWaitingForAbsent(CoflowId coflow)
{
    if (m_memory->absent.empty() || !m_memory->ledger.LacksFlows(coflow))
    {
        return;
    }
    StopWaiting(coflow);
    After(m_daemonTimeout, &CentralCoordinator::ReleaseIfLacking, coflow);
}

void
CentralCoordinator::DoWithoutIdle(CoflowId coflow)
{
    if (m_memory->ledger.IsIdle(coflow))
    {
        RequestRun(Simulator::Now());
    }
}

void
CentralCoordinator::ReleaseIfLacking(CoflowId coflow)
{
    const bool lacking = m_memory->ledger.LacksFlows(coflow) && !m_memory->absent.empty();
    if (lacking || m_memory->ledger.LifeOf(coflow) == LifeState::UNREGISTERED)
    {
        Release(coflow);
    }
}

void
CentralCoordinator::Release(CoflowId coflow)
{
    auto& ledger = m_memory->ledger;
    if (ledger.TerminalStateOf(coflow))
    {
        return; // its hosts have been told, and may have dropped what they had
    }
    auto hosts = ledger.HostsOf(coflow);
    if (ledger.StateOf(coflow))
    {
        hosts.insert(ledger.RegistrationOf(coflow).driver);
    }
    m_memory->bestEffort.erase(coflow);
    ledger.Release(coflow);
    Notify(coflow);
    TellVerdict(hosts, coflow, Verdict::RELEASED, "released");
    RequestRun(Simulator::Now());
}

void
CentralCoordinator::MakeReady(CoflowId coflow, Time event)
{
    if (m_memory->policy->AdmitsWhenItDecides())
    {
        m_memory->candidates.insert(coflow);
        RequestRun(event);
    }
    else if (Admit(coflow))
    {
        RequestRun(event);
    }
}

void
CentralCoordinator::AdmitCandidates()
{
    const auto& ledger = m_memory->ledger;
    const auto waiting = std::exchange(m_memory->candidates, {});
    std::vector<CoflowId> candidates(waiting.begin(), waiting.end());
    std::erase_if(candidates, [&ledger](CoflowId coflow) {
        return ledger.LifeOf(coflow) != LifeState::WAITING; // its driver has left, or it is over
    });
    std::sort(candidates.begin(), candidates.end(), [&ledger](CoflowId a, CoflowId b) {
        const auto key = [&ledger](CoflowId coflow) {
            const auto& told = ledger.RegistrationOf(coflow);
            return std::tuple(told.arrival, told.deadline, coflow);
        };
        return key(a) < key(b);
    });
    for (const CoflowId coflow : candidates)
    {
        Admit(coflow);
    }
}

bool
CentralCoordinator::Admit(CoflowId coflow)
{
    auto& memory = *m_memory;
    const bool toSend = memory.ledger.MakeReady(coflow, Now());
    Notify(coflow);
    if (!toSend)
    {
        return false;
    }
    const auto admission =
        memory.ledger.Admit(*memory.policy, coflow, Now(), memory.residual.Get());
    if (admission.retry != ::coflow::NEVER)
    {
        memory.ledger.Reject(coflow, false);
        After(NanoSeconds(admission.retry - Now()), &CentralCoordinator::StopWaiting, coflow);
    }
    else if (!admission.served)
    {
        memory.ledger.Reject(coflow, true);
        Notify(coflow);
        // Hosts drop their flows when the driver has heard of it, and says so: see OnUnregister().
        TellVerdict({memory.ledger.RegistrationOf(coflow).driver},
                    coflow,
                    Verdict::DROPPED,
                    "not admitted");
    }
    else if (!admission.admitted)
    {
        memory.bestEffort.insert(coflow);
        TellRejected(coflow, Verdict::BEST_EFFORT, "best effort");
    }
    return admission.served;
}

void
CentralCoordinator::TellVerdict(const std::set<HostId>& hosts,
                                CoflowId coflow,
                                Verdict verdict,
                                const std::string& reason)
{
    RejectedCoflowMessage message;
    message.id = coflow;
    message.verdict = verdict;
    message.reason = reason;
    NS_LOG_INFO(hosts.size() << " hosts are told: " << message);
    for (const auto host : hosts)
    {
        SendTo(host, message);
    }
}

void
CentralCoordinator::TellRejected(CoflowId coflow, Verdict verdict, const std::string& reason)
{
    auto hosts = m_memory->ledger.EndpointsOf(coflow);
    hosts.insert(m_memory->ledger.RegistrationOf(coflow).driver);
    TellVerdict(hosts, coflow, verdict, reason);
}

} // namespace ns3::coflow
