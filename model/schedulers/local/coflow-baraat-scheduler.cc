/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat-scheduler.h"

#include "ns3/coflow-baraat-rate-agent.h"
#include "ns3/coflow-baraat-rule.h"
#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::coflow
{

namespace
{

class BaraatAgent : public PriorityAgent
{
  private:
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
            .AddAttribute("BaraatMode",
                          "priority: ports order packets; explicit-rate: ports hand out rates",
                          EnumValue(PRIORITY),
                          MakeEnumAccessor<Mode>(&BaraatScheduler::m_mode),
                          MakeEnumChecker(PRIORITY, "priority", EXPLICIT_RATE, "explicit-rate"))
            .AddAttribute(
                "HeavyBytes",
                SpecAttribute::GetHelp(::coflow::BaraatRule::HeavyBytes(),
                                       "in application bytes, to which ports add headers"),
                SpecAttribute::GetBytes(::coflow::BaraatRule::HeavyBytes()),
                MakeUintegerAccessor(&BaraatScheduler::m_heavyBytes),
                SpecAttribute::MakeBytesChecker(::coflow::BaraatRule::HeavyBytes()))
            .AddAttribute("ClassSharing",
                          std::string("With BaraatMode=priority. ") + FifoLmQueueDisc::SHARING_HELP,
                          EnumValue(FifoLm::DEFAULT_SHARING),
                          MakeEnumAccessor<FifoLm::Sharing>(&BaraatScheduler::m_classSharing),
                          FifoLmQueueDisc::MakeSharingChecker())
            .AddAttribute("MinPeriod",
                          "With BaraatMode=explicit-rate: shortest usual time between two requests "
                          "of a flow; the time is their round trip if that is longer",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&BaraatScheduler::m_minPeriod),
                          MakeTimeChecker(MicroSeconds(1), Seconds(10)));
    return tid;
}

void
BaraatScheduler::DoDispose()
{
    m_agents.clear();
    m_network = nullptr;
    Scheduler::DoDispose();
}

void
BaraatScheduler::Configure(const HostNetwork&, uint32_t mtu)
{
    m_wirePerByte = static_cast<double>(mtu) / (mtu - TransportProfile::HEADER_BYTES);
}

std::string
BaraatScheduler::GetQueueDisc() const
{
    // Ports count IPv4 packets, headers included.
    constexpr double MOST = 1e18;
    const double onWire = std::round(static_cast<double>(m_heavyBytes) * m_wirePerByte);
    const auto heavy =
        "HeavyBytes=" + std::to_string(static_cast<uint64_t>(std::min(onWire, MOST))) + "]";
    if (m_mode == EXPLICIT_RATE)
    {
        // Longer than 64 periods of MinPeriod, the longest time between two requests of a paused
        // flow. A period is a round trip if that is longer, see EntryTimeout.
        const Time timeout = std::max(MilliSeconds(10), 128 * m_minPeriod);
        return "ns3::coflow::ExplicitRateQueueDisc[EntryTimeout=" +
               std::to_string(timeout.GetNanoSeconds()) + "ns|" + heavy;
    }
    const auto sharing =
        EnumValue(m_classSharing).SerializeToString(FifoLmQueueDisc::MakeSharingChecker());
    // MaxSize as in PriorityScheduler::GetQueueDisc().
    return "ns3::coflow::FifoLmQueueDisc[MaxSize=4MiB|ClassSharing=" + sharing + "|" + heavy;
}

void
BaraatScheduler::Prepare(const Cluster& cluster)
{
    m_network = cluster.network;
    m_segmentBytes = cluster.profile->GetSegmentSize();
}

Ptr<HostAgent>
BaraatScheduler::CreateAgent(::coflow::HostId host)
{
    if (m_mode == PRIORITY)
    {
        return CreateObject<BaraatAgent>();
    }
    // The timeout of ports also depends on MinPeriod (GetQueueDisc()), so MinPeriod is an attribute
    // of the scheduler.
    m_agents.push_back(CreateObject<BaraatRateAgent>(BaraatRateParameters{
        .linkRate = m_network->GetUplinkRate(host),
        .segmentBytes = m_segmentBytes,
        .minPeriod = m_minPeriod,
    }));
    return m_agents.back();
}

Scheduler::ControlTotals
BaraatScheduler::GetControlTotals() const
{
    return SumSent(m_agents);
}

} // namespace ns3::coflow
