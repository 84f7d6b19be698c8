/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-contention.h"

#include "ns3/coflow-order-by.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace coflow
{

namespace
{

/// Whether a scheduler can change the completion time of a coflow that is alone. A scheduler cannot
/// do so where all flows share one port, because the port is busy until all flows have finished, in
/// any order.
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
    std::vector<std::size_t> order;
    OrderBy(order, records, &CoflowRecord::arrival);
    // Per port: latest finish of the coflows so far; uplinks first, then downlinks.
    std::vector<Nanoseconds> taken(std::size_t{2} * workload.hosts, 0);
    Nanoseconds links = 0; // latest finish of the coflows so far, for links inside the network
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
        // Flows of one coflow do not contend with each other. So all ports are checked before any
        // port is updated.
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
