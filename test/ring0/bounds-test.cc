/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-test-util.h"
#include "simplex.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-bssi.h"
#include "ns3/coflow-statistics.h"

#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// The smallest possible sum of completion times in units, by brute force: every order of arrivals
/// and completions is a linear program over the bytes of each flow in each interval.
class Optimum
{
  public:
    explicit Optimum(const Workload& workload)
        : m_workload(workload)
    {
        std::vector<std::size_t> events;
        Extend(events, 0, std::vector<bool>(workload.coflows.size(), false));
    }

    double Value() const
    {
        return m_best;
    }

  private:
    /// Continues an order of events: c stands for the arrival of coflow c, n + c for its
    /// completion.
    void Extend(std::vector<std::size_t>& events, std::size_t arrived, std::vector<bool> done)
    {
        const std::size_t n = m_workload.coflows.size();
        if (events.size() == 2 * n)
        {
            m_best = std::min(m_best, Solve(events));
            return;
        }
        if (arrived < n)
        {
            events.push_back(arrived);
            Extend(events, arrived + 1, done);
            events.pop_back();
        }
        for (std::size_t c = 0; c < arrived; ++c)
        {
            if (!done[c])
            {
                done[c] = true;
                events.push_back(n + c);
                Extend(events, arrived, done);
                events.pop_back();
                done[c] = false;
            }
        }
    }

    double Solve(const std::vector<std::size_t>& events) const
    {
        const std::size_t n = m_workload.coflows.size();
        const std::size_t intervals = events.size();

        struct Share
        {
            const Flow* flow;
            std::size_t first; ///< first interval in which it may run
            std::size_t last;  ///< last one
        };

        std::vector<Share> shares;
        std::vector<std::size_t> arrival(n);
        std::vector<std::size_t> completion(n);
        for (std::size_t i = 0; i < intervals; ++i)
        {
            (events[i] < n ? arrival[events[i]] : completion[events[i] - n]) = i;
        }
        for (std::size_t c = 0; c < n; ++c)
        {
            for (const Flow& flow : m_workload.coflows[c].flows)
            {
                if (!flow.IsLocal() && flow.bytes > 0)
                {
                    shares.push_back({&flow, arrival[c] + 1, completion[c]});
                }
            }
        }
        const std::size_t variables = intervals * (1 + shares.size());
        const auto bytes = [&](std::size_t s, std::size_t i) { return intervals * (1 + s) + i; };
        LinearProgram program(variables);
        for (std::size_t i = 0; i < intervals; ++i)
        {
            for (std::size_t port = 0; port < 2 * m_workload.hosts; ++port)
            {
                std::vector<double> row(variables, 0.0);
                row[i] = -1;
                for (std::size_t s = 0; s < shares.size(); ++s)
                {
                    const bool uses = port < m_workload.hosts
                                          ? shares[s].flow->src == port
                                          : shares[s].flow->dst + m_workload.hosts == port;
                    if (uses && shares[s].first <= i && i <= shares[s].last)
                    {
                        row[bytes(s, i)] = 1;
                    }
                }
                program.AtMost(row, 0);
            }
        }
        for (std::size_t s = 0; s < shares.size(); ++s)
        {
            std::vector<double> row(variables, 0.0);
            for (std::size_t i = shares[s].first; i <= shares[s].last; ++i)
            {
                row[bytes(s, i)] = 1;
            }
            program.Equal(row, static_cast<double>(shares[s].flow->bytes) / UNIT_BYTES);
        }
        double releases = 0;
        for (std::size_t c = 0; c < n; ++c)
        {
            const double arrived = static_cast<double>(m_workload.coflows[c].arrival) / UNIT;
            releases += arrived;
            std::vector<double> row(variables, 0.0);
            std::fill(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(arrival[c]) + 1, 1.0);
            program.Equal(row, arrived);
            for (std::size_t i = 0; i <= completion[c]; ++i)
            {
                program.Cost(i) += 1;
            }
        }
        return program.Minimum() - releases;
    }

    const Workload& m_workload;
    double m_best{std::numeric_limits<double>::infinity()};
};

/// The bound of the sum, in units.
double
BoundUnits(const Workload& workload)
{
    return LowerBound(workload, PortRates::Uniform(workload.hosts, PORT_RATE)).mean *
           static_cast<double>(workload.coflows.size()) * 1e9 / UNIT;
}

} // namespace

TEST(LowerBound, IsBelowTheOptimumAndThatBelowEveryPolicy)
{
    double quality = 0;
    int instances = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const bool late = seed % 2 == 1;
        const RandomShape shape{3, late ? 3 : 4, 3, 4 * UNIT_BYTES, late ? 4 * UNIT : 0, 0};
        const Workload workload = RandomWorkload(seed, shape);
        const Optimum optimum(workload);
        const double bound = BoundUnits(workload);
        EXPECT_LE(bound, optimum.Value() * (1 + 1e-6)) << "seed " << seed;
        if (optimum.Value() > 0)
        {
            quality += bound / optimum.Value();
            ++instances;
        }
        for (const auto& [name, info] : Policies::All())
        {
            const FluidResult result = RunUnits(workload, name);
            double sum = 0;
            bool all = true;
            for (double cct : Ccts(result))
            {
                all = all && cct >= 0;
                sum += cct;
            }
            if (all)
            {
                EXPECT_LE(optimum.Value(), sum * (1 + 1e-6) + 1e-9) << name << " seed " << seed;
            }
        }
    }
    EXPECT_GT(quality / instances, 0.9) << "it is of some use";
}

TEST(LowerBound, IsExactOnOnePort)
{
    // Shortest remaining first: 2 runs to 2, 5 in 2..3 and 4..8 around 1 in 3..4.
    const Workload workload = MakeWorkload(
        2,
        {MakeCoflow(1, {{0, 1, 2}}), MakeCoflow(2, {{0, 1, 5}}), MakeCoflow(3, {{0, 1, 1}}, 3)});
    EXPECT_NEAR(BoundUnits(workload), 2 + 8 + 1, 1e-6);
    EXPECT_NEAR(Optimum(workload).Value(), 11, 1e-6);
}

TEST(LowerBound, IsAtLeastTheDualOfTheOrdering)
{
    for (unsigned seed = 0; seed < 30; ++seed)
    {
        const Workload workload = RandomWorkload(seed, {6, 12, 8, 4 * UNIT_BYTES, 0, 0});
        std::vector<std::vector<PortDemand>> loads;
        for (const Coflow& coflow : workload.coflows)
        {
            std::vector<PortDemand> row;
            const PortLoads ports = ComputePortLoads(coflow);
            for (const PortLoad& l : ports.ingress)
            {
                row.push_back({l.host, static_cast<double>(l.bytes) / UNIT_BYTES});
            }
            for (const PortLoad& l : ports.egress)
            {
                row.push_back({workload.hosts + l.host, static_cast<double>(l.bytes) / UNIT_BYTES});
            }
            loads.push_back(row);
        }
        const auto loadAt = [&](std::uint32_t row, HostPort port) {
            double load = 0;
            for (const PortDemand& d : loads[row])
            {
                load += d.port == port ? d.load : 0;
            }
            return load;
        };
        const std::vector<std::span<const PortDemand>> spans(loads.begin(), loads.end());
        double dual = 0;
        BssiOrder(spans,
                  2 * workload.hosts,
                  std::vector<double>(loads.size(), 1.0),
                  [&](const BssiStep& step) {
                      double sum = 0;
                      double squares = 0;
                      for (std::uint32_t r : step.members)
                      {
                          const double load = loadAt(r, step.port);
                          sum += load;
                          squares += load * load;
                      }
                      dual += step.price * (sum * sum + squares) / 2;
                  });
        EXPECT_GT(dual, 0);
        EXPECT_GE(BoundUnits(workload), dual * (1 - 1e-6));
    }
}

TEST(LowerBound, OfNothingIsNothing)
{
    EXPECT_EQ(BoundUnits(MakeWorkload(2, {})), 0);
    EXPECT_EQ(BoundUnits(MakeWorkload(2, {MakeCoflow(1, {{0, 0, 5}}), MakeCoflow(2, {})})), 0);
}
