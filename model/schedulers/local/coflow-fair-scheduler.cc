/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fair-scheduler.h"

#include "ns3/coflow-named-type.h"
#include "ns3/log.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFairScheduler");

namespace
{

/// Starts every flow at its put.
class FairAgent : public HostAgent
{
  public:
    void Put(const CoflowHandle&, CoflowSource::FlowRequest flow) override
    {
        if (NotePut({flow.coflowId, flow.flowId}))
        {
            NS_LOG_INFO("host " << GetHost() << ": flow " << flow.flowId << " of coflow "
                                << flow.coflowId << " starts");
            flow.rateLimit = RateLimit::Unlimited();
            GetSource().StartFlow(flow);
        }
    }
};

} // namespace

COFLOW_REGISTER(FairScheduler, "per-flow fairness: plain TCP, no coordination");

TypeId
FairScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::FairScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Coflow")
                            .AddConstructor<FairScheduler>();
    return tid;
}

Ptr<HostAgent> FairScheduler::CreateAgent(::coflow::HostId)
{
    return CreateObject<FairAgent>();
}

} // namespace ns3::coflow
