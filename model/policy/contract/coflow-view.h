/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VIEW_H
#define COFLOW_VIEW_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-types.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace coflow
{

/// One unfinished coflow in a view. Its flows are the positions [begin, end) of the view's arrays
/// per flow.
struct CoflowRow
{
    CoflowId id{0};         ///< identifier; breaks ties
    std::uint32_t index{0}; ///< small number, unique while the run lasts; for a policy's own state
    Nanoseconds ready{0};   ///< time at which all its flows were known
    std::uint64_t place{0}; ///< CoflowOrder::Value() under a hybrid scheduler; otherwise 0
    std::uint32_t width{0}; ///< number of flows at registration
    std::uint32_t begin{0}; ///< position of its first unfinished flow
    std::uint32_t end{0};   ///< position after its last unfinished flow
    double sent{0};         ///< bytes sent by all its flows, finished ones included
    /// Bytes sent by the flow that has sent most, finished flows included. Computed only for a
    /// policy with a report period (Policy::ReportPeriod()).
    double longest{0};
    std::uint32_t revision{0}; ///< how often flows were added since the coflow was ready
    /// A number that changes whenever flows of the coflow are added, finish, or have other bytes
    /// left. Two rows, even of different tables, have the same number only where one row is a copy
    /// of the other. 0: unknown.
    std::uint64_t state{0};

    /// @return number of unfinished flows; at least one
    std::uint32_t Count() const
    {
        return end - begin;
    }
};

/// The information for any policy: the coflows, the ports of their unfinished flows, and the bytes
/// sent.
///
/// A view is a set of parallel arrays. The owner of the arrays is the fluid engine, a coordinator
/// or a test. The fluid engine fills the arrays from the exact state, and a coordinator fills them
/// from the messages that it has received. A view is valid only during the call that receives it.
/// Rows are ordered by (place, ready, id). The flows of a row are ordered by flow id.
struct StructureView
{
    Nanoseconds now{0};                 ///< time of the decision
    std::span<const CoflowRow> coflows; ///< coflows with unfinished flows
    std::span<const HostId> src;        ///< per flow: sending host
    std::span<const HostId> dst;        ///< per flow: receiving host
    std::span<const FlowId> flow;       ///< per flow: identifier in its coflow
    std::span<const PathNumber> path;   ///< per flow: its path, or NO_PATH

    /// @return number of positions of the arrays per flow. A position need not belong to a row
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

/// The view of a non-clairvoyant policy. It has no sizes, and cannot be converted to the view that
/// has sizes.
struct AttainedView : StructureView
{
};

/// The sizes, the deadline and the attributes with which a coflow was registered.
struct CoflowSizes
{
    Bytes length{0};             ///< bytes of its largest flow
    Bytes total{0};              ///< bytes of all its flows
    Bytes bottleneck{0};         ///< bytes of its most loaded port
    Nanoseconds deadline{NEVER}; ///< absolute; NEVER: none
    CoflowAttributes attributes; ///< attributes of the coflow
};

/// The view of a clairvoyant policy, with sizes and deadlines.
struct ClairvoyantView : StructureView
{
    std::span<const CoflowSizes> sizes; ///< per coflow row
    std::span<const Bytes> bytes;       ///< per flow: size at registration
    std::span<const double> remaining;  ///< per flow: bytes left, > 0
};

/// Whether all rates are 0. Under most policies, most coflows wait, so this is checked for many
/// flows. The check is of integers, of which the compiler makes vectors; a rate of -0 is not 0
/// here.
/// @param rates rates of flows, in bytes per second
/// @return whether each of them is 0
inline bool
AllWait(std::span<const double> rates)
{
    std::uint64_t bits = 0;
    for (const double rate : rates)
    {
        bits |= std::bit_cast<std::uint64_t>(rate);
    }
    return bits == 0;
}

} // namespace coflow

#endif // COFLOW_VIEW_H
