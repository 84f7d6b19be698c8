/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-contention.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

namespace coflow
{

namespace
{

/// Whether a scheduler may decide how long a coflow takes that is alone. It may not where all of
/// its flows have one port in common: that is busy until they have ended, whatever their order.
bool
HasChoice(const Coflow& coflow, ContendedResources places)
{
    std::set<HostId> senders;
    std::set<HostId> receivers;
    std::size_t flows = 0;
    for (const Flow& flow : coflow.flows)
    {
        if (!flow.IsLocal() && flow.bytes > 0)
        {
            senders.insert(flow.src);
            receivers.insert(flow.dst);
            ++flows;
        }
    }
    const bool meet = flows > senders.size() || flows > receivers.size();
    return senders.size() > 1 && receivers.size() > 1 &&
           (meet || places == ContendedResources::PORTS_AND_LINKS);
}

} // namespace

bool
WasContended(const Workload& workload,
             const std::vector<CoflowRecord>& records,
             ContendedResources places)
{
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&records](std::size_t a, std::size_t b) {
        return records[a].arrival < records[b].arrival;
    });
    // Until when each port is taken by coflows so far; uplinks first, then downlinks.
    std::vector<Nanoseconds> taken(std::size_t{2} * workload.hosts, 0);
    Nanoseconds links = 0; // until when links inside the network are taken
    for (const std::size_t i : order)
    {
        const CoflowRecord& record = records[i];
        if (!record.admitted && !record.IsFinished())
        {
            continue;
        }
        if (HasChoice(workload.coflows[i], places))
        {
            return true;
        }
        // The ports of one coflow do not contend with each other: all are looked at before any is
        // taken.
        for (const bool look : {true, false})
        {
            for (const Flow& flow : workload.coflows[i].flows)
            {
                if (flow.IsLocal() || flow.bytes == 0)
                {
                    continue;
                }
                for (Nanoseconds* until :
                     {&taken[flow.src],
                      &taken[workload.hosts + flow.dst],
                      places == ContendedResources::PORTS ? &taken[flow.src] : &links})
                {
                    if (look && record.arrival < *until)
                    {
                        return true;
                    }
                    *until = look ? *until : std::max(*until, record.finish);
                }
            }
        }
    }
    return false;
}

} // namespace coflow
