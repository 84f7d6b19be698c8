/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-task-queue-disc.h"

#include "ns3/coflow-baraat-rule.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowTaskQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(TaskQueueDisc);

TypeId
TaskQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::TaskQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddAttribute("MaxSize",
                          "Most packets or bytes of data that may wait; by default at least four "
                          "times rate x round trip of the network",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&TaskQueueDisc::m_maxSize),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "MarkingThreshold",
                "Mark ECN-capable packets on arrival where, with them, more packets or "
                "bytes than this wait that are not served after them; by default at least "
                "rate x round trip of the network; 0B: never",
                QueueSizeValue(QueueSize("30000B")),
                MakeQueueSizeAccessor(&TaskQueueDisc::m_markingThreshold),
                MakeQueueSizeChecker())
            .AddAttribute("HeavyBytes",
                          GetHeavyBytesHelp(),
                          SpecAttribute::GetBytes(::coflow::BaraatRule::HeavyBytes()),
                          MakeUintegerAccessor(&TaskQueueDisc::m_heavyBytes),
                          SpecAttribute::MakeBytesChecker(::coflow::BaraatRule::HeavyBytes()));
    return tid;
}

std::string
TaskQueueDisc::GetHeavyBytesHelp()
{
    return SpecAttribute::GetHelp(::coflow::BaraatRule::HeavyBytes(),
                                  "counted as IPv4 packets, headers included");
}

FifoLimits
TaskQueueDisc::GetLimits() const
{
    return {m_maxSize, m_markingThreshold};
}

} // namespace ns3::coflow
