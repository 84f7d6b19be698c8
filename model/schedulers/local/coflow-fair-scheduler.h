/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_SCHEDULER_H
#define COFLOW_FAIR_SCHEDULER_H

#include "ns3/coflow-scheduler.h"

namespace ns3::coflow
{

/// Per-flow fairness, that is, no scheduling. Every flow starts at its put, and TCP sends the flow
/// without a rate limit. There is no coordinator and no message. This is the baseline of Varys
/// (Chowdhury et al., SIGCOMM 2014, section 7.1) and of later papers.
class FairScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;
};

} // namespace ns3::coflow

#endif // COFLOW_FAIR_SCHEDULER_H
