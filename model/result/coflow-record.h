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

/// How late a coflow may be, relative to its deadline, to count as nearly in time: beside the
/// strict test, this tells misses by a handshake from misses by contention. CoflowSim accepts 3 %,
/// and 100 ms where that is more; a time would mean something else at every scale.
inline constexpr double DEADLINE_TOLERANCE = 0.03;

/// What became of one coflow: one line of coflows.csv, whichever engine ran it.
struct CoflowRecord
{
    CoflowId id{0}; ///< its identifier in the workload
    /// When the coflow could start: its arrival in the workload or, where that is
    /// later, the finish of its last parent. CCT counts from here.
    Nanoseconds arrival{0};
    Nanoseconds finish{NEVER}; ///< its last byte reached the receiving application; NEVER: not yet
    Nanoseconds minCct{0};     ///< Gamma, the CCT alone in the fabric, as LeastCct has it: no
                               ///< scheduler's record is below; NEVER: it cannot finish
    /// Its CCT alone in the network in packets, as GetUnloadedCcts() has it; none where that is not
    /// known, as in fluids, and NEVER where it cannot finish.
    std::optional<Nanoseconds> unloadedCct;
    CoflowStatistics shape;              ///< length, width, size, senders, receivers, bin
    Bytes fabricBytes{0};                ///< bytes of the flows that are not local
    std::optional<Nanoseconds> deadline; ///< relative to the arrival
    CoflowAttributes attributes;         ///< that its job gives it
    bool admitted{true};                 ///< false: an admission control rejected it
    bool bypassed{false};                ///< it was too small to wait for the scheduler

    /// @return whether all of its bytes have arrived
    bool IsFinished() const
    {
        return finish != NEVER;
    }

    /// @return coflow completion time; meaningful only when finished
    Nanoseconds Cct() const
    {
        return finish - arrival;
    }

    /// @return the same in seconds
    double CctSeconds() const
    {
        return static_cast<double>(Cct()) * 1e-9;
    }

    /// @return Gamma in seconds; infinite where the coflow cannot finish
    double MinCctSeconds() const;

    /// @return CCT / Gamma, at least 1; none where it is not finished or Gamma is 0 (all flows
    ///         local or empty)
    std::optional<double> Slowdown() const;

    /// @return CCT / unloadedCct; none where it is not finished, or unloadedCct is not known or 0
    std::optional<double> UnloadedSlowdown() const;

    /// @param tolerance how much later is accepted, relative to the deadline
    /// @return whether it finished by its deadline; none where it has no deadline
    std::optional<bool> MetDeadline(double tolerance = 0) const;
};

/// What became of one flow: one line of flows.csv.
struct FlowRecord
{
    CoflowId coflow{0};           ///< to which it belongs
    Flow flow;                    ///< as the workload has it
    Nanoseconds start{NEVER};     ///< handed to the sending host's transport; NEVER: never
    Nanoseconds finish{NEVER};    ///< last byte reached the receiving application; NEVER: not yet
    std::uint64_t retransmits{0}; ///< segments of it that were sent again
};

/// One record per coflow of a workload, in its order, with what is known before a run.
/// @param workload the workload
/// @param rates the ports' rates, for Gamma
/// @param limits what counts as short and as narrow
/// @return the records
std::vector<CoflowRecord> MakeCoflowRecords(const Workload& workload,
                                            const PortRates& rates,
                                            const BinLimits& limits = {});

/// @return the columns of coflows.csv
const std::vector<Column<CoflowRecord>>& CoflowColumns();

/// @return the columns of flows.csv
const std::vector<Column<FlowRecord>>& FlowColumns();

/// @param records of coflows
/// @return the text of coflows.csv; times in seconds, sizes in bytes, what is unknown is empty
std::string ToCsv(const std::vector<CoflowRecord>& records);

/// @param records of flows
/// @return the text of flows.csv; times in seconds, sizes in bytes, what is unknown is empty
std::string ToCsv(const std::vector<FlowRecord>& records);

} // namespace coflow

#endif // COFLOW_RECORD_H
