/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROCESS_COST_H
#define COFLOW_PROCESS_COST_H

#include <cstdint>

namespace ns3::coflow
{

/// What this process has cost so far; differences of two tell what lies between.
struct ProcessCost
{
    double cpuSeconds{0};  ///< user and system time
    double wallSeconds{0}; ///< of some clock that does not jump
    uint64_t peakMemoryBytes{0};

    static ProcessCost Now();
};

} // namespace ns3::coflow

#endif // COFLOW_PROCESS_COST_H
