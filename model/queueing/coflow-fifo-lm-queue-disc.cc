/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm-queue-disc.h"

#include "ns3/enum.h"
#include "ns3/log.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFifoLmQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(FifoLmQueueDisc);

TypeId
FifoLmQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FifoLmQueueDisc")
            .SetParent<TaskQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<FifoLmQueueDisc>()
            .AddAttribute("ClassSharing",
                          SHARING_HELP,
                          EnumValue(FifoLm::DEFAULT_SHARING),
                          MakeEnumAccessor<FifoLm::Sharing>(&FifoLmQueueDisc::m_sharing),
                          MakeSharingChecker());
    return tid;
}

Ptr<const AttributeChecker>
FifoLmQueueDisc::MakeSharingChecker()
{
    return MakeEnumChecker(FifoLm::FAIR_QUEUEING, "fair-queueing", FifoLm::ARRIVAL, "arrival");
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
    return std::make_unique<FifoLm>(GetLimits(), GetHeavyBytes(), m_sharing);
}

} // namespace ns3::coflow
