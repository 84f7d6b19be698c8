/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_IDENTIFIED_H
#define COFLOW_IDENTIFIED_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Flows of one coflow that start together.
struct FlowBatch
{
    std::uint32_t coflow{0}; ///< position of the coflow, as it is identified
    FlowId begin{0};         ///< its first flow of these
    FlowId end{0};           ///< one past the last one

    bool operator==(const FlowBatch&) const = default;
};

/// A flow of a workload.
struct FlowPlace
{
    std::uint32_t coflow{0}; ///< position of its coflow
    FlowId flow{0};          ///< its id there

    bool operator==(const FlowPlace&) const = default;
};

/// The coflows of a workload as schedulers see them, where flows are taken for those of other
/// coflows (Coflow::identified). An identified coflow has all flows that are taken for it. They
/// come with the coflows that they really are of: in batches, each at its own time.
class IdentifiedCoflows
{
  public:
    /// @param workload a valid one
    /// @return whether it says of any flow what that is taken for
    static bool Exist(const Workload& workload);

    /// @param workload a valid one
    explicit IdentifiedCoflows(const Workload& workload);

    /// The identified coflows, by (arrival, id). Each arrives with the first of its flows, has no
    /// parents, and the weight of the coflow with its id, or 1. They are no workload of their own:
    /// their flows do not all come when they arrive.
    /// @return identified coflows
    const std::vector<Coflow>& Coflows() const
    {
        return m_coflows;
    }

    /// @param coflow position of a coflow in the workload
    /// @return where its flows are, by identified coflow
    std::span<const FlowBatch> BatchesOf(std::uint32_t coflow) const
    {
        return m_batches[coflow];
    }

    /// @param coflow position of an identified coflow
    /// @param flow one of its flows
    /// @return which flow of the workload that is
    const FlowPlace& OriginOf(std::uint32_t coflow, FlowId flow) const
    {
        return m_origins[m_first[coflow] + flow];
    }

    /// @param coflow position of an identified coflow
    /// @return the number of its flow 0, where all flows of all identified coflows are counted
    std::size_t FirstFlow(std::uint32_t coflow) const
    {
        return m_first[coflow];
    }

  private:
    std::vector<Coflow> m_coflows;                 ///< identified ones
    std::vector<std::vector<FlowBatch>> m_batches; ///< by coflow of the workload
    std::vector<std::size_t> m_first;              ///< see FirstFlow()
    std::vector<FlowPlace> m_origins;              ///< by number of the flow
};

} // namespace coflow

#endif // COFLOW_IDENTIFIED_H
