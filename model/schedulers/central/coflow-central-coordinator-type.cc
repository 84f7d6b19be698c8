/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The attributes and trace sources of CentralCoordinator.

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-central-coordinator.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

using ::coflow::CoflowLedger;
using ::coflow::PathChoice;

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
                          "Part of a port's rate that is handed out, in application bytes: what "
                          "headers and acknowledgments leave",
                          DoubleValue(0.94),
                          MakeDoubleAccessor(&CentralCoordinator::m_kappa),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("UseMeasuredRem",
                          "Hand out only what measured traffic of coflows that bypass the "
                          "scheduler leaves (Varys, section 5.2)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CentralCoordinator::m_useMeasuredRem),
                          MakeBooleanChecker())
            .AddAttribute(
                "Remaining",
                "What is taken to be left of a flow: integrated (what was last told, "
                "less its rate since), reported (what was last told; wants "
                "ReportProgress), completion-only (its size until it is done)",
                EnumValue(CoflowLedger::Estimate::INTEGRATED),
                MakeEnumAccessor<CoflowLedger::Estimate>(&CentralCoordinator::m_remaining),
                MakeEnumChecker(CoflowLedger::Estimate::INTEGRATED,
                                "integrated",
                                CoflowLedger::Estimate::REPORTED,
                                "reported",
                                CoflowLedger::Estimate::COMPLETION_ONLY,
                                "completion-only"))
            .AddAttribute("OnFlowCompletion",
                          "Compute a schedule when a flow finishes: policy (as the policy wants), "
                          "always, never",
                          EnumValue(OnFlow::POLICY),
                          MakeEnumAccessor<OnFlow>(&CentralCoordinator::m_rescheduleOnFlow),
                          MakeEnumChecker(OnFlow::POLICY,
                                          "policy",
                                          OnFlow::ALWAYS,
                                          "always",
                                          OnFlow::NEVER,
                                          "never"))
            .AddAttribute("Preset",
                          "none, or ec2: ComputeDelay and DispatchDelay as measured by Varys on "
                          "EC2, 17 and 30 ms (section 7.2)",
                          EnumValue(Preset::NONE),
                          MakeEnumAccessor<Preset>(&CentralCoordinator::m_preset),
                          MakeEnumChecker(Preset::NONE, "none", Preset::EC2, "ec2"))
            .AddAttribute("ComputeDelay",
                          "How long a schedule is computed; one is computed at a time",
                          TimeValue(Time()),
                          MakeTimeAccessor(&CentralCoordinator::m_computeDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("DispatchDelay",
                          "Time between the end of a computation and the messages to daemons",
                          TimeValue(Time()),
                          MakeTimeAccessor(&CentralCoordinator::m_dispatchDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("MinFlowRate",
                          "Flows with smaller rates are raised to it, or to an even share of a "
                          "port where that is less, at the cost of others at their ports",
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
                          "A coflow that still waits for flows so long after its registration is "
                          "scheduled with those that are known; default: never",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&CentralCoordinator::m_readyTimeout),
                          Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute("RebuildTime",
                          "The same while the daemon of any host has no connection, and might know "
                          "of more flows; after DaemonTimeout more the coflow is released: what is "
                          "left of it is plain TCP",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&CentralCoordinator::m_rebuildTime),
                          Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute("UnregisterGrace",
                          "How long reports on flows of a coflow that was unregistered may be "
                          "under way; what is not done by then is cancelled. Longer than the "
                          "daemons' ControlBatch",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&CentralCoordinator::m_unregisterGrace),
                          Declared(MakeTimeChecker(Time()), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "DaemonTimeout",
                "A daemon without a heartbeat for so long is dead: its flows leave the "
                "schedule, and coflows that its host has registered are released. Longer than "
                "Heartbeat",
                TimeValue(Seconds(60)),
                MakeTimeAccessor(&CentralCoordinator::m_daemonTimeout),
                Declared(MakeTimeChecker(MilliSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddTraceSource("CoflowState",
                            "A coflow changed its state",
                            MakeTraceSourceAccessor(&CentralCoordinator::m_stateTrace),
                            "ns3::coflow::CentralCoordinator::StateCallback")
            .AddTraceSource("Schedule",
                            "A schedule is being told to daemons",
                            MakeTraceSourceAccessor(&CentralCoordinator::m_scheduleTrace),
                            "ns3::coflow::CentralCoordinator::ScheduleCallback");
    return tid;
}

} // namespace ns3::coflow
