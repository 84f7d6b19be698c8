/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-scheduler.h"

#include "ns3/coflow-named-type.h"
#include "ns3/coflow-pfabric.h"
#include "ns3/coflow-size-knowledge.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

namespace
{

class PfabricAgent : public PriorityAgent
{
  public:
    explicit PfabricAgent(const KeyBands& bands)
        : m_rule(SizeKnowledge::Of<::coflow::Pfabric>().MakeRule([bands](uint64_t unacknowledged) {
              return PacketPriority{unacknowledged, bands.GetBand(unacknowledged)};
          }))
    {
    }

    void Prioritise(CoflowSource::FlowRequest& flow) override
    {
        flow.priorityRule = m_rule;
    }

  private:
    CoflowSource::PriorityRule m_rule;
};

} // namespace

COFLOW_REGISTER(PfabricScheduler, "per-flow priority in the network: shortest remaining first");

TypeId
PfabricScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::PfabricScheduler")
                            .SetParent<PriorityScheduler>()
                            .SetGroupName("Coflow")
                            .AddConstructor<PfabricScheduler>()
                            .AddAttribute("FirstBand",
                                          "With Bands: bytes left below which a flow is in the "
                                          "first one; each further one reaches ten times as far",
                                          UintegerValue(10'000),
                                          MakeUintegerAccessor(&PfabricScheduler::m_firstBand),
                                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

Ptr<HostAgent> PfabricScheduler::CreateAgent(::coflow::HostId)
{
    return CreateObject<PfabricAgent>(
        KeyBands::Logarithmic(std::max(GetBands(), 1U), m_firstBand, 10));
}

} // namespace ns3::coflow
