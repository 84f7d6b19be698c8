/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-edf-scheduler.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-edf.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-size-access.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

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
        flow.priorityRule = SizeAccess::Of<::coflow::Edf>().MakeRule(
            [this, deadline = flow.deadline](uint64_t unacknowledged) {
                return PacketPriority{EdfScheduler::GetKey(deadline, unacknowledged),
                                      GetBand(deadline)};
            });
        // A SYN carries no data: its priority is that of a flow with 0 bytes left.
        flow.openingPriority =
            PacketPriority{EdfScheduler::GetKey(flow.deadline, 0), GetBand(flow.deadline)};
    }

  private:
    uint8_t GetBand(std::optional<Time> deadline) const
    {
        const auto left = deadline.value_or(Time::Max()) - Simulator::Now();
        return m_bands.GetBand(static_cast<uint64_t>(std::max<int64_t>(0, left.GetNanoSeconds())));
    }

    KeyBands m_bands; ///< bands by nanoseconds until the deadline
};

} // namespace

COFLOW_REGISTER(EdfScheduler, "per-flow priority in the network: earliest deadline first");

TypeId
EdfScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::EdfScheduler")
            .SetParent<PriorityScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<EdfScheduler>()
            .AddAttribute(
                "FirstBand",
                "With Bands: flows with less time left than this are in the first class; each "
                "further class reaches ten times as far",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&EdfScheduler::m_firstBand),
                Declared(MakeTimeChecker(NanoSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD));
    return tid;
}

uint64_t
EdfScheduler::GetKey(std::optional<Time> deadline, uint64_t unacknowledged)
{
    constexpr uint32_t BYTE_BITS = 28;
    constexpr uint64_t NO_DEADLINE = (uint64_t{1} << 36) - 2;
    // A deadline in units of 1024 ns is exact up to 32 bits. A longer deadline loses one low bit
    // per doubling, and every doubling has 2^31 separate keys. So the order of deadlines stays, and
    // the keys of all deadlines, which have at most 53 bits, are below NO_DEADLINE.
    constexpr int EXACT_BITS = 32;
    const auto encode = [](Time time) {
        const uint64_t units =
            static_cast<uint64_t>(std::max<int64_t>(0, time.GetNanoSeconds())) >> 10;
        const int lost = std::max(0, static_cast<int>(std::bit_width(units)) - EXACT_BITS);
        return (static_cast<uint64_t>(lost) << (EXACT_BITS - 1)) + (units >> lost);
    };
    const uint64_t due = deadline ? encode(*deadline) : NO_DEADLINE;
    return due << BYTE_BITS | std::min(unacknowledged >> 10, (uint64_t{1} << BYTE_BITS) - 1);
}

Ptr<HostAgent> EdfScheduler::CreateAgent(::coflow::HostId)
{
    const auto first = static_cast<uint64_t>(m_firstBand.GetNanoSeconds());
    return CreateObject<EdfAgent>(KeyBands::Logarithmic(std::max(GetBands(), 1U), first, 10));
}

} // namespace ns3::coflow
