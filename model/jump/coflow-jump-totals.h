/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JUMP_TOTALS_H
#define COFLOW_JUMP_TOTALS_H

#include "ns3/coflow-json.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// How much time a run has jumped over, and why not more.
struct JumpTotals
{
    uint64_t jumps{0};
    double skippedSeconds{0};
    uint64_t skippedBytes{0};      ///< payload that flows were credited with
    uint64_t skippedPacketHops{0}; ///< packets that ports were credited with
    /// Of all ports and all times at which it mattered, the largest sum of rates as a part of what
    /// the port carries, with headers and acknowledgements.
    double largestLoad{0};
    /// Reasons for which time was not jumped over, and how often a look has found them.
    std::vector<std::pair<std::string, uint64_t>> looksWithoutJump;

    /// @return all of it, for summary.json
    ::coflow::Json ToJson() const
    {
        auto looks = ::coflow::Json::Object();
        for (const auto& [reason, count] : looksWithoutJump)
        {
            looks.Set(reason, count);
        }
        return ::coflow::Json::Object()
            .Set("jumps", jumps)
            .Set("skipped_s", skippedSeconds)
            .Set("skipped_bytes", skippedBytes)
            .Set("skipped_packet_hops", skippedPacketHops)
            .Set("largest_load", largestLoad)
            .Set("looks_without_jump", looks);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_JUMP_TOTALS_H
