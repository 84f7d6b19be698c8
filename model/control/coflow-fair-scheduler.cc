/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fair-scheduler.h"

#include "ns3/coflow-named-type.h"

namespace ns3::coflow
{

namespace
{

/// Starts what it is given.
class FairAgent : public HostAgent
{
  public:
    void Put(CoflowSource::FlowRequest flow) override
    {
        flow.allowance = Allowance::Unlimited();
        GetSource().StartFlow(flow);
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

Ptr<HostAgent>
FairScheduler::CreateAgent()
{
    return CreateObject<FairAgent>();
}

} // namespace ns3::coflow
