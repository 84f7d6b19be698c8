/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-time-jumper.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::coflow
{

using ::coflow::InputError;

NS_LOG_COMPONENT_DEFINE("CoflowTimeJumper");

NS_OBJECT_ENSURE_REGISTERED(TimeJumper);

TypeId
TimeJumper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::TimeJumper")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<TimeJumper>()
            .AddAttribute(
                "Jump",
                "Whether to jump over time in which every flow that sends has a rate and "
                "keeps to it. Only under schedulers that give rates, with bypassBytes=0 where "
                "coflows would bypass (see doc/jumps.md)",
                BooleanValue(false),
                MakeBooleanAccessor(&TimeJumper::m_isOn),
                MakeBooleanChecker())
            .AddAttribute("LookInterval",
                          "Where time is jumped over: simulated time between two looks whether it "
                          "can be",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&TimeJumper::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SettleTime",
                          "Time that is simulated packet by packet, without jumps, after a rate or "
                          "a link has changed or a flow has not kept up with its rate. Marks have "
                          "narrowed windows by then, so that the simulator can see whether flows "
                          "keep up. At least eight of the longest base round trips",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TimeJumper::m_settle),
                          MakeTimeChecker(Time()))
            .AddAttribute("ShortestJump",
                          "Where time is jumped over: less is simulated packet by packet",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&TimeJumper::m_shortest),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FewestSegments",
                          "Where time is jumped over: while a flow of fewer segments may send, all "
                          "is simulated packet by packet. A jump may have a flow end up to the "
                          "time of a segment, at the flow's rate, earlier or later (see "
                          "doc/jumps.md)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&TimeJumper::m_fewest),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BareSegments",
                          "Where time is jumped over: whether flows that were seen to send evenly, "
                          "and whose segments are acknowledged one by one, send segments that "
                          "TCP's ends need not see. The network carries them as any other (see "
                          "doc/jumps.md)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TimeJumper::m_bareSegments),
                          MakeBooleanChecker());
    return tid;
}

TimeJumper::TimeJumper()
{
}

TimeJumper::~TimeJumper()
{
}

void
TimeJumper::Install(Ptr<Fabric> fabric, Ptr<const TransportProfile> profile)
{
    auto* simulator = WheelSimulatorImpl::Get();
    if (!simulator)
    {
        throw InputError("option --jump: time cannot be jumped over, as the program has chosen a "
                         "simulator of its own; allowed: no SimulatorImplementationType");
    }
    m_channel = DynamicCast<FabricChannel>(fabric->GetHostDevice(0)->GetChannel());
    if (!m_channel)
    {
        throw InputError("option --jump: on the fabric nodes time cannot be jumped over; allowed: "
                         "--fabric=express");
    }
    if (!fabric->GetHosts().Get(0)->GetObject<LeanHost>())
    {
        throw InputError("option --jump: time can be jumped over on lean connections only; "
                         "allowed: --hostStack=auto, with another --congestionOps if need be");
    }
    const auto topology = fabric->GetTopology();
    if (topology->IsSprayingPackets())
    {
        throw InputError("option --jump: time cannot be jumped over where the packets of a flow "
                         "take different paths; allowed: no --packetSpraying");
    }
    if (topology->GetFlowletTimeout().IsStrictlyPositive())
    {
        throw InputError("option --jump: time cannot be jumped over where the flowlets of a flow "
                         "take different paths; allowed: --flowletTimeout=0s");
    }
    m_fabric = fabric;
    m_profile = profile;
    m_segment = profile->GetSegmentSize();
    // While windows grow, a flow may keep up with its rate for the length of a look and no longer.
    const auto roundTrip = fabric->GetLongestRoundTrip(
        m_segment + TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES,
        TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES);
    m_settle = std::max(m_settle, 8 * roundTrip);
    const auto connections = profile->GetLeanSettings(fabric->GetHosts().Get(0));
    m_answered = connections->delayedAckCount;
    m_slowestAnswer = static_cast<double>(connections->delayedAckTimeout.GetTimeStep());
    m_bareFlows = std::make_unique<BareFlows>(*m_channel, *connections, [this](EvenFlow& flow) {
        return !MeetsUnlimited(flow);
    });
    // Random losses are TCP's. Ports with disciplines may give a flow's segments another order.
    m_bareSegments =
        m_bareSegments && m_channel->GetPorts().AreFirstInFirstOut() && !connections->lossVariable;
    m_loads.resize(topology->GetNPorts());
    m_unlimited.resize(topology->GetNPorts());
    topology->TraceConnectWithoutContext("PortChange", MakeCallback(&TimeJumper::FollowPort, this));
    m_channel->GetPorts().SetDebtor([this] { SettleAll(); });
    simulator->AllowSkips();
}

void
TimeJumper::Watch(::coflow::HostId host,
                  const Ptr<CoflowSource>& source,
                  const Ptr<CoflowSink>& sink)
{
    if (!source->SpreadsRates())
    {
        throw InputError("option --jump: flows that write in step keep up with their rates only "
                         "now and then, which a jump takes for always; allowed: "
                         "--ratePhase=spread");
    }
    m_hosts[source->GetNode()->GetId()] = host;
    source->SetWatcher(*this);
    sink->SetWatcher(*this);
}

void
TimeJumper::DoDispose()
{
    m_look.Cancel();
    if (m_fabric)
    {
        m_fabric->GetTopology()->TraceDisconnectWithoutContext(
            "PortChange",
            MakeCallback(&TimeJumper::FollowPort, this));
        m_channel->GetPorts().SetDebtor(nullptr);
    }
    m_sending.clear();
    m_stopping.clear();
    m_ends.Clear();
    for (auto& [key, flow] : m_flows)
    {
        m_bareFlows->Forget(*flow);
    }
    m_flows.clear();
    m_bareFlows = nullptr;
    m_channel = nullptr;
    m_fabric = nullptr;
    m_profile = nullptr;
    Object::DoDispose();
}

void
TimeJumper::NoteChange()
{
    m_lastChange = GetNetworkTimeStep();
    m_noted = false;
    m_checked = false;
    m_verified = false;
    Wake();
}

void
TimeJumper::Wake()
{
    if (m_lookComes)
    {
        return;
    }
    m_lookComes = true;
    int64_t wait = m_interval.GetTimeStep();
    if (m_asleepSince >= 0)
    {
        // When a look would have come, had all of them.
        const int64_t slept = GetNetworkTimeStep() - std::exchange(m_asleepSince, -1);
        wait -= slept % wait;
    }
    m_look.Schedule(Simulator::NO_CONTEXT, TimeStep(static_cast<uint64_t>(wait)), [this] {
        Look();
    });
}

bool
TimeJumper::Lasts(Reason reason) const
{
    return reason == UNLIMITED || reason == SHORT || reason == OVERLOADED;
}

void
TimeJumper::Look()
{
    m_lookComes = false;
    CloseAccount();
    if (m_sending.empty() && m_stopping.empty())
    {
        m_lastReason = JUMPED;
        return; // the next flow has it look again
    }
    const Reason reason = TryToJump();
    m_lastReason = reason;
    ++m_accounts[reason].looks;
    if (reason == JUMPED)
    {
        NS_LOG_INFO("has jumped over time");
    }
    if (reason != JUMPED && m_behind && IsEndNear())
    {
        CreditAll(); // the network goes on, and a flow may come to its last bytes
    }
    if (Lasts(reason))
    {
        m_asleepSince = GetNetworkTimeStep();
        return;
    }
    if (reason == JUMPED || WheelSimulatorImpl::Get()->GetNextWorldEvent() == 0)
    {
        // What the jump ended at may have changed nothing: looks again as soon as that has run.
        m_lookComes = true;
        Simulator::ScheduleNow(&TimeJumper::Look, this);
        return;
    }
    Wake();
}

void
TimeJumper::CloseAccount()
{
    const int64_t now = GetNetworkTimeStep();
    const auto* simulator = WheelSimulatorImpl::Get();
    const uint64_t events = simulator->GetEventCount() - simulator->GetForeignEventCount();
    m_accounts[m_lastReason].steps += now - m_lastLook;
    m_accounts[m_lastReason].events += events - m_eventsAtLastLook;
    m_lastLook = now;
    m_eventsAtLastLook = events;
}

JumpTotals
TimeJumper::GetTotals()
{
    SettleAll();
    CloseAccount();
    JumpTotals totals;
    totals.jumps = m_jumps;
    totals.skippedSeconds =
        TimeStep(static_cast<uint64_t>(WheelSimulatorImpl::Get()->GetSkipped())).GetSeconds();
    totals.skippedBytes = m_skippedBytes;
    totals.skippedPacketHops = m_skippedHops;
    const uint64_t all = m_fabric->GetPacketHops();
    totals.skippedPercent =
        all > 0 ? 100 * static_cast<double>(m_skippedHops) / static_cast<double>(all) : 0;
    totals.endsByRule = m_endsByRule;
    totals.largestLoad = m_largestLoad;
    totals.bareSegments = m_bareFlows->GetNSent();
    totals.bareSegmentsLost = m_bareFlows->GetNLost();
    constexpr const char* NAMES[N_REASONS] = {"",
                                              "message_under_way",
                                              "rate_has_changed",
                                              "flow_opens",
                                              "flow_stops",
                                              "flow_without_rate",
                                              "flow_is_short",
                                              "flow_ends",
                                              "flow_falls_behind",
                                              "flow_behind_its_rate",
                                              "flow_recovers",
                                              "port_overloaded",
                                              "event_is_near"};
    for (uint32_t reason = HELD; reason < N_REASONS; ++reason)
    {
        const Account& account = m_accounts[reason];
        totals.simulated.push_back({NAMES[reason],
                                    account.looks,
                                    TimeStep(static_cast<uint64_t>(account.steps)).GetSeconds(),
                                    account.events});
    }
    return totals;
}

} // namespace ns3::coflow
