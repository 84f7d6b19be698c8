/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bounds.h"

#include "ns3/coflow-bound-machine.h"
#include "ns3/coflow-bssi.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-least-time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

namespace
{

/// Largest number of jobs times rounds of a search, which takes 0.1 to 0.3 s of CPU time.
constexpr std::size_t LONGEST_SEARCH = 6'000'000;

/// Length of a step of the search: the first length, the longest length, and the factors after a
/// round that was better or worse than the round before.
constexpr double FIRST_STEP = 1.5;
constexpr double LONGEST_STEP = 100;
constexpr double FASTER = 1.07;
constexpr double SLOWER = 0.8;

/// @param ns 0 to LONGEST_NS; rounded down
Ticks
ToTicks(double ns)
{
    return static_cast<Ticks>(ns * TICKS_PER_NS);
}

/// The coflows of a workload as jobs of every port.
class JobShop
{
  public:
    JobShop(const Workload& workload, const PortRates& capacity, const PathMap* paths)
        : m_alone(workload.coflows.size(), 0),
          m_aloneNs(workload.coflows.size(), 0.0),
          m_rest(workload.coflows.size(), 1.0),
          m_restTrend(workload.coflows.size(), 0.0F),
          m_scale(workload.coflows.size(), 1.0),
          m_ports(2 * capacity.ingress.size() + (paths ? 2 * paths->Cuts().size() : 0))
    {
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
        bytes.ComputeBytes(view, capacity);
        flows.ComputeCounts(view, capacity);
        std::vector<double> flowsAt(m_ports.size());
        // The workload is sorted by arrival, so the jobs of every port are also sorted.
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
                       LeastPortNs(d.load, flowsAt[d.port], budget.Capacity(d.port)));
            }
            if (paths)
            {
                AddCuts(workload.coflows[c], *paths, 2 * capacity.ingress.size());
            }
            m_aloneNs[c] = ToNs(m_alone[c]);
        }
    }

    /// Number of jobs of all ports.
    std::size_t Jobs() const
    {
        return m_jobs;
    }

    /// Sum of Gamma, in ns.
    double Alone() const
    {
        return std::accumulate(m_aloneNs.begin(), m_aloneNs.end(), 0.0);
    }

    /// Relative error by which rounding may have raised a bound. All terms of the sums are
    /// positive, so each term adds at most two roundings. The 1e-9 covers ratios and exponentials,
    /// and policies that exceed the capacity of a port slightly.
    double Margin() const
    {
        const auto terms = static_cast<double>(m_jobs + m_rest.size());
        return 1e-9 + 4 * std::numeric_limits<double>::epsilon() * terms;
    }

    /// The best bound of a single port by facts 1 and 2 of LowerBound(), in ns.
    double BestPort() const
    {
        Ticks best = 0;
        const Ticks alone = std::accumulate(m_alone.begin(), m_alone.end(), Ticks{0});
        for (const BoundMachine& port : m_ports)
        {
            Ticks others = alone;
            for (const auto& job : port.jobs)
            {
                others -= m_alone[job.coflow];
            }
            best = std::max(best, others + ShortestRemaining(port.jobs));
        }
        return ToNs(best);
    }

    /// Splits the weight 1 of every coflow by the dual solution of the primal-dual ordering.
    void SplitByOrdering()
    {
        std::vector<std::span<const PortDemand>> loads(m_lengths.begin(), m_lengths.end());
        const std::vector<double> weights(m_rows.size(), 1.0);
        BssiOrder(loads, m_ports.size(), weights, [&](const BssiStep& step) {
            std::vector<std::uint8_t> member(m_rest.size(), 0);
            for (std::uint32_t r : step.members)
            {
                member[m_rows[r]] = 1;
            }
            for (BoundJob& job : m_ports[step.port].jobs)
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

    /// Mixes the split with an equal split, so that no part is 0. Multiplicative updates do not
    /// change a part of 0.
    void Mix(double fraction)
    {
        std::vector<double> parts(m_rest.size(), 1.0);
        ForEachJob([&](BoundJob& job) { ++parts[job.coflow]; });
        const auto mixed = [&](double value, std::uint32_t c) {
            return (1 - fraction) * value + fraction / parts[c];
        };
        ForEachJob([&](BoundJob& job) { job.weight = mixed(job.weight, job.coflow); });
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_rest[c] = mixed(m_rest[c], c);
        }
    }

    /// The bound of the present split, in ns. Computes the values of all jobs.
    double Value()
    {
        double sum = std::inner_product(m_rest.begin(), m_rest.end(), m_aloneNs.begin(), 0.0);
        m_best = m_aloneNs;
        for (BoundMachine& port : m_ports)
        {
            sum += MeanBusyTimes(port, m_scale, m_best);
        }
        m_scale.assign(m_rest.size(), 1.0);
        return sum;
    }

    /// Moves weight to the parts with the largest values. Needs the values of the split.
    void Improve(double step)
    {
        // Values jump when jobs change places in the order, so the directions of several rounds are
        // averaged.
        constexpr double KEPT = 0.8;
        const auto move = [&](double& part, float& trend, double value, std::uint32_t c) {
            const double ratio = m_best[c] > 0 ? value / m_best[c] : 1;
            trend = static_cast<float>(KEPT * trend + (1 - KEPT) * (ratio - 1));
            part *= std::exp(step * trend);
        };
        std::vector<double> sum(m_rest.size());
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            move(m_rest[c], m_restTrend[c], m_aloneNs[c], c);
            sum[c] = m_rest[c];
        }
        ForEachJob([&](BoundJob& job) {
            move(job.weight, job.trend, job.value, job.coflow);
            sum[job.coflow] += job.weight;
        });
        for (std::uint32_t c = 0; c < m_rest.size(); ++c)
        {
            m_scale[c] = 1 / sum[c];
            m_rest[c] *= m_scale[c];
        }
    }

  private:
    /// Adds the last coflow of m_rows as a job of a port.
    void AddJob(std::size_t port, Nanoseconds arrival, double ns)
    {
        const auto length = ToTicks(ns);
        // A length of 0 is within the rounding of records.
        if (length > 0)
        {
            const std::uint32_t c = m_rows.back();
            m_alone[c] = std::max(m_alone[c], length);
            m_lengths.back().push_back({static_cast<HostPort>(port), ToNs(length)});
            m_ports[port].jobs.push_back({ToTicks(1) * arrival, length, ToNs(length), c});
            ++m_jobs;
        }
    }

    /// Adds a coflow as a job of the cuts that its flows pass. Raises its Gamma to the times of its
    /// flows on their fastest paths.
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
                           LeastPortNs(bytes[way], flows[way], rate));
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
        for (BoundMachine& port : m_ports)
        {
            std::ranges::for_each(port.jobs, function);
        }
    }

    std::vector<Ticks> m_alone;                     ///< Gamma_k
    std::vector<double> m_aloneNs;                  ///< Gamma_k in ns
    std::vector<double> m_rest;                     ///< z_k
    std::vector<float> m_restTrend;                 ///< the same as BoundJob::trend, for z_k
    std::vector<double> m_scale;                    ///< factor for the weights of jobs, so that the
                                                    ///< parts of a coflow add up to 1
    std::vector<double> m_best;                     ///< per coflow: its largest value
    std::vector<BoundMachine> m_ports;              ///< ports, then cuts
    std::size_t m_jobs{0};                          ///< number of jobs of all ports
    std::vector<std::uint32_t> m_rows;              ///< coflows with jobs, by position
    std::vector<std::vector<PortDemand>> m_lengths; ///< per entry of m_rows: lengths per port, in
                                                    ///< ns
};

} // namespace

CctBound
LowerBound(const Workload& workload, const PortRates& capacity, int rounds, const PathMap* paths)
{
    if (workload.coflows.empty())
    {
        return {};
    }
    JobShop shop(workload, capacity, paths);
    double best = std::max(shop.Alone(), shop.BestPort());
    shop.SplitByOrdering();
    best = std::max(best, shop.Value());
    shop.Mix(0.1);
    double step = FIRST_STEP;
    double before = 0;
    CctBound bound;
    bound.rounds = std::min(rounds, static_cast<int>(LONGEST_SEARCH / (shop.Jobs() + 1)));
    for (int round = 0; round < bound.rounds; ++round)
    {
        const double value = shop.Value();
        best = std::max(best, value);
        step = std::min(step * (value >= before ? FASTER : SLOWER), LONGEST_STEP);
        before = value;
        shop.Improve(step);
    }
    bound.mean = best * (1 - shop.Margin()) * 1e-9 / static_cast<double>(workload.coflows.size());
    return bound;
}

} // namespace coflow
