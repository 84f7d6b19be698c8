/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat-scheduler.h"

#include "ns3/coflow-named-type.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

namespace
{

class BaraatAgent : public PriorityAgent
{
  public:
    void Prioritise(CoflowSource::FlowRequest& flow) override
    {
        if (flow.arrivalNumber > 0)
        {
            flow.priority = {flow.arrivalNumber, PacketPriority::NO_BAND};
        }
    }
};

} // namespace

COFLOW_REGISTER(BaraatScheduler,
                "FIFO with limited multiplexing: tasks by arrival, heavy ones share with the next");

TypeId
BaraatScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::BaraatScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<BaraatScheduler>()
            .AddAttribute("HeavyBytes",
                          "Bytes of a task, counted as IPv4 packets sent by a port, that make it "
                          "heavy there; the default is the 80th percentile of the sizes of the "
                          "tasks of the Facebook trace",
                          UintegerValue(837'000'000),
                          MakeUintegerAccessor(&BaraatScheduler::m_heavyBytes),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

std::string
BaraatScheduler::GetQueueDisc() const
{
    // Room as with PriorityScheduler::GetQueueDisc().
    return "ns3::coflow::FifoLmQueueDisc[MaxSize=4MiB|HeavyBytes=" + std::to_string(m_heavyBytes) +
           "]";
}

Ptr<HostAgent> BaraatScheduler::CreateAgent(::coflow::HostId)
{
    return CreateObject<BaraatAgent>();
}

} // namespace ns3::coflow
