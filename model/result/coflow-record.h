/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RECORD_H
#define COFLOW_RECORD_H

#include "ns3/coflow-column.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// The lateness, as a fraction of the relative deadline, up to which a coflow counts as nearly in
/// time. This number separates deadlines that were missed because of a handshake from deadlines
/// that were missed because of contention. CoflowSim accepts 3 % or 100 ms, whichever is more. This
/// module has no tolerance in seconds, because a time would have another meaning at every scale.
inline constexpr double DEADLINE_TOLERANCE = 0.03;

/// The result of one coflow in any engine. CoflowColumns() returns which members are columns of
/// coflows.csv.
struct CoflowRecord
{
    CoflowId id{0}; ///< id of the coflow in the workload
    /// The time at which the coflow could start: its arrival in the workload, or the finish of its
    /// last parent where this is later. The CCT counts from this time.
    Nanoseconds arrival{0};
    Nanoseconds finish{NEVER}; ///< arrival of its last byte at the application; NEVER: not yet
    /// Gamma: the coflow's CCT alone in the fabric (LeastCct()). No recorded CCT is smaller. NEVER:
    /// the coflow cannot finish.
    Nanoseconds minCct{0};
    /// The coflow's CCT alone in the packet network (GetUnloadedCcts()). None: the value is not
    /// known, as in the fluid engine. NEVER: the coflow cannot finish.
    std::optional<Nanoseconds> unloadedCct;
    CoflowStatistics shape;              ///< length, width, size, senders, receivers, bin
    Bytes fabricBytes{0};                ///< bytes of the flows that are not local
    std::optional<Nanoseconds> deadline; ///< relative to the arrival
    CoflowAttributes attributes;         ///< attributes of the coflow
    bool admitted{true};                 ///< false: an admission control has rejected the coflow
    bool bypassed{false};                ///< the coflow was too small to wait for the scheduler

    /// @return whether all bytes of the coflow have arrived
    bool IsFinished() const
    {
        return finish != NEVER;
    }

    /// @return coflow completion time; only where the coflow has finished
    Nanoseconds Cct() const
    {
        return finish - arrival;
    }

    /// @return coflow completion time in seconds; only where the coflow has finished
    double CctSeconds() const
    {
        return static_cast<double>(Cct()) * 1e-9;
    }

    /// @return Gamma in seconds; infinite where the coflow cannot finish
    double MinCctSeconds() const;

    /// @return CCT / Gamma, at least 1; none where the coflow has not finished, or where Gamma is 0
    ///         (all flows local or empty)
    std::optional<double> Slowdown() const;

    /// @return CCT / unloadedCct; none where the coflow has not finished, or where unloadedCct is
    ///         not known or 0
    std::optional<double> UnloadedSlowdown() const;

    /// @param tolerance accepted lateness, relative to the deadline
    /// @return whether the coflow finished by its deadline; none where it has no deadline
    std::optional<bool> MetDeadline(double tolerance = 0) const;
};

/// The result of one flow in any engine. FlowColumns() returns which members are columns of
/// flows.csv.
struct FlowRecord
{
    CoflowId coflow{0};           ///< coflow of the flow
    Flow flow;                    ///< flow of the workload
    Nanoseconds start{NEVER};     ///< start at the sender's transport; NEVER: not yet
    Nanoseconds finish{NEVER};    ///< arrival of the last byte at the application; NEVER: not yet
    std::uint64_t retransmits{0}; ///< number of retransmitted segments
};

/// Makes one record per coflow of a workload, in the order of the workload, with the values that
/// are known before a run.
/// @param workload the workload
/// @param rates the ports' rates, for Gamma
/// @param limits limits of short and narrow coflows
/// @return the records
std::vector<CoflowRecord> MakeCoflowRecords(const Workload& workload,
                                            const PortRates& rates,
                                            const BinLimits& limits = {});

/// @return the columns of coflows.csv
const std::vector<Column<CoflowRecord>>& CoflowColumns();

/// @return the columns of flows.csv
const std::vector<Column<FlowRecord>>& FlowColumns();

/// @param records records of coflows
/// @return the text of coflows.csv; times in seconds, sizes in bytes; an unknown value is empty
std::string ToCsv(const std::vector<CoflowRecord>& records);

/// @param records records of flows
/// @return the text of flows.csv; times in seconds, sizes in bytes; an unknown value is empty
std::string ToCsv(const std::vector<FlowRecord>& records);

} // namespace coflow

#endif // COFLOW_RECORD_H
