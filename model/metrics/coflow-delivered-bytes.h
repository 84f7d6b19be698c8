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

/// Computes the bytes that sinks have delivered since the last call.
class DeliveredBytes
{
  public:
    /// @param tracker tracker of all flows, after Expect()
    /// @param sinks sinks of all hosts, in the order of hosts
    DeliveredBytes(Ptr<const CoflowTracker> tracker, std::vector<Ptr<const CoflowSink>> sinks)
        : m_tracker(std::move(tracker)),
          m_sinks(std::move(sinks)),
          m_delivered(m_tracker->GetFlowRecords().size(), 0)
    {
    }

    /// Visits the flows of a coflow that use the network and were not complete at the last call.
    /// @param index position of the coflow in the workload
    /// @param visit called with the flow's record, all delivered bytes, and the bytes delivered
    ///        since the last call
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
    std::vector<uint64_t> m_delivered; ///< delivered bytes of every flow at the last call
};

} // namespace ns3::coflow

#endif // COFLOW_DELIVERED_BYTES_H
