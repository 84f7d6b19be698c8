/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-facts.h"

#include "ns3/coflow-statistics.h"
#include "ns3/coflow-summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace coflow
{

namespace
{

/// Marks coflows that were at one port at the same time. Of the coflows so far, only the coflow
/// with the latest finish is stored: a new coflow that overlaps with any earlier coflow also
/// overlaps with this coflow.
class PortVisits
{
  public:
    /// @param coflow position of a coflow; calls are in the order of arrival
    /// @param from arrival of the coflow
    /// @param until finish of the coflow
    /// @param met by coflow: whether it has shared a port with another coflow
    void Add(std::size_t coflow, Nanoseconds from, Nanoseconds until, std::vector<bool>& met)
    {
        if (m_until > from && m_longest != coflow)
        {
            met[m_longest] = true;
            met[coflow] = true;
        }
        if (until > m_until)
        {
            m_until = until;
            m_longest = coflow;
        }
    }

  private:
    std::size_t m_longest{0}; ///< position of the coflow with the latest finish
    Nanoseconds m_until{0};   ///< finish of this coflow
};

std::size_t
CountMeetings(const Workload& workload, const std::vector<CoflowRecord>& records)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        if (records[i].admitted || records[i].IsFinished())
        {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(order, {}, [&records](std::size_t i) { return records[i].arrival; });
    std::vector<PortVisits> uplinks(workload.hosts);
    std::vector<PortVisits> downlinks(workload.hosts);
    std::vector<bool> met(records.size());
    for (const auto i : order)
    {
        const auto loads = ComputePortLoads(workload.coflows[i]);
        for (auto [ports, used] :
             {std::pair{&uplinks, &loads.ingress}, std::pair{&downlinks, &loads.egress}})
        {
            for (const auto& load : *used)
            {
                if (load.bytes > 0)
                {
                    (*ports)[load.host].Add(i, records[i].arrival, records[i].finish, met);
                }
            }
        }
    }
    return static_cast<std::size_t>(std::ranges::count(met, true));
}

} // namespace

void
RunFacts::Add(const Workload& workload,
              const std::vector<CoflowRecord>& records,
              const std::vector<FlowRecord>& flows,
              const PortRates& rates)
{
    // Per coflow: finish of the flow that finished last, and whether this flow has retransmissions.
    std::map<CoflowId, std::pair<Nanoseconds, bool>> last;
    for (const auto& flow : flows)
    {
        if (flow.finish != NEVER)
        {
            auto& entry = last[flow.coflow];
            entry = std::max(entry, {flow.finish, flow.retransmits > 0});
        }
    }
    std::vector<double> gammas;
    std::vector<double> ccts;
    double bytes = 0;
    double bytesBypassed = 0;
    coflows = records.size();
    for (const auto& record : records)
    {
        bytes += static_cast<double>(record.fabricBytes);
        if (record.bypassed)
        {
            ++bypassed;
            bytesBypassed += static_cast<double>(record.fabricBytes);
        }
        if (!record.IsFinished())
        {
            continue;
        }
        if (!record.bypassed && record.fabricBytes > 0)
        {
            gammas.push_back(record.MinCctSeconds());
            ccts.push_back(record.CctSeconds());
        }
        const auto entry = last.find(record.id);
        if (shortestTimeout > 0 && entry != last.end() && entry->second.second)
        {
            timedOut += record.CctSeconds() - record.MinCctSeconds() >= shortestTimeout;
        }
    }
    bypassedBytes = bytes > 0 ? bytesBypassed / bytes : 0;
    portRate = rates.ingress.empty() ? 0 : *std::ranges::max_element(rates.ingress);
    std::ranges::sort(gammas);
    std::ranges::sort(ccts);
    scheduled = ccts.size();
    medianGamma = Quantile(gammas, 0.5);
    medianCct = Quantile(ccts, 0.5);
    metAtPort = CountMeetings(workload, records);
    std::ranges::stable_sort(controlPeriods, std::greater<>(), &ControlPeriod::seconds);
    const auto offered = ComputeOfferedLoad(workload, rates);
    arrivalSpan = offered.seconds;
    offeredLoad = offered.seconds > 0 ? offered.busiest : 0;
    arrivalsMoved = std::ranges::any_of(workload.history, [](const std::string& step) {
        return step.starts_with("transform load=") || step.starts_with("transform scale-time=");
    });
}

} // namespace coflow
