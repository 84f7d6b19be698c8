/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The attributes and trace sources of CentralDaemon.

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-control-parameters.h"

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

NS_OBJECT_ENSURE_REGISTERED(CentralDaemon);

TypeId
CentralDaemon::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CentralDaemon")
            .SetParent<HostAgent>()
            .SetGroupName("Coflow")
            .AddConstructor<CentralDaemon>()
            .AddAttribute("ControlBatch",
                          ::coflow::ControlBatchSpec().help,
                          TimeValue(Seconds(::coflow::ControlBatchSpec().defaultValue)),
                          MakeTimeAccessor(&CentralDaemon::m_batchInterval),
                          Declared(MakeTimeChecker(Time()), ::coflow::ControlBatchSpec()))
            .AddAttribute(
                "Heartbeat",
                "Time between two heartbeats",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&CentralDaemon::m_heartbeat),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute("ReportProgress",
                          "Tell with every heartbeat how far flows are; otherwise only when they "
                          "are done",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CentralDaemon::m_reportProgress),
                          MakeBooleanChecker())
            .AddAttribute(
                "MasterTimeout",
                "A coordinator that is silent for so long is dead: flows are sent "
                "without a limit. Longer than Heartbeat, which it answers",
                TimeValue(Seconds(3)),
                MakeTimeAccessor(&CentralDaemon::m_masterTimeout),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddTraceSource("ScheduleApplied",
                            "The rates of a schedule are in force on this host",
                            MakeTraceSourceAccessor(&CentralDaemon::m_scheduleAppliedTrace),
                            "ns3::coflow::CentralDaemon::ScheduleAppliedCallback");
    return tid;
}

} // namespace ns3::coflow
