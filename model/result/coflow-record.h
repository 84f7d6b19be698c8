/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RECORD_H
#define COFLOW_RECORD_H

#include "ns3/coflow-statistics.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// What became of one coflow: one line of coflows.csv, whichever engine ran it.
struct CoflowRecord
{
    CoflowId id{0};
    /// When the coflow could start: its arrival in the workload or, where that is
    /// later, the finish of its last parent. CCT counts from here.
    Nanoseconds arrival{0};
    Nanoseconds finish{NEVER}; ///< its last byte reached the receiving application; NEVER: not yet
    double minCctSeconds{0};   ///< Gamma, the CCT alone in the fabric: no scheduler can do better
    CoflowStatistics shape;    ///< length, width, size, senders, receivers, bin
    Bytes fabricBytes{0};      ///< bytes of the flows that are not local
    std::optional<Nanoseconds> deadline; ///< relative to the arrival
    bool admitted{true};                 ///< false: an admission control rejected it
    bool bypassed{false};                ///< it was too small to wait for the scheduler

    bool IsFinished() const
    {
        return finish != NEVER;
    }

    /// @return coflow completion time; meaningful only when finished
    Nanoseconds Cct() const
    {
        return finish - arrival;
    }

    double CctSeconds() const
    {
        return static_cast<double>(Cct()) * 1e-9;
    }

    /// @return CCT / Gamma; none where it is not finished or Gamma is 0 (all flows local or empty)
    std::optional<double> Slowdown() const;

    /// @return whether it finished by its deadline; none where it has no deadline
    std::optional<bool> MetDeadline() const;
};

/// What became of one flow: one line of flows.csv.
struct FlowRecord
{
    CoflowId coflow{0};
    Flow flow;
    Nanoseconds start{NEVER};  ///< handed to the sending host's transport; NEVER: never
    Nanoseconds finish{NEVER}; ///< last byte reached the receiving application; NEVER: not yet
    std::uint64_t retransmits{0};
};

/// One record per coflow of a workload, in its order, with what is known before a run.
/// @param workload the workload
/// @param rates the ports' rates, for Gamma
/// @param limits what counts as short and as narrow
std::vector<CoflowRecord> MakeCoflowRecords(const Workload& workload,
                                            const PortRates& rates,
                                            const BinLimits& limits = {});

/// @return the text of coflows.csv; times in seconds, sizes in bytes, what is unknown is empty
std::string ToCsv(const std::vector<CoflowRecord>& records);

/// @return the text of flows.csv
std::string ToCsv(const std::vector<FlowRecord>& records);

} // namespace coflow

#endif // COFLOW_RECORD_H
