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

/// A scheduler that lets all flows send as fast as their transport does, and the ports of the
/// network decide by the priority that hosts give to packets. Acknowledgements are the most urgent.
///
/// Without Bands, ports have the queue of pFabric, which knows unlimited priorities; with them,
/// strict priority between a few classes of service.
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

/// Sends what it is given, with priorities.
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
