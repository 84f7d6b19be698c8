/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VIEW_H
#define COFLOW_VIEW_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coflow
{

/// One unfinished coflow as a scheduler sees it: its flows are the positions
/// [begin, end) of the per-flow arrays of its view.
struct CoflowRow
{
    CoflowId id{0};         ///< identifier; breaks ties
    std::uint32_t index{0}; ///< small number, unique while the run lasts; for a policy's own state
    Nanoseconds ready{0};   ///< when all its flows were known
    std::uint32_t width{0}; ///< number of flows that it was registered with
    std::uint32_t begin{0}; ///< first of its unfinished flows
    std::uint32_t end{0};   ///< one past the last of its unfinished flows
    double sent{0};         ///< bytes moved so far by all its flows, finished ones included
    /// Bytes moved by the flow that moved most, finished ones included; kept only for a policy with
    /// a report period (Policy::ReportPeriod).
    double longest{0};
    std::uint32_t revision{0}; ///< how often it changed since it became ready: flows were added

    /// @return number of unfinished flows; at least one
    std::uint32_t Count() const
    {
        return end - begin;
    }
};

/// What any scheduler may know: which coflows are present, between which ports their
/// unfinished flows run, and how much they have sent.
///
/// A view is a set of parallel arrays that its user does not own: the fluid engine (from
/// the truth), a coordinator (from the messages that reached it) or a test. It is valid
/// only during the call it is handed to. Rows are ordered by (ready, id), the flows of
/// a row by flow id.
struct StructureView
{
    Nanoseconds now{0};                 ///< time of the decision
    std::span<const CoflowRow> coflows; ///< coflows with unfinished flows
    std::span<const HostId> src;        ///< per flow: sending host
    std::span<const HostId> dst;        ///< per flow: receiving host
    std::span<const FlowId> flow;       ///< per flow: identifier in its coflow
    std::span<const PathNumber> path;   ///< per flow: the path that it was given, or NO_PATH

    /// @return number of positions of the per-flow arrays. Not every one needs to belong to a row
    std::size_t Positions() const
    {
        return src.size();
    }

    /// @return number of unfinished flows of all coflows
    std::size_t FlowCount() const
    {
        std::size_t count = 0;
        for (const CoflowRow& row : coflows)
        {
            count += row.Count();
        }
        return count;
    }

    /// Calls a function for every unfinished flow, in order.
    /// @param function takes the flow's position in the arrays
    template <class Function>
    void ForEachFlow(Function function) const
    {
        for (const CoflowRow& row : coflows)
        {
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                function(f);
            }
        }
    }
};

/// Knowledge of a non-clairvoyant policy. It has no way to ask for a size, and is no
/// relative of the view that has.
struct AttainedView : StructureView
{
};

/// What a coflow was registered with, and the sizes of its flows.
struct CoflowSizes
{
    Bytes length{0};             ///< its largest flow
    Bytes total{0};              ///< all its flows
    Bytes bottleneck{0};         ///< the largest load that it puts on one port
    Nanoseconds deadline{NEVER}; ///< absolute; NEVER: none
    CoflowAttributes attributes; ///< that its job gives it
};

/// Knowledge of a clairvoyant policy: sizes and deadlines too.
struct ClairvoyantView : StructureView
{
    std::span<const CoflowSizes> sizes; ///< per coflow row
    std::span<const Bytes> bytes;       ///< per flow: size as registered
    std::span<const double> remaining;  ///< per flow: bytes still to move, > 0
};

} // namespace coflow

#endif // COFLOW_VIEW_H
