/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm-queue-disc.h"

#include "ns3/coflow-fifo-lm.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFifoLmQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(FifoLmQueueDisc);

TypeId
FifoLmQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FifoLmQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<FifoLmQueueDisc>()
            .AddAttribute("MaxSize",
                          "Most packets or bytes that may wait",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&FifoLmQueueDisc::m_maxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "Mark ECN-capable packets on arrival where, with them, more packets or "
                          "bytes than this wait in their class and before it; 0B: never",
                          QueueSizeValue(QueueSize("30000B")),
                          MakeQueueSizeAccessor(&FifoLmQueueDisc::m_markingThreshold),
                          MakeQueueSizeChecker())
            .AddAttribute("HeavyBytes",
                          "Bytes of a task, counted as IPv4 packets sent by a port, that make it "
                          "heavy there; the default is the 80th percentile of the sizes of the "
                          "tasks of the Facebook trace",
                          UintegerValue(837'000'000),
                          MakeUintegerAccessor(&FifoLmQueueDisc::m_heavyBytes),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

FifoLmQueueDisc::FifoLmQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

FifoLmQueueDisc::~FifoLmQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

std::unique_ptr<PortDiscipline>
FifoLmQueueDisc::CreateDiscipline() const
{
    return std::make_unique<FifoLm>(FifoLimits(m_maxSize, m_markingThreshold), m_heavyBytes);
}

} // namespace ns3::coflow
