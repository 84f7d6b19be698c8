/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-queue-disc.h"

#include "ns3/coflow-named-type.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFifoQueueDisc");
COFLOW_REGISTER(FifoQueueDisc,
                "first in, first out: drops arriving packets if full, marks above a threshold");

TypeId
FifoQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FifoQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<FifoQueueDisc>()
            .AddAttribute("MaxSize",
                          "Largest queue, in packets or bytes; the default is raised to four times "
                          "rate x round trip of the network",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "An arriving ECN-capable packet is marked if, with it, more packets or "
                          "bytes than this wait; the default is raised to rate x round trip of the "
                          "network. 0B: no marks",
                          QueueSizeValue(QueueSize("30000B")),
                          MakeQueueSizeAccessor(&FifoQueueDisc::m_markingThreshold),
                          MakeQueueSizeChecker());
    return tid;
}

FifoQueueDisc::FifoQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE)
{
    NS_LOG_FUNCTION(this);
}

FifoLimits
FifoQueueDisc::GetLimits() const
{
    return {GetMaxSize(), m_markingThreshold};
}

bool
FifoQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const uint32_t packets = GetNPackets();
    const uint32_t bytes = GetNBytes();
    const uint32_t size = item->GetSize();
    if (!m_limits->Admits(packets, bytes, size))
    {
        NS_LOG_LOGIC("no room for " << item);
        DropBeforeEnqueue(item, FULL_DROP);
        return false;
    }
    if (m_limits->Marks(packets, bytes, size))
    {
        Mark(item, THRESHOLD_MARK);
    }
    return GetInternalQueue(0)->Enqueue(item);
}

Ptr<QueueDiscItem>
FifoQueueDisc::DoDequeue()
{
    return GetInternalQueue(0)->Dequeue();
}

Ptr<const QueueDiscItem>
FifoQueueDisc::DoPeek()
{
    return GetInternalQueue(0)->Peek();
}

bool
FifoQueueDisc::CheckConfig()
{
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0)
    {
        NS_LOG_ERROR("a FIFO has neither classes nor filters");
        return false;
    }
    if (GetNInternalQueues() == 0)
    {
        AddInternalQueue(
            CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                     QueueSizeValue(GetMaxSize())));
    }
    return GetNInternalQueues() == 1;
}

void
FifoQueueDisc::InitializeParams()
{
    m_limits = GetLimits();
}

} // namespace ns3::coflow
