/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_TABLE_H
#define COFLOW_FLOW_TABLE_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// A flow for a table, as far as its keeper knows it.
struct TableFlow
{
    FlowId id{0};        ///< identifier in its coflow
    HostId src{0};       ///< sending host
    HostId dst{0};       ///< receiving host
    Bytes bytes{0};      ///< size; not to be read where no policy may know it
    double remaining{0}; ///< bytes still to move; likewise
};

/// The unfinished coflows and flows of a run as parallel arrays, from which views are
/// made. Whoever runs policies keeps one: it adds coflows as they become ready, books
/// what their flows moved, and removes flows that finished.
///
/// The flows of a coflow are contiguous, with gaps between coflows that finished flows left;
/// gaps never take more than half of the arrays for long. Coflows that are only ever added by
/// Add also follow each other in the order of the rows.
class FlowTable
{
  public:
    /// Adds a coflow at its place by (ready, id).
    /// @param coflow the coflow; its flows within a host are left out
    /// @param index its number for policies
    /// @param ready when it became ready
    /// @returns its position in Rows()
    std::size_t Add(const Coflow& coflow, std::uint32_t index, Nanoseconds ready);

    /// Adds a coflow at its place by (ready, id).
    /// @param row what is known of it; its range of flows is filled in
    /// @param sizes its sizes
    /// @param flows its flows, at least one, by id
    /// @returns its position in Rows()
    std::size_t Insert(CoflowRow row, const CoflowSizes& sizes, std::span<const TableFlow> flows);

    /// Adds flows to a coflow that is there.
    /// @param row its position in Rows()
    /// @param sizes its sizes with them
    /// @param flows the new flows, by id
    void Append(std::size_t row, const CoflowSizes& sizes, std::span<const TableFlow> flows);

    /// Has a coflow count as changed, without any new flow.
    /// @param row its position in Rows()
    void Renew(std::size_t row)
    {
        ++m_rows[row].revision;
    }

    /// Brings CoflowRow::longest of all coflows up to date with what is left of their flows, for
    /// a keeper that knows sizes.
    void UpdateLongest();

    /// Where a coflow is in Rows(), or the number of rows where it is not there.
    /// @param ready when it became ready
    /// @param id its id
    std::size_t Find(Nanoseconds ready, CoflowId id) const;

    /// Removes the flows of a coflow that are marked. Order is kept; the coflow stays, even
    /// without flows, until RemoveEmpty.
    /// @param row its position in Rows()
    /// @param finished per flow of the table: nonzero if it is finished
    void RemoveFinished(std::size_t row, std::span<const std::uint8_t> finished);

    /// Removes coflows that have no flow left.
    void RemoveEmpty();

    /// Removes a coflow with all its flows.
    /// @param row its position in Rows()
    void RemoveCoflow(std::size_t row);

    /// @name Access for the keeper
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

    /// Bytes still to move, per flow.
    std::span<double> Remaining()
    {
        return m_remaining;
    }

    std::span<const double> Remaining() const
    {
        return m_remaining;
    }

    /// Rate in force in bytes per second, per flow; 0 for a new flow and for positions that
    /// belong to no coflow. Not part of any view.
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

    /// Gives flows the paths that a policy has decided.
    /// @param paths one per flow; NO_PATH leaves a flow what it has
    /// @return how many flows were given another path than they had
    std::uint64_t TakePaths(std::span<const PathNumber> paths);

    /// Puts other rates in force; hands back the old ones.
    /// @param rates one per flow
    void SwapRates(std::vector<double>& rates)
    {
        m_rate.swap(rates);
    }

    /// @}

    /// What a non-clairvoyant policy may know. Valid until the table changes.
    AttainedView Attained(Nanoseconds now) const;

    /// What a clairvoyant policy may know. Valid until the table changes.
    ClairvoyantView Clairvoyant(Nanoseconds now) const;

  private:
    /// What both kinds of views hold.
    StructureView Structure(Nanoseconds now) const;

    /// Copies the flows in [begin, end) to positions from `to` on, which is before them.
    void MoveFlows(std::uint32_t begin, std::uint32_t end, std::uint32_t to);

    /// Puts a row and its sizes at their place by (ready, id).
    /// @returns the position
    std::size_t Place(const CoflowRow& row, const CoflowSizes& sizes);

    /// Adds a flow at the end of the arrays.
    void PushFlow(const TableFlow& flow, double rate, PathNumber path);

    /// Moves all flows together, in the order of the rows.
    void Compact();

    std::vector<CoflowRow> m_rows;    ///< by (ready, id)
    std::vector<CoflowSizes> m_sizes; ///< parallel to m_rows
    std::vector<HostId> m_src;        ///< per flow
    std::vector<HostId> m_dst;        ///< per flow
    std::vector<FlowId> m_flow;       ///< per flow
    std::vector<Bytes> m_bytes;       ///< per flow
    std::vector<double> m_remaining;  ///< per flow
    std::vector<double> m_rate;       ///< per flow
    std::vector<PathNumber> m_path;   ///< per flow
    std::size_t m_unused{0};          ///< positions that belong to no coflow
};

/// Sizes of a coflow, and its deadline counted from its arrival.
CoflowSizes SizesOf(const Coflow& coflow);

} // namespace coflow

#endif // COFLOW_FLOW_TABLE_H
