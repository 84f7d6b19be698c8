/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bounds.h"

#include "ns3/coflow-bssi.h"
#include "ns3/coflow-flow-table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace coflow
{

namespace
{

/// A coflow at a port.
struct Job
{
    std::uint32_t coflow; ///< position in the workload
    double release;       ///< arrival, in seconds
    double length;        ///< time at the port, in seconds
    double weight;        ///< its part of the coflow's weight at this port
    double value;         ///< mean busy time + length / 2 of the last schedule
};

/// Runs one machine over jobs sorted by release. At any time it works on the available job
/// with the smallest key.
/// @param key key(position, length left); does not grow while a job is worked on
/// @param work told of every stretch of work: (position, from, to)
/// @param done told of every completion: (position, time)
template <class Key, class Work, class Done>
void
RunMachine(const std::vector<Job>& jobs, Key key, Work work, Done done)
{
    using Entry = std::pair<double, std::uint32_t>;
    std::vector<Entry> available; // a heap, the smallest on top
    std::vector<double> left(jobs.size());
    std::size_t next = 0;
    double now = 0;
    while (next < jobs.size() || !available.empty())
    {
        if (available.empty())
        {
            now = std::max(now, jobs[next].release);
        }
        for (; next < jobs.size() && jobs[next].release <= now; ++next)
        {
            left[next] = jobs[next].length;
            const auto position = static_cast<std::uint32_t>(next);
            available.emplace_back(key(position, left[next]), position);
            std::push_heap(available.begin(), available.end(), std::greater<>());
        }
        const std::uint32_t job = available.front().second;
        const double end = now + left[job];
        if (next < jobs.size() && jobs[next].release < end)
        {
            work(job, now, jobs[next].release);
            left[job] = end - jobs[next].release;
            now = jobs[next].release;
            // It stays on top.
            available.front().first = key(job, left[job]);
            continue;
        }
        std::pop_heap(available.begin(), available.end(), std::greater<>());
        available.pop_back();
        work(job, now, end);
        done(job, end);
        now = end;
    }
}

/// Sum of the completion times under shortest remaining processing time.
double
ShortestRemaining(const std::vector<Job>& jobs)
{
    double sum = 0;
    RunMachine(
        jobs,
        [](std::uint32_t, double left) { return left; },
        [](std::uint32_t, double, double) {},
        [&](std::uint32_t, double time) { sum += time; });
    return sum;
}

/// B_p(u): computes every job's value, and returns the sum of weight x value.
double
MeanBusyTimes(std::vector<Job>& jobs)
{
    for (Job& job : jobs)
    {
        job.value = job.length / 2;
    }
    RunMachine(
        jobs,
        [&](std::uint32_t j, double) { return -jobs[j].weight / jobs[j].length; },
        [&](std::uint32_t j, double from, double to) {
            jobs[j].value += (from + to) / 2 * ((to - from) / jobs[j].length);
        },
        [](std::uint32_t, double) {});
    double sum = 0;
    for (const Job& job : jobs)
    {
        sum += job.weight * job.value;
    }
    return sum;
}

/// The coflows of a workload as jobs of every port.
class JobShop
{
  public:
    JobShop(const Workload& workload, const PortRates& capacity, std::span<const double> weights)
        : m_weight(weights.begin(), weights.end()),
          m_release(workload.coflows.size()),
          m_alone(workload.coflows.size(), 0.0),
          m_ports(2 * capacity.ingress.size())
    {
        m_weight.resize(workload.coflows.size(), 1.0);
        FlowTable table;
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            m_release[c] = static_cast<double>(workload.coflows[c].arrival) * 1e-9;
            m_alone[c] = m_release[c];
            table.Add(workload.coflows[c], c, 0, false);
        }
        PortBudget budget;
        budget.Reset(capacity);
        m_loads.Compute(table.Clairvoyant(0), table.Remaining(), capacity.ingress.size());
        for (std::size_t r = 0; r < table.Rows().size(); ++r)
        {
            const std::uint32_t c = table.Rows()[r].index;
            m_alone[c] = m_release[c] + Gamma(m_loads.Of(r), budget);
            std::vector<PortDemand> lengths;
            for (const PortDemand& d : m_loads.Of(r))
            {
                lengths.push_back({d.port, d.load / budget.Capacity(d.port)});
                m_ports[d.port].push_back({c, m_release[c], lengths.back().load, 0.0, 0.0});
            }
            m_rows.push_back(c);
            m_lengths.push_back(std::move(lengths));
        }
        // The workload is sorted by arrival, so the jobs of every port are.
        m_rest = m_weight;
    }

    /// Sum of weight x (arrival + Gamma).
    double Alone() const
    {
        return std::inner_product(m_weight.begin(), m_weight.end(), m_alone.begin(), 0.0);
    }

    /// Sum of weight x arrival.
    double Releases() const
    {
        return std::inner_product(m_weight.begin(), m_weight.end(), m_release.begin(), 0.0);
    }

    /// Sum of the weights.
    double Weights() const
    {
        return std::accumulate(m_weight.begin(), m_weight.end(), 0.0);
    }

    /// The best bound that one port gives together with facts 1 and 2; needs weights 1.
    double BestPort() const
    {
        double best = 0;
        const double alone = Alone();
        for (const std::vector<Job>& jobs : m_ports)
        {
            double others = alone;
            for (const Job& job : jobs)
            {
                others -= m_alone[job.coflow];
            }
            best = std::max(best, others + ShortestRemaining(jobs));
        }
        return best;
    }

    /// Splits the weights as the dual of the primal-dual ordering does.
    void SplitByOrdering()
    {
        std::vector<std::span<const PortDemand>> loads(m_lengths.begin(), m_lengths.end());
        std::vector<double> weights;
        for (std::uint32_t c : m_rows)
        {
            weights.push_back(m_weight[c]);
        }
        BssiOrder(loads, m_ports.size(), weights, [&](const BssiStep& step) {
            std::vector<std::uint8_t> member(m_weight.size(), 0);
            for (std::uint32_t r : step.members)
            {
                member[m_rows[r]] = 1;
            }
            for (Job& job : m_ports[step.port])
            {
                if (member[job.coflow])
                {
                    const double paid = std::min(m_rest[job.coflow], step.price * job.length);
                    job.weight += paid;
                    m_rest[job.coflow] -= paid;
                }
            }
        });
    }

    /// Takes some weight from where it is and spreads it evenly, so that multiplicative
    /// updates can reach every part.
    void Mix(double fraction)
    {
        std::vector<double> parts(m_weight.size(), 1.0);
        ForEachJob([&](Job& job) { ++parts[job.coflow]; });
        const auto mixed = [&](double value, std::uint32_t c) {
            return (1 - fraction) * value + fraction * m_weight[c] / parts[c];
        };
        ForEachJob([&](Job& job) { job.weight = mixed(job.weight, job.coflow); });
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_rest[c] = mixed(m_rest[c], c);
        }
    }

    /// The bound that the split at hand gives; computes the values of all jobs.
    double Value()
    {
        double sum = std::inner_product(m_rest.begin(), m_rest.end(), m_alone.begin(), 0.0);
        for (std::vector<Job>& jobs : m_ports)
        {
            sum += MeanBusyTimes(jobs);
        }
        return sum;
    }

    /// Moves weight to the parts with the largest values.
    void Improve(double step)
    {
        // Relative to the largest value of the coflow, counted from its arrival.
        std::vector<double> best(m_alone);
        ForEachJob([&](Job& job) { best[job.coflow] = std::max(best[job.coflow], job.value); });
        const auto factor = [&](double value, std::uint32_t c) {
            const double scale = best[c] - m_release[c];
            return scale > 0 ? std::exp(step * (value - best[c]) / scale) : 1.0;
        };
        std::vector<double> sum(m_weight.size());
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_rest[c] *= factor(m_alone[c], c);
            sum[c] = m_rest[c];
        }
        ForEachJob([&](Job& job) {
            job.weight *= factor(job.value, job.coflow);
            sum[job.coflow] += job.weight;
        });
        ForEachJob([&](Job& job) { job.weight *= m_weight[job.coflow] / sum[job.coflow]; });
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_rest[c] *= m_weight[c] / sum[c];
        }
    }

  private:
    /// Calls a function with every job of every port.
    template <class Function>
    void ForEachJob(Function function)
    {
        for (std::vector<Job>& jobs : m_ports)
        {
            std::for_each(jobs.begin(), jobs.end(), function);
        }
    }

    std::vector<double> m_weight;                   ///< w_k
    std::vector<double> m_release;                  ///< a_k, in seconds
    std::vector<double> m_alone;                    ///< a_k + Gamma_k
    std::vector<double> m_rest;                     ///< z_k
    std::vector<std::vector<Job>> m_ports;          ///< jobs per port, by release
    CoflowLoads m_loads;                            ///< bytes per port of coflows with flows
    std::vector<std::uint32_t> m_rows;              ///< which coflows those are
    std::vector<std::vector<PortDemand>> m_lengths; ///< the same in seconds
};

} // namespace

CctBound
LowerBound(const Workload& workload,
           const PortRates& capacity,
           std::span<const double> weights,
           int rounds)
{
    if (workload.coflows.empty())
    {
        return {};
    }
    JobShop shop(workload, capacity, weights);
    double best = shop.Alone();
    if (weights.empty())
    {
        best = std::max(best, shop.BestPort());
    }
    shop.SplitByOrdering();
    best = std::max(best, shop.Value());
    shop.Mix(0.1);
    for (int round = 0; round < rounds; ++round)
    {
        best = std::max(best, shop.Value());
        shop.Improve(3 / std::sqrt(1.0 + round));
    }
    CctBound bound;
    bound.weightedSum = std::max(0.0, best * (1 - 1e-9) - shop.Releases());
    bound.mean = bound.weightedSum / shop.Weights();
    return bound;
}

} // namespace coflow
