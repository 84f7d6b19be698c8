/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_TABLE_H
#define COFLOW_FLOW_TABLE_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coflow
{

/// A flow of a table, with the values that the table's owner knows.
struct TableFlow
{
    FlowId id{0};        ///< identifier in its coflow
    HostId src{0};       ///< sending host
    HostId dst{0};       ///< receiving host
    Bytes bytes{0};      ///< size in bytes; not used if the policy must not know sizes
    double remaining{0}; ///< bytes left; not used if the policy must not know sizes
};

/// The unfinished coflows and flows of a run as parallel arrays, from which views are made. An
/// engine or a coordinator owns a table. It adds coflows when they become ready, counts the bytes
/// of their flows, and removes finished flows.
///
/// The flows of a coflow are contiguous. Finished flows leave gaps between coflows. RemoveEmpty()
/// closes the gaps if the gaps take more than an eighth of the arrays. If all coflows are added in
/// the order of (place, ready, id), and Append() is not called, the flows of coflows follow each
/// other in the order of the rows.
class FlowTable
{
  public:
    /// Adds a coflow at its position by (place, ready, id).
    /// @param coflow the coflow, whose local flows are left out
    /// @param index number of the coflow for policies
    /// @param ready time at which the coflow became ready
    /// @param start time from which the deadline counts; none: `ready`
    /// @param place CoflowRow::place
    /// @returns the coflow's position in Rows()
    std::size_t Add(const Coflow& coflow,
                    std::uint32_t index,
                    Nanoseconds ready,
                    std::optional<Nanoseconds> start = {},
                    std::uint64_t place = 0);

    /// Adds a coflow at its position by (place, ready, id).
    /// @param row the coflow's row; its range of flows is set by this call
    /// @param sizes sizes of the coflow
    /// @param flows flows of the coflow, at least one, by id
    /// @returns the coflow's position in Rows()
    std::size_t Insert(CoflowRow row, const CoflowSizes& sizes, std::span<const TableFlow> flows);

    /// Adds flows to a coflow of the table.
    /// @param row position of the coflow in Rows()
    /// @param sizes sizes of the coflow, new flows included
    /// @param flows the new flows, by id
    void Append(std::size_t row, const CoflowSizes& sizes, std::span<const TableFlow> flows);

    /// Marks a coflow as changed, without a new flow.
    /// @param row position of the coflow in Rows()
    void Renew(std::size_t row)
    {
        ++m_rows[row].revision;
    }

    /// Computes CoflowRow::longest of all coflows from the bytes left of their flows, for an owner
    /// that knows sizes.
    void UpdateLongest();

    /// Finds the position of a coflow with place 0 in Rows(). Returns the number of rows if the
    /// table does not have the coflow.
    /// @param ready time at which the coflow became ready
    /// @param id id of the coflow
    std::size_t Find(Nanoseconds ready, CoflowId id) const;

    /// Removes flows of a coflow. The order of the others is kept. The coflow stays until
    /// RemoveEmpty(), even without flows.
    /// @param row position of the coflow in Rows()
    /// @param finished positions of the flows in the table, ascending
    void RemoveFinished(std::size_t row, std::span<const std::uint32_t> finished);

    /// Removes coflows that have no flow left.
    void RemoveEmpty();

    /// Removes a coflow with all its flows.
    /// @param row position of the coflow in Rows()
    void RemoveCoflow(std::size_t row);

    /// @name Access for the owner
    /// @{
    std::span<CoflowRow> Rows()
    {
        return m_rows;
    }

    std::span<const CoflowRow> Rows() const
    {
        return m_rows;
    }

    std::span<const CoflowSizes> Sizes() const
    {
        return m_sizes;
    }

    std::span<const FlowId> FlowIds() const
    {
        return m_flow;
    }

    std::span<const HostId> Src() const
    {
        return m_src;
    }

    std::span<const HostId> Dst() const
    {
        return m_dst;
    }

    std::span<const Bytes> FlowBytes() const
    {
        return m_bytes;
    }

    /// Bytes left of the flows of a coflow, for changes.
    /// @param row position of the coflow in Rows()
    std::span<double> Remaining(std::size_t row)
    {
        m_rows[row].state = NewState();
        return std::span(m_remaining).subspan(m_rows[row].begin, m_rows[row].Count());
    }

    /// Bytes left, per flow.
    std::span<const double> Remaining() const
    {
        return m_remaining;
    }

    /// Rate in force, in bytes per second, per flow. The rate is 0 for a new flow and for positions
    /// that belong to no coflow. No view has these rates.
    std::span<double> Rates()
    {
        return m_rate;
    }

    std::span<const double> Rates() const
    {
        return m_rate;
    }

    /// Path of a flow, NO_PATH for a new flow and for positions that belong to no coflow.
    std::span<PathNumber> Paths()
    {
        return m_path;
    }

    std::span<const PathNumber> Paths() const
    {
        return m_path;
    }

    /// Sets the paths of a policy's decision.
    /// @param paths one path per flow; NO_PATH: the flow keeps its path
    /// @return number of flows whose path has changed
    std::uint64_t TakePaths(std::span<const PathNumber> paths);

    /// Exchanges the rates in force with the rates of the caller.
    /// @param rates one per flow
    void SwapRates(std::vector<double>& rates)
    {
        m_rate.swap(rates);
    }

    /// @}

    /// The view for a non-clairvoyant policy. Valid until the table changes.
    AttainedView Attained(Nanoseconds now) const;

    /// The view for a clairvoyant policy. Valid until the table changes.
    ClairvoyantView Clairvoyant(Nanoseconds now) const;

  private:
    /// @return a number for CoflowRow::state that no row had before
    static std::uint64_t NewState();

    /// The members that both kinds of views have.
    StructureView Structure(Nanoseconds now) const;

    /// Copies the flows in [begin, end) to positions from `to` on, with `to` < begin.
    void MoveFlows(std::uint32_t begin, std::uint32_t end, std::uint32_t to);

    /// Inserts a row and its sizes at their position by (place, ready, id).
    /// @returns the position
    std::size_t Place(const CoflowRow& row, const CoflowSizes& sizes);

    /// Adds a flow at the end of the arrays.
    void PushFlow(const TableFlow& flow, double rate, PathNumber path);

    /// Moves all flows together, in the order of the rows.
    void Compact();

    std::vector<CoflowRow> m_rows;    ///< rows, ordered by (ready, id)
    std::vector<CoflowSizes> m_sizes; ///< sizes of the coflows, parallel to m_rows
    std::vector<HostId> m_src;        ///< sending host, per flow
    std::vector<HostId> m_dst;        ///< receiving host, per flow
    std::vector<FlowId> m_flow;       ///< identifier, per flow
    std::vector<Bytes> m_bytes;       ///< size, per flow
    std::vector<double> m_remaining;  ///< bytes left, per flow
    std::vector<double> m_rate;       ///< rate in force, per flow
    std::vector<PathNumber> m_path;   ///< path, per flow
    std::size_t m_unused{0};          ///< positions that belong to no coflow
};

/// Sizes of a coflow, without its deadline, which counts from its start.
CoflowSizes SizesOf(const Coflow& coflow);

} // namespace coflow

#endif // COFLOW_FLOW_TABLE_H
