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
                          "Largest queue of data, in packets or bytes; the default is raised to "
                          "four times rate x round trip of the network",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&TaskQueueDisc::m_maxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "An arriving ECN-capable packet is marked if, with it, more packets or "
                          "bytes than this are served no later than it; the default is raised to "
                          "rate x round trip of the network. 0B: no marks",
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
