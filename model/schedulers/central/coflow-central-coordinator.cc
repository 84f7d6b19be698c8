/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-coordinator.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowLedger;
using ::coflow::CoflowState;
using ::coflow::HostId;
using ::coflow::LifeState;
using ::coflow::PathChoice;
using ::coflow::Scaling;
using ::coflow::Unit;

NS_LOG_COMPONENT_DEFINE("CoflowCentralCoordinator");

NS_OBJECT_ENSURE_REGISTERED(CentralCoordinator);

TypeId
CentralCoordinator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CentralCoordinator")
            .SetParent<Coordinator>()
            .SetGroupName("Coflow")
            .AddConstructor<CentralCoordinator>()
            .AddAttribute("Kappa",
                          "Share of a port's rate that is handed out, in application bytes; the "
                          "rest is for headers and acknowledgements",
                          DoubleValue(0.94),
                          MakeDoubleAccessor(&CentralCoordinator::m_kappa),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("UseMeasuredRem",
                          "Whether the coordinator subtracts the measured traffic of bypassing "
                          "coflows from the ports (Varys, section 5.2)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CentralCoordinator::m_useMeasuredRem),
                          MakeBooleanChecker())
            .AddAttribute(
                "Remaining",
                "Estimate of the bytes left of a flow: integrated, those of the last report, minus "
                "its rate since then; reported, those of the last report (needs ReportProgress); "
                "completion-only, its size until it is done",
                EnumValue(CoflowLedger::Estimate::INTEGRATED),
                MakeEnumAccessor<CoflowLedger::Estimate>(&CentralCoordinator::m_remaining),
                MakeEnumChecker(CoflowLedger::Estimate::INTEGRATED,
                                "integrated",
                                CoflowLedger::Estimate::REPORTED,
                                "reported",
                                CoflowLedger::Estimate::COMPLETION_ONLY,
                                "completion-only"))
            .AddAttribute("OnFlowCompletion",
                          "Whether to compute a schedule when a flow finishes: policy, as the "
                          "policy wants; always; never",
                          EnumValue(PolicyRuns::OnFlow::POLICY),
                          MakeEnumAccessor<PolicyRuns::OnFlow>(&CentralCoordinator::m_onFlow),
                          MakeEnumChecker(PolicyRuns::OnFlow::POLICY,
                                          "policy",
                                          PolicyRuns::OnFlow::ALWAYS,
                                          "always",
                                          PolicyRuns::OnFlow::NEVER,
                                          "never"))
            .AddAttribute("Preset",
                          "none, or ec2: where they are 0, ComputeDelay is 17 ms and DispatchDelay "
                          "30 ms, as Varys measured on EC2 (section 7.2)",
                          EnumValue(Preset::NONE),
                          MakeEnumAccessor<Preset>(&CentralCoordinator::m_preset),
                          MakeEnumChecker(Preset::NONE, "none", Preset::EC2, "ec2"))
            .AddAttribute("ComputeDelay",
                          "Time to compute a schedule; only one is computed at a time",
                          TimeValue(Time()),
                          MakeTimeAccessor(&CentralCoordinator::m_computeDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("DispatchDelay",
                          "Time from the end of a computation to the messages to daemons",
                          TimeValue(Time()),
                          MakeTimeAccessor(&CentralCoordinator::m_dispatchDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute(
                "MinFlowRate",
                "Smallest rate of a flow. Smaller rates above 0 are raised to it, or to an even "
                "share of the port if that is less, at the cost of other flows at the port",
                DataRateValue(DataRate("100kbps")),
                MakeDataRateAccessor(&CentralCoordinator::m_minFlowRate),
                MakeDataRateChecker())
            .AddAttribute("PathChoice",
                          SpecAttribute::GetHelp(::coflow::PathChoiceSpec()),
                          EnumValue(PathChoice::FABRIC),
                          MakeEnumAccessor<PathChoice>(&CentralCoordinator::m_pathChoice),
                          MakeEnumChecker(PathChoice::FABRIC,
                                          "fabric",
                                          PathChoice::START,
                                          "start",
                                          PathChoice::MOVE,
                                          "move"))
            .AddAttribute("ReadyTimeout",
                          "Time from the registration of a coflow until it is scheduled with its "
                          "known flows, even if others are missing; default: never",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&CentralCoordinator::m_readyTimeout),
                          Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "RebuildTime",
                "Time for which a coflow with missing flows waits for daemons without a "
                "connection, which might know them. Then it is scheduled with its known flows, and "
                "after another DaemonTimeout released: plain TCP sends the rest",
                TimeValue(MilliSeconds(500)),
                MakeTimeAccessor(&CentralCoordinator::m_rebuildTime),
                Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "UnregisterGrace",
                "Time for which reports on flows may be under way. Flows of an unregistered coflow "
                "that are not done by then are cancelled. A coflow whose flows should be done by "
                "their rates is decided again after this time. It has to be longer than "
                "ControlBatch",
                TimeValue(MilliSeconds(500)),
                MakeTimeAccessor(&CentralCoordinator::m_unregisterGrace),
                Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "DaemonTimeout",
                "Time without a heartbeat after which a daemon counts as dead: its flows leave the "
                "schedule, and coflows that its host has registered are released. It has to be "
                "longer than Heartbeat",
                TimeValue(Seconds(60)),
                MakeTimeAccessor(&CentralCoordinator::m_daemonTimeout),
                Declared(MakeTimeChecker(MilliSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddTraceSource("CoflowState",
                            "A coflow changed its state",
                            MakeTraceSourceAccessor(&CentralCoordinator::m_stateTrace),
                            "ns3::coflow::CentralCoordinator::StateCallback")
            .AddTraceSource("Schedule",
                            "A schedule is being sent to daemons",
                            MakeTraceSourceAccessor(&CentralCoordinator::m_scheduleTrace),
                            "ns3::coflow::CentralCoordinator::ScheduleCallback");
    return tid;
}

CentralCoordinator::Memory::Memory(CentralCoordinator& self,
                                   std::unique_ptr<::coflow::Policy> policy)
    : ledger(policy->GetKnowledge(),
             self.m_remaining,
             [&self](CoflowId coflow, CoflowState state) { self.NoteState(coflow, state); }),
      rates([&self](HostId host, const auto& message) { return self.SendTo(host, message); },
            [&self](HostId host) { return self.HasBacklog<UpdatedRatesMessage>(host); },
            [&self] { return self.NextSchedule(); }),
      orders([&self](HostId host, const auto& message) { return self.SendTo(host, message); },
             [&self] { return self.NextSchedule(); }),
      daemons(
          self.GetNHosts(),
          self.m_daemonTimeout,
          [&self](HostId host) { return self.HasHeartbeatOf(host); },
          [&self](HostId host) { self.LoseDaemon(host); }),
      runs(
          std::move(policy),
          ledger,
          {.onFlow = self.m_onFlow,
           .computeDelay = self.m_computeDelay,
           .dispatchDelay = self.m_dispatchDelay,
           .reportGrace = self.m_unregisterGrace,
           .kappa = self.m_kappa,
           .leastRate = static_cast<double>(self.m_minFlowRate.GetBitRate()) / 8,
           .pathChoice = self.m_pathChoice,
           .rates = self.m_portRates,
           .paths = self.m_paths},
          [&self](CoflowId coflow) { return self.Admit(coflow); },
          [&self](const PolicyRuns::Run& run) { return self.PrepareSchedule(run); },
          [&self](std::function<void()> then) { self.WhenSent(std::move(then)); })
{
}

void
CentralCoordinator::SetPolicy(std::function<std::unique_ptr<::coflow::Policy>()> makePolicy,
                              Ptr<const HostNetwork> network)
{
    m_makePolicy = std::move(makePolicy);
    m_network = network;
    m_portRates = network->GetRates();
    if (m_pathChoice != ::coflow::PathChoice::FABRIC || m_makePolicy()->ChoosesPaths())
    {
        m_paths = network->GetPaths();
    }
}

uint64_t
CentralCoordinator::GetMoves() const
{
    return m_memory ? m_memory->runs.GetMoves() : 0;
}

void
CentralCoordinator::SetOrderClasses(uint32_t classes)
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
CentralCoordinator::NotifyConstructionCompleted()
{
    Coordinator::NotifyConstructionCompleted();
    if (m_preset == Preset::EC2)
    {
        m_computeDelay = m_computeDelay.IsZero() ? MilliSeconds(17) : m_computeDelay;
        m_dispatchDelay = m_dispatchDelay.IsZero() ? MilliSeconds(30) : m_dispatchDelay;
    }
}

void
CentralCoordinator::Begin()
{
    m_memory = std::make_unique<Memory>(*this, m_makePolicy());
}

void
CentralCoordinator::End()
{
    m_memory.reset();
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
CentralCoordinator::OnDaemonUp(HostId host)
{
    auto& memory = *m_memory;
    DropPuts(host, true);
    memory.daemons.Connect(host, memory.ledger.RegisteredBy(host));
    memory.runs.ResetShare(host);
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
    const bool idle = message.idle && memory.open.empty();
    for (const auto coflow : memory.daemons.Hear(host, idle))
    {
        Close(coflow, Simulator::Now());
    }
    if (m_useMeasuredRem)
    {
        memory.runs.Measure(host,
                            static_cast<double>(message.txBitsPerSecond) / 8,
                            static_cast<double>(message.rxBitsPerSecond) / 8);
    }
    if (!idle)
    {
        AnswerHeartbeat(host);
    }
}

void
CentralCoordinator::AnswerHeartbeat(HostId host)
{
    // The answer also ends the idling of a daemon that became idle while a coflow registered.
    HeartbeatMessage answer;
    answer.host = host;
    answer.over = m_memory->daemons.Answer(host);
    answer.idle = m_memory->open.empty();
    SendTo(host, answer);
}

void
CentralCoordinator::LoseDaemon(HostId host)
{
    Disconnect(host);
    DropPuts(host, false);
    NoteAbsent(host);
    for (const auto coflow : m_memory->ledger.RegisteredBy(host))
    {
        Release(coflow);
    }
}

void
CentralCoordinator::DropPuts(HostId host, bool doneToo)
{
    m_memory->rates.Forget(host);
    m_memory->orders.Forget(host);
    if (m_memory->ledger.DropPuts(host, doneToo))
    {
        m_memory->runs.Request(Simulator::Now());
    }
}

void
CentralCoordinator::NoteAbsent(HostId host)
{
    m_memory->daemons.Disconnect(host);
    for (const auto coflow : m_memory->ledger.Incomplete())
    {
        After(m_rebuildTime, &CentralCoordinator::StopWaitingForAbsent, coflow);
    }
}

void
CentralCoordinator::OnPortShare(HostId host, const PortShareMessage& message)
{
    const auto share = static_cast<double>(message.billionths) * 1e-9;
    NS_LOG_INFO("host " << host << " has " << share << " of its port for coflows");
    m_memory->runs.SetShare(host, share);
}

void
CentralCoordinator::OnRegister(HostId host, const RegisterCoflowMessage& message)
{
    const auto id = message.id;
    m_memory->daemons.Confirm(host, id);
    if (AnswerIfOver(host, id))
    {
        return;
    }
    if (m_memory->ledger.StateOf(id) == CoflowState::REJECTED)
    {
        SendOutcome({host}, id, Outcome::DROPPED, "not admitted"); // the driver does not know yet
        return;
    }
    CoflowLedger::Registration registration;
    registration.driver = host;
    registration.arrival = message.happened.GetNanoSeconds();
    registration.flows = message.numFlows;
    registration.attributes = message.attributes;
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
            // The outcome may have been lost with the driver's last connection.
            SendOutcome({host}, id, Outcome::BEST_EFFORT, "best effort");
        }
        return;
    }
    for (const auto woken : m_memory->daemons.Wake())
    {
        HeartbeatMessage call;
        call.host = woken;
        SendTo(woken, call);
    }
    if (m_readyTimeout != Time::Max())
    {
        After(m_readyTimeout, &CentralCoordinator::StopWaiting, id);
    }
    if (m_memory->daemons.AnyIsAbsent())
    {
        After(m_rebuildTime, &CentralCoordinator::StopWaitingForAbsent, id);
    }
    if (m_memory->ledger.IsComplete(id))
    {
        m_memory->runs.Propose(id, message.happened);
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
        // The driver knows that the coflow is refused, so the hosts may drop its flows now. If the
        // hosts dropped flows earlier, and the outcome did not reach the driver, the application
        // would wait for ever.
        auto hosts = ledger.HostsOf(message.id, CoflowLedger::FlowsOf::UNDONE);
        hosts.erase(driver);
        ledger.Conclude(message.id);
        SendOutcome(hosts, message.id, Outcome::DROPPED, "not admitted");
    }
}

void
CentralCoordinator::OnRejected(HostId, const RejectedCoflowMessage& message)
{
    if (message.outcome == Outcome::RELEASED)
    {
        Release(message.id);
    }
}

bool
CentralCoordinator::AcceptsFlows(HostId host, CoflowId coflow)
{
    if (AnswerIfOver(host, coflow))
    {
        return false;
    }
    if (m_memory->ledger.LifeOf(coflow) == LifeState::UNKNOWN)
    {
        // The daemon of the coflow's driver may connect later, or never.
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
        m_memory->daemons.NoteOver(host, coflow);
        return true;
    }
    SendOutcome({host},
                coflow,
                state == CoflowState::RELEASED ? Outcome::RELEASED : Outcome::DROPPED,
                "over");
    return true;
}

template <class Message, class Take>
void
CentralCoordinator::TakeRecords(HostId host, const Message& message, Take take)
{
    std::set<CoflowId> touched;
    std::vector<FlowKey> complete;
    std::map<CoflowId, bool> accepted;
    for (const auto& record : message.records)
    {
        const auto id = record.key.coflowId;
        const auto [known, isFirst] = accepted.try_emplace(id, true);
        known->second = isFirst ? AcceptsFlows(host, id) : known->second;
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
        const auto& [coflow, flow] = put.key;
        return m_memory->ledger.Put(coflow, flow, host, put.bytes, put.again, put.done);
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
            m_memory->runs.Request(
                event); // the coflow has an additional flow, or a flow was put again
        }
    }
    for (const auto& [host, answer] : answers)
    {
        SendTo(host, answer);
    }
    for (const auto coflow : touched)
    {
        if (ledger.IsComplete(coflow))
        {
            m_memory->runs.Propose(coflow, event);
        }
    }
}

void
CentralCoordinator::OnFlowProgress(HostId, const FlowProgressMessage& message)
{
    auto& ledger = m_memory->ledger;
    std::set<CoflowId> finished;
    for (const auto& progress : message.records)
    {
        const auto& key = progress.key;
        ledger.Progress(key.coflowId,
                        key.flowId,
                        static_cast<::coflow::Bytes>(progress.bytesSince),
                        progress.done);
        if (progress.done)
        {
            finished.insert(key.coflowId);
            if (const auto flow = ledger.Describe(key.coflowId, key.flowId))
            {
                m_memory->rates.FlowDone(flow->src, key);
            }
        }
    }
    if (!finished.empty())
    {
        m_memory->runs.FlowsDone(finished, message.happened);
    }
}

bool
CentralCoordinator::Admit(CoflowId coflow)
{
    auto& memory = *m_memory;
    const bool toSend = memory.ledger.MakeReady(coflow, Simulator::Now().GetNanoSeconds());
    if (!toSend)
    {
        return false;
    }
    const auto admission = memory.runs.Ask(coflow);
    const auto driver = memory.ledger.RegistrationOf(coflow).driver;
    if (admission.retry != ::coflow::NEVER)
    {
        memory.ledger.Reject(coflow, false);
        After(NanoSeconds(admission.retry) - Simulator::Now(),
              &CentralCoordinator::StopWaiting,
              coflow);
    }
    else if (!admission.served)
    {
        memory.ledger.Reject(coflow, true);
        // Hosts drop their flows after the driver has unregistered the coflow, see OnUnregister().
        SendOutcome({driver}, coflow, Outcome::DROPPED, "not admitted");
    }
    else if (!admission.admitted)
    {
        memory.bestEffort.insert(coflow);
        auto hosts = memory.ledger.HostsOf(coflow, CoflowLedger::FlowsOf::UNDONE);
        hosts.insert(driver);
        SendOutcome(hosts, coflow, Outcome::BEST_EFFORT, "best effort");
    }
    return admission.served;
}

void
CentralCoordinator::After(Time delay,
                          void (CentralCoordinator::*function)(CoflowId),
                          CoflowId coflow)
{
    m_memory->timers.Schedule(delay, function, this, coflow);
}

void
CentralCoordinator::StopWaiting(CoflowId coflow)
{
    if (m_memory->ledger.LifeOf(coflow) == LifeState::WAITING)
    {
        m_memory->runs.Propose(coflow, Simulator::Now());
    }
}

void
CentralCoordinator::StopWaitingForAbsent(CoflowId coflow)
{
    if (!m_memory->daemons.AnyIsAbsent() || !m_memory->ledger.LacksFlows(coflow))
    {
        return;
    }
    StopWaiting(coflow);
    After(m_daemonTimeout, &CentralCoordinator::ReleaseIfLacking, coflow);
}

void
CentralCoordinator::ReleaseIfLacking(CoflowId coflow)
{
    const bool lacking = m_memory->ledger.LacksFlows(coflow) && m_memory->daemons.AnyIsAbsent();
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
        return; // its hosts know the outcome, and may have dropped its flows
    }
    auto hosts = ledger.HostsOf(coflow, CoflowLedger::FlowsOf::ALL);
    if (ledger.StateOf(coflow))
    {
        hosts.insert(ledger.RegistrationOf(coflow).driver);
    }
    m_memory->bestEffort.erase(coflow);
    ledger.Release(coflow);
    SendOutcome(hosts, coflow, Outcome::RELEASED, "released");
    m_memory->runs.Request(Simulator::Now());
}

void
CentralCoordinator::Close(CoflowId coflow, Time event)
{
    auto& ledger = m_memory->ledger;
    if (!ledger.StateOf(coflow) || !ledger.Close(coflow))
    {
        return;
    }
    m_memory->runs.Request(event);
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
    const auto endpoints = ledger.HostsOf(coflow, CoflowLedger::FlowsOf::UNDONE);
    for (const auto host : ledger.HostsOf(coflow, CoflowLedger::FlowsOf::ALL))
    {
        m_memory->daemons.NoteOver(host, coflow);
    }
    m_memory->bestEffort.erase(coflow);
    ledger.Conclude(coflow);
    SendOutcome(endpoints, coflow, Outcome::DROPPED, "unregistered");
}

void
CentralCoordinator::SendOutcome(const std::set<HostId>& hosts,
                                CoflowId coflow,
                                Outcome outcome,
                                const std::string& reason)
{
    RejectedCoflowMessage message;
    message.id = coflow;
    message.outcome = outcome;
    message.reason = reason;
    for (const auto host : hosts)
    {
        NS_LOG_INFO("host " << host << " gets: " << message);
        SendTo(host, message);
    }
}

void
CentralCoordinator::NoteState(CoflowId coflow, CoflowState state)
{
    NS_LOG_INFO("coflow " << coflow << " is " << ToString(state));
    if (state == CoflowState::WAITING || state == CoflowState::READY ||
        state == CoflowState::RUNNING)
    {
        m_memory->open.insert(coflow);
    }
    else
    {
        m_memory->open.erase(coflow);
    }
    m_stateTrace(coflow, state);
}

std::function<void()>
CentralCoordinator::PrepareSchedule(const PolicyRuns::Run& run)
{
    CountRun();
    const auto& table = m_memory->ledger.Table();
    const bool ordered = m_classes > 0;
    auto places = ordered ? MakePlaceMaps(table, m_memory->ledger.Order(), m_classes) : PlaceMaps();
    auto rates = ordered ? RateMaps() : MakeRateMaps(table, m_paths.get());
    NS_LOG_LOGIC("run " << GetRuns() << ": " << table.Rows().size() << " coflows, " << rates.size()
                        << " hosts");
    return [this, run, ordered, places = std::move(places), rates = std::move(rates)]() mutable {
        auto& memory = *m_memory;
        m_scheduleTrace(GetLastSchedule(), run.event, run.begun);
        ordered ? memory.orders.Dispatch(std::move(places))
                : memory.rates.Dispatch(std::move(rates));
    };
}

} // namespace ns3::coflow
