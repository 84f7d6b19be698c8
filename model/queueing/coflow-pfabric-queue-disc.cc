/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue-disc.h"

#include "ns3/coflow-pfabric-queue.h"
#include "ns3/log.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowPfabricQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(PfabricQueueDisc);

TypeId
PfabricQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::PfabricQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<PfabricQueueDisc>()
            .AddAttribute("MaxSize",
                          "Most packets or bytes that may wait; the default is twice the product "
                          "of bandwidth and delay in the paper, at 10 Gbps and 12 us",
                          QueueSizeValue(QueueSize("36000B")),
                          MakeQueueSizeAccessor(&PfabricQueueDisc::m_maxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "Mark ECN-capable packets on arrival where, with them, more packets or "
                          "bytes than this wait that leave no later; 0B: never",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&PfabricQueueDisc::m_markingThreshold),
                          MakeQueueSizeChecker());
    return tid;
}

PfabricQueueDisc::PfabricQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

PfabricQueueDisc::~PfabricQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

std::unique_ptr<PortDiscipline>
PfabricQueueDisc::CreateDiscipline() const
{
    return std::make_unique<PfabricQueue>(FifoLimits(m_maxSize, m_markingThreshold));
}

} // namespace ns3::coflow
