/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bounds.h"

#include "ns3/coflow-bssi.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-least-time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace coflow
{

namespace
{

/// Time in 2^-20 ns. Sums and differences of it are exact: lengths have at most 82 bits (62 of
/// them nanoseconds), and a sum over pairs of four million coflows has 126.
__extension__ using Ticks = __int128;

constexpr double TICKS_PER_NS = 1 << 20;

/// @param ns 0 to LONGEST_NS; rounded down
Ticks
ToTicks(double ns)
{
    return static_cast<Ticks>(ns * TICKS_PER_NS);
}

/// Nanoseconds, to 53 bits.
double
ToNs(Ticks ticks)
{
    // Most times fit into 64 bits, which is much faster.
    const auto low = static_cast<std::int64_t>(ticks);
    return (low == ticks ? static_cast<double>(low) : static_cast<double>(ticks)) / TICKS_PER_NS;
}

/// A coflow at a port.
struct Job
{
    std::uint32_t coflow; ///< position in the workload
    Ticks release;        ///< arrival
    Ticks length;         ///< time at the port, > 0
    double lengthNs;      ///< the same in ns
    double weight;        ///< its part of the coflow's weight at this port
    double value;         ///< mean busy time + length / 2 of the last schedule, in ns after the
                          ///< release
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
    using Entry = std::pair<decltype(key(0, Ticks{})), std::uint32_t>;
    std::vector<Entry> available; // a heap, the smallest on top
    std::vector<Ticks> left(jobs.size());
    std::size_t next = 0;
    Ticks now = 0;
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
        const Ticks end = now + left[job];
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

/// Sum of the times from release to completion under shortest remaining processing time.
Ticks
ShortestRemaining(const std::vector<Job>& jobs)
{
    Ticks sum = 0;
    RunMachine(
        jobs,
        [](std::uint32_t, Ticks left) { return left; },
        [](std::uint32_t, Ticks, Ticks) {},
        [&](std::uint32_t job, Ticks time) { sum += time - jobs[job].release; });
    return sum;
}

/// B_p(u) counted from the releases, in ns: computes every job's value, and returns the sum of
/// weight x value.
double
MeanBusyTimes(std::vector<Job>& jobs)
{
    for (Job& job : jobs)
    {
        job.value = job.lengthNs / 2;
    }
    RunMachine(
        jobs,
        [&](std::uint32_t j, Ticks) { return -jobs[j].weight / jobs[j].lengthNs; },
        [&](std::uint32_t j, Ticks from, Ticks to) {
            // Counted from the release in integers, so that only positive numbers are added and
            // nothing cancels out, however late the release is.
            Job& job = jobs[j];
            job.value += (ToNs(from - job.release) + ToNs(to - job.release)) / 2 *
                         (ToNs(to - from) / job.lengthNs);
        },
        [](std::uint32_t, Ticks) {});
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
    JobShop(const Workload& workload,
            const PortRates& capacity,
            std::span<const double> weights,
            const PathMap* paths)
        : m_weight(weights.begin(), weights.end()),
          m_alone(workload.coflows.size(), 0),
          m_aloneNs(workload.coflows.size(), 0.0),
          m_ports(2 * capacity.ingress.size() + (paths ? 2 * paths->Cuts().size() : 0))
    {
        m_weight.resize(workload.coflows.size(), 1.0);
        FlowTable table;
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            table.Add(workload.coflows[c], c, workload.coflows[c].arrival);
        }
        PortBudget budget;
        budget.Reset(capacity);
        CoflowLoads bytes;
        CoflowLoads flows;
        const auto view = table.Clairvoyant(0);
        bytes.Compute(view, table.Remaining(), capacity.ingress.size());
        flows.Compute(view,
                      std::vector<double>(table.Remaining().size(), 1.0),
                      capacity.ingress.size());
        std::vector<double> flowsAt(m_ports.size());
        for (std::size_t r = 0; r < table.Rows().size(); ++r)
        {
            for (const PortDemand& d : flows.Of(r))
            {
                flowsAt[d.port] = d.load;
            }
            const std::uint32_t c = table.Rows()[r].index;
            const Nanoseconds arrival = workload.coflows[c].arrival;
            m_rows.push_back(c);
            m_lengths.emplace_back();
            for (const PortDemand& d : bytes.Of(r))
            {
                AddJob(d.port,
                       arrival,
                       ToTicks(LeastPortNs(d.load, flowsAt[d.port], budget.Capacity(d.port))));
            }
            if (paths)
            {
                AddCuts(workload.coflows[c], *paths, 2 * capacity.ingress.size());
            }
            m_aloneNs[c] = ToNs(m_alone[c]);
        }
        // The workload is sorted by arrival, so the jobs of every port are.
        m_rest = m_weight;
    }

    /// Sum of weight x Gamma, in ns.
    double Alone() const
    {
        return std::inner_product(m_weight.begin(), m_weight.end(), m_aloneNs.begin(), 0.0);
    }

    /// Sum of the weights.
    double Weights() const
    {
        return std::accumulate(m_weight.begin(), m_weight.end(), 0.0);
    }

    /// How much of a bound rounding may have added, relative: what is summed up is positive, so
    /// each of the terms adds two roundings at most. The 1e-9 are for ratios and exponentials,
    /// and for policies that hand out a little more than a port has.
    double Margin() const
    {
        const auto terms = static_cast<double>(m_jobs + m_weight.size());
        return 1e-9 + 4 * std::numeric_limits<double>::epsilon() * terms;
    }

    /// The best bound that one port gives together with facts 1 and 2, in ns; needs weights 1.
    double BestPort() const
    {
        Ticks best = 0;
        const Ticks alone = std::accumulate(m_alone.begin(), m_alone.end(), Ticks{0});
        for (const std::vector<Job>& jobs : m_ports)
        {
            Ticks others = alone;
            for (const Job& job : jobs)
            {
                others -= m_alone[job.coflow];
            }
            best = std::max(best, others + ShortestRemaining(jobs));
        }
        return ToNs(best);
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
                    const double paid = std::min(m_rest[job.coflow], step.price * job.lengthNs);
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

    /// The bound that the split at hand gives, in ns; computes the values of all jobs.
    double Value()
    {
        double sum = std::inner_product(m_rest.begin(), m_rest.end(), m_aloneNs.begin(), 0.0);
        for (std::vector<Job>& jobs : m_ports)
        {
            sum += MeanBusyTimes(jobs);
        }
        return sum;
    }

    /// Moves weight to the parts with the largest values.
    void Improve(double step)
    {
        // Relative to the largest value of the coflow.
        std::vector<double> best(m_aloneNs);
        ForEachJob([&](Job& job) { best[job.coflow] = std::max(best[job.coflow], job.value); });
        const auto factor = [&](double value, std::uint32_t c) {
            return best[c] > 0 ? std::exp(step * (value / best[c] - 1)) : 1.0;
        };
        std::vector<double> sum(m_weight.size());
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_rest[c] *= factor(m_aloneNs[c], c);
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
    /// Adds the last coflow of m_rows as a job of a port.
    void AddJob(std::size_t port, Nanoseconds arrival, Ticks length)
    {
        // What is within rounding takes no time.
        if (length > 0)
        {
            const std::uint32_t c = m_rows.back();
            m_alone[c] = std::max(m_alone[c], length);
            m_lengths.back().push_back({static_cast<HostPort>(port), ToNs(length)});
            m_ports[port].push_back({c, ToTicks(1) * arrival, length, ToNs(length), 0.0, 0.0});
            ++m_jobs;
        }
    }

    /// Adds a coflow as a job of the cuts that it passes, and the time that its flows take on their
    /// fastest paths.
    /// @param first port that stands for the first cut
    void AddCuts(const Coflow& coflow, const PathMap& paths, std::size_t first)
    {
        const auto& cuts = paths.Cuts();
        for (std::size_t i = 0; i < cuts.size(); ++i)
        {
            const FabricCut& cut = cuts[i];
            double bytes[2] = {0, 0};
            double flows[2] = {0, 0};
            for (const Flow& flow : coflow.flows)
            {
                if (flow.bytes > 0 && cut.inside[flow.src] != cut.inside[flow.dst])
                {
                    const int way = cut.inside[flow.src] != 0 ? 0 : 1;
                    bytes[way] += static_cast<double>(flow.bytes);
                    ++flows[way];
                }
            }
            for (int way : {0, 1})
            {
                if (bytes[way] > 0)
                {
                    const double rate = way == 0 ? cut.out : cut.in;
                    AddJob(first + 2 * i + static_cast<std::size_t>(way),
                           coflow.arrival,
                           ToTicks(LeastPortNs(bytes[way], flows[way], rate)));
                }
            }
        }
        Ticks& alone = m_alone[m_rows.back()];
        for (const Flow& flow : coflow.flows)
        {
            if (flow.bytes > 0 && !flow.IsLocal())
            {
                const double rate = paths.BestRate(flow.src, flow.dst);
                alone =
                    std::max(alone, ToTicks(LeastPortNs(static_cast<double>(flow.bytes), 1, rate)));
            }
        }
    }

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
    std::vector<Ticks> m_alone;                     ///< Gamma_k
    std::vector<double> m_aloneNs;                  ///< the same in ns
    std::vector<double> m_rest;                     ///< z_k
    std::vector<std::vector<Job>> m_ports;          ///< jobs per port, by release
    std::size_t m_jobs{0};                          ///< number of jobs of all ports
    std::vector<std::uint32_t> m_rows;              ///< coflows with flows
    std::vector<std::vector<PortDemand>> m_lengths; ///< their lengths per port, in ns
};

} // namespace

CctBound
LowerBound(const Workload& workload,
           const PortRates& capacity,
           std::span<const double> weights,
           int rounds,
           const PathMap* paths)
{
    if (workload.coflows.empty())
    {
        return {};
    }
    JobShop shop(workload, capacity, weights, paths);
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
    bound.weightedSum = best * (1 - shop.Margin()) * 1e-9;
    bound.mean = bound.weightedSum / shop.Weights();
    return bound;
}

} // namespace coflow
