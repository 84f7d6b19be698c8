/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_SCHEDULER_H
#define COFLOW_FAIR_SCHEDULER_H

#include "ns3/coflow-scheduler.h"

namespace ns3::coflow
{

/// Per-flow fairness: no scheduler at all. Every flow starts as soon as it is known and goes as
/// fast as TCP lets it; there is no coordinator and no message. The baseline of Varys (Chowdhury
/// et al., SIGCOMM 2014, section 7.1) and of every later paper.
class FairScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;
};

} // namespace ns3::coflow

#endif // COFLOW_FAIR_SCHEDULER_H
