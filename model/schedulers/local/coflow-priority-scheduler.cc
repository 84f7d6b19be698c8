/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-priority-scheduler.h"

#include "ns3/coflow-packet-classifier.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowPriorityScheduler");

NS_OBJECT_ENSURE_REGISTERED(PriorityScheduler);

TypeId
PriorityScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::PriorityScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Coflow")
            .AddAttribute(
                "Bands",
                "Number of classes of service in the network, 1 to 8; 0: unlimited priorities",
                UintegerValue(0),
                MakeUintegerAccessor(&PriorityScheduler::m_bands),
                MakeUintegerChecker<uint32_t>(0, PacketPriority::BANDS));
    return tid;
}

std::string
PriorityScheduler::GetQueueDisc() const
{
    // TCP needs ECN marks; the transport of pFabric does not. TCP also needs space for the windows
    // of flows that starve. Delayed packets of such a flow leave when the path is free, and their
    // acknowledgements restart the flow. Without delayed packets, the flow would wait for an RTO
    // that has doubled many times.
    return m_bands == 0 ? "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=30000B]"
                        : "ns3::coflow::StrictPriorityQueueDisc[BandSize=4MiB]";
}

void
PriorityAgent::Put(const CoflowHandle&, CoflowSource::FlowRequest flow)
{
    if (NotePut({flow.coflowId, flow.flowId}))
    {
        flow.rateLimit = RateLimit::Unlimited();
        Prioritise(flow);
        NS_LOG_INFO("host " << GetHost() << ": flow " << flow.flowId << " of coflow "
                            << flow.coflowId << " starts");
        GetSource().StartFlow(flow);
    }
}

void
PriorityAgent::StartApplication()
{
    if (const auto classifier = GetNode()->GetObject<PacketClassifier>())
    {
        classifier->SetAcknowledgementPriority({0, 0});
    }
}

} // namespace ns3::coflow
