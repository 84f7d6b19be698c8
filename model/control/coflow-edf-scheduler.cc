/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-edf-scheduler.h"

#include "ns3/coflow-edf.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-size-knowledge.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

namespace
{

class EdfAgent : public PriorityAgent
{
  public:
    explicit EdfAgent(const KeyBands& bands)
        : m_bands(bands)
    {
    }

    void Prioritise(CoflowSource::FlowRequest& flow) override
    {
        flow.priorityRule = SizeKnowledge::Of<::coflow::Edf>().MakeRule(
            [this, deadline = flow.deadline](uint64_t unacknowledged) {
                return PacketPriority{EdfScheduler::GetKey(deadline, unacknowledged),
                                      GetBand(deadline)};
            });
    }

  private:
    uint8_t GetBand(std::optional<Time> deadline) const
    {
        const auto left = deadline.value_or(Time::Max()) - Simulator::Now();
        return m_bands.GetBand(static_cast<uint64_t>(std::max<int64_t>(0, left.GetNanoSeconds())));
    }

    KeyBands m_bands; ///< of nanoseconds left
};

} // namespace

COFLOW_REGISTER(EdfScheduler, "per-flow priority in the network: earliest deadline first");

TypeId
EdfScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::EdfScheduler")
                            .SetParent<PriorityScheduler>()
                            .SetGroupName("Coflow")
                            .AddConstructor<EdfScheduler>()
                            .AddAttribute("FirstBand",
                                          "With Bands: time left below which a flow is in the "
                                          "first one; each further one reaches ten times as far",
                                          TimeValue(MicroSeconds(100)),
                                          MakeTimeAccessor(&EdfScheduler::m_firstBand),
                                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

uint64_t
EdfScheduler::GetKey(std::optional<Time> deadline, uint64_t unacknowledged)
{
    constexpr uint32_t BYTE_BITS = 28;
    constexpr uint64_t NO_DEADLINE = (uint64_t{1} << 36) - 2;
    const uint64_t due =
        deadline
            ? std::min(NO_DEADLINE - 1, static_cast<uint64_t>(deadline->GetNanoSeconds()) >> 10)
            : NO_DEADLINE;
    return due << BYTE_BITS | std::min(unacknowledged >> 10, (uint64_t{1} << BYTE_BITS) - 1);
}

Ptr<HostAgent> EdfScheduler::CreateAgent(::coflow::HostId)
{
    const auto first = static_cast<uint64_t>(m_firstBand.GetNanoSeconds());
    return CreateObject<EdfAgent>(KeyBands::Logarithmic(std::max(GetBands(), 1U), first, 10));
}

} // namespace ns3::coflow
