/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-explicit-rate-queue-disc.h"

#include "ns3/coflow-explicit-rate.h"
#include "ns3/double.h"
#include "ns3/log.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowExplicitRateQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(ExplicitRateQueueDisc);

TypeId
ExplicitRateQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ExplicitRateQueueDisc")
            .SetParent<TaskQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<ExplicitRateQueueDisc>()
            .AddAttribute("Utilisation",
                          "Share of the wire's rate that is handed out, as rates of application "
                          "bytes; the rest is headers, acknowledgements, requests and answers",
                          DoubleValue(0.92),
                          MakeDoubleAccessor(&ExplicitRateQueueDisc::m_utilisation),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("EntryTimeout",
                          "Flows that have not asked for so long are forgotten; more than the time "
                          "between the requests of a paused flow, eight round trips",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&ExplicitRateQueueDisc::m_entryTimeout),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

ExplicitRateQueueDisc::ExplicitRateQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

ExplicitRateQueueDisc::~ExplicitRateQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

std::unique_ptr<PortDiscipline>
ExplicitRateQueueDisc::CreateDiscipline() const
{
    return std::make_unique<ExplicitRate>(GetLimits(),
                                          GetHeavyBytes(),
                                          m_utilisation,
                                          m_entryTimeout);
}

} // namespace ns3::coflow
