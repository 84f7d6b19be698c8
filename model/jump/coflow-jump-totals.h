/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JUMP_TOTALS_H
#define COFLOW_JUMP_TOTALS_H

#include "ns3/coflow-json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// How much time a run has jumped over, and why not more.
struct JumpTotals
{
    uint64_t jumps{0};
    double skippedSeconds{0};
    uint64_t skippedBytes{0};       ///< payload that flows have sent without packets
    uint64_t skippedPacketHops{0};  ///< packets that ports count and that were not simulated
    double skippedPercent{0};       ///< these, as a part of all packet-hops of the run
    uint64_t endsWithoutPackets{0}; ///< flows whose last bytes arrived without packets
    /// Of all ports and all times at which it mattered, the largest sum of rates as a part of what
    /// the port carries, with headers and acknowledgements.
    double largestLoad{0};

    /// What was simulated packet by packet for one reason.
    struct Simulated
    {
        std::string reason;
        uint64_t looks{0};  ///< how often a look has found the reason
        double seconds{0};  ///< time until the next look, in sum
        uint64_t events{0}; ///< events that ran in that time
    };

    std::vector<Simulated> simulated; ///< for each reason

    /// @return all of it, for summary.json
    ::coflow::Json ToJson() const
    {
        auto reasons = ::coflow::Json::Object();
        for (const auto& [reason, looks, seconds, events] : simulated)
        {
            reasons.Set(reason,
                        ::coflow::Json::Object()
                            .Set("looks", looks)
                            .Set("simulated_s", seconds)
                            .Set("events", events));
        }
        return ::coflow::Json::Object()
            .Set("jumps", jumps)
            .Set("skipped_s", skippedSeconds)
            .Set("skipped_bytes", skippedBytes)
            .Set("skipped_packet_hops", skippedPacketHops)
            .Set("skipped_packet_hops_percent", skippedPercent)
            .Set("ends_without_packets", endsWithoutPackets)
            .Set("largest_load", largestLoad)
            .Set("simulated_since", reasons);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_JUMP_TOTALS_H
