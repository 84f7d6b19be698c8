/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The attributes and trace sources of CentralDaemon.

#include "ns3/boolean.h"
#include "ns3/coflow-central-daemon.h"

namespace ns3::coflow
{

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
                          "How long puts, gets and progress are held back to be told together; "
                          "the first after a flush starts the timer",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&CentralDaemon::m_batchInterval),
                          MakeTimeChecker(Time()))
            .AddAttribute("Heartbeat",
                          "Time between two heartbeats",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&CentralDaemon::m_heartbeat),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("ReportProgress",
                          "Tell with every heartbeat how far flows are; otherwise only when they "
                          "are done",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CentralDaemon::m_reportProgress),
                          MakeBooleanChecker())
            .AddAttribute("MasterTimeout",
                          "A coordinator that is silent for so long is dead: flows are sent "
                          "without a limit. Longer than Heartbeat, which it answers",
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&CentralDaemon::m_masterTimeout),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddTraceSource("ScheduleApplied",
                            "The rates of a schedule are in force on this host",
                            MakeTraceSourceAccessor(&CentralDaemon::m_scheduleAppliedTrace),
                            "ns3::coflow::CentralDaemon::ScheduleAppliedCallback");
    return tid;
}

} // namespace ns3::coflow
