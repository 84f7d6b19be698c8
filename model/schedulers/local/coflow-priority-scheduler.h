/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PRIORITY_SCHEDULER_H
#define COFLOW_PRIORITY_SCHEDULER_H

#include "ns3/coflow-key-bands.h"
#include "ns3/coflow-scheduler.h"

#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// Base class of schedulers without rates. TCP sends all flows without a rate limit, and ports
/// schedule packets by priorities that hosts set. Acknowledgements have the most urgent priority.
///
/// With Bands = 0, ports have the queue of pFabric, with unlimited priorities. Otherwise ports have
/// strict priority between the given number of classes of service.
class PriorityScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetQueueDisc() const override;

  protected:
    /// @return number of classes of service; 0: unlimited priorities
    uint32_t GetBands() const
    {
        return m_bands;
    }

  private:
    uint32_t m_bands; ///< attribute Bands
};

/// Starts every flow at its put, with a priority.
class PriorityAgent : public HostAgent
{
  public:
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;

  protected:
    /// Sets the priority of a flow that is about to start.
    virtual void Prioritise(CoflowSource::FlowRequest& flow) = 0;

    void StartApplication() override;
};

} // namespace ns3::coflow

#endif // COFLOW_PRIORITY_SCHEDULER_H
