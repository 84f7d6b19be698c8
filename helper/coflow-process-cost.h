/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROCESS_COST_H
#define COFLOW_PROCESS_COST_H

#include <cstdint>

namespace ns3::coflow
{

/// The cost of this process so far. The difference of two objects is the cost between them.
struct ProcessCost
{
    double cpuSeconds{0};  ///< CPU time of the process (user and system)
    double wallSeconds{0}; ///< time of a steady clock
    uint64_t peakMemoryBytes{0};

    static ProcessCost Now();
};

} // namespace ns3::coflow

#endif // COFLOW_PROCESS_COST_H
