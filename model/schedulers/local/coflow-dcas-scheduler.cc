/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-named-type.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

COFLOW_REGISTER(DcasScheduler, "senders and receivers negotiate priorities by remaining time");

TypeId
DcasScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::DcasScheduler")
            .SetParent<PriorityScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<DcasScheduler>()
            .AddAttribute(
                "Delta",
                "Period of the rounds of negotiation, which begin at its multiples",
                TimeValue(MilliSeconds(100)),
                MakeTimeAccessor(&DcasScheduler::m_delta),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "T",
                "A subcoflow without service for so long goes before those that have agreed",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&DcasScheduler::m_patience),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "Expiry",
                "How long a receiver remembers an announcement",
                TimeValue(Seconds(2)),
                MakeTimeAccessor(&DcasScheduler::m_expiry),
                Declared(MakeTimeChecker(NanoSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute(
                "MinWait",
                "Shortest time for which a sender waits for feedback; it waits three "
                "round trips of messages if that is longer",
                TimeValue(MicroSeconds(500)),
                MakeTimeAccessor(&DcasScheduler::m_minWait),
                Declared(MakeTimeChecker(NanoSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute("FeedbackDelay",
                          "Time between an announcement and the answer, in which announcements of "
                          "the same round arrive; with 0s the first of them are answered without "
                          "the others",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DcasScheduler::m_feedbackDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Threshold",
                "Subcoflows with fewer bytes left go by arrival of their coflow, before others",
                UintegerValue(1'000'000),
                MakeUintegerAccessor(&DcasScheduler::m_threshold),
                Declared(MakeUintegerChecker<uint64_t>(), Unit::BYTES, Scaling::WORKLOAD))
            .AddAttribute("FinAnnouncements",
                          "Whether a sender tells a receiver when no flow to it is left; otherwise "
                          "its last announcement counts until it expires",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasScheduler::m_finAnnouncements),
                          MakeBooleanChecker())
            .AddAttribute("UrgentMessages",
                          "Whether messages go before all data in the network; otherwise behind, "
                          "as best effort",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasScheduler::m_urgentMessages),
                          MakeBooleanChecker())
            .AddAttribute(
                "LossRate",
                "Probability that a message is lost where it arrives, besides what queues drop",
                DoubleValue(0),
                MakeDoubleAccessor(&DcasScheduler::m_lossRate),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Port",
                          "UDP port of the agents",
                          UintegerValue(6001),
                          MakeUintegerAccessor(&DcasScheduler::m_port),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

DcasScheduler::DcasScheduler()
{
}

DcasScheduler::~DcasScheduler()
{
}

void
DcasScheduler::DoDispose()
{
    m_agents.clear();
    m_topology = nullptr;
    PriorityScheduler::DoDispose();
}

void
DcasScheduler::SetRules(const DcasRules& rules)
{
    m_rules = rules;
}

void
DcasScheduler::Prepare(const Cluster& cluster)
{
    m_topology = cluster.fabric->GetTopology();
}

Ptr<HostAgent>
DcasScheduler::CreateAgent(::coflow::HostId host)
{
    DcasParameters parameters{m_delta,
                              m_patience,
                              m_expiry,
                              m_minWait,
                              m_feedbackDelay,
                              m_threshold,
                              m_finAnnouncements,
                              m_urgentMessages,
                              m_lossRate,
                              m_port,
                              GetBands(),
                              m_topology->GetPort(Topology::GetUplink(host)).rate,
                              m_rules};
    m_agents.push_back(CreateObject<DcasAgent>(parameters));
    return m_agents.back();
}

Scheduler::ControlTotals
DcasScheduler::GetControlTotals() const
{
    return SumSent(m_agents);
}

} // namespace ns3::coflow
