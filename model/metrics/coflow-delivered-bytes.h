/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DELIVERED_BYTES_H
#define COFLOW_DELIVERED_BYTES_H

#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-units.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// What sinks have delivered of flows since they were looked at last.
class DeliveredBytes
{
  public:
    /// @param tracker knows all flows; it has been told the workload
    /// @param sinks of all hosts, in the order of hosts
    DeliveredBytes(Ptr<const CoflowTracker> tracker, std::vector<Ptr<const CoflowSink>> sinks)
        : m_tracker(std::move(tracker)),
          m_sinks(std::move(sinks)),
          m_delivered(m_tracker->GetFlowRecords().size(), 0)
    {
    }

    /// Looks at the flows of a coflow that go over the network and were not complete at the last
    /// look.
    /// @param index of the coflow
    /// @param visit is called with the flow's record, all bytes that were delivered, and those
    ///        since the last look
    template <class Visit>
    void Update(std::size_t index, Visit visit)
    {
        for (const auto& record : m_tracker->GetFlowRecords(index))
        {
            const auto& flow = record.flow;
            auto& last =
                m_delivered[static_cast<std::size_t>(&record - m_tracker->GetFlowRecords().data())];
            const auto size = static_cast<uint64_t>(flow.bytes);
            if (flow.IsLocal() || last == size)
            {
                continue;
            }
            const uint64_t delivered =
                record.finish == ::coflow::NEVER
                    ? m_sinks[flow.dst]->GetReceivedBytes({record.coflow, flow.id})
                    : size;
            visit(record, delivered, delivered - std::exchange(last, delivered));
        }
    }

  private:
    Ptr<const CoflowTracker> m_tracker;
    std::vector<Ptr<const CoflowSink>> m_sinks;
    std::vector<uint64_t> m_delivered; ///< of every flow, at the last look
};

} // namespace ns3::coflow

#endif // COFLOW_DELIVERED_BYTES_H
