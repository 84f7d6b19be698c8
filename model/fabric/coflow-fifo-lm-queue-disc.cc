/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm-queue-disc.h"

#include "ns3/coflow-fifo-lm-queue.h"
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
            .AddAttribute("MaxBytes",
                          "Most bytes that may wait",
                          UintegerValue(256 * 1024),
                          MakeUintegerAccessor(&FifoLmQueueDisc::m_maxBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HeavyBytes",
                          "A task that has sent as many bytes by a port is heavy there; to be the "
                          "80th percentile of the sizes of tasks",
                          UintegerValue(10'000'000),
                          MakeUintegerAccessor(&FifoLmQueueDisc::m_heavyBytes),
                          MakeUintegerChecker<uint64_t>());
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
    return std::make_unique<FifoLmQueue>(m_maxBytes, m_heavyBytes);
}

} // namespace ns3::coflow
