/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue-disc.h"

#include "ns3/coflow-pfabric-queue.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowPFabricQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(PFabricQueueDisc);

TypeId
PFabricQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::PFabricQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<PFabricQueueDisc>()
            .AddAttribute("MaxBytes",
                          "Most bytes that may wait; pFabric has twice the product of bandwidth "
                          "and delay, 24 full packets at 10 Gbps and 12 us",
                          UintegerValue(36000),
                          MakeUintegerAccessor(&PFabricQueueDisc::m_maxBytes),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

PFabricQueueDisc::PFabricQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

PFabricQueueDisc::~PFabricQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

std::unique_ptr<PortDiscipline>
PFabricQueueDisc::CreateDiscipline() const
{
    return std::make_unique<PFabricQueue>(m_maxBytes);
}

} // namespace ns3::coflow
