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

/// The time that a run has jumped over, and the reasons why it was not more.
struct JumpTotals
{
    uint64_t jumps{0};             ///< number of jumps
    double skippedSeconds{0};      ///< sum of all jumps, in seconds
    uint64_t skippedBytes{0};      ///< payload bytes that flows have sent without packets
    uint64_t skippedPacketHops{0}; ///< packets counted by ports and not simulated
    double skippedPercent{0}; ///< percentage of `skippedPacketHops` in all packet-hops of the run
    uint64_t endsWithoutPackets{0}; ///< number of flows whose last bytes arrived without packets
    /// Largest load of any port at any checked time: the sum of rates, with headers and
    /// acknowledgements, relative to the port's capacity.
    double largestLoad{0};

    /// What was simulated packet by packet for one reason.
    struct Simulated
    {
        std::string reason; ///< name of the reason
        uint64_t looks{0};  ///< number of checks (see TimeJumper) with this reason
        double seconds{0};  ///< sum of the packet times until the next check
        uint64_t events{0}; ///< number of events in this time
    };

    std::vector<Simulated> simulated; ///< counts of every reason

    /// @return all members, for summary.json
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
