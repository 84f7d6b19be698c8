/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A policy that gives flows a rate of -0.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Gives all flows -0, and serves the first one if it is to.
class MinusZero : public AttainedPolicy
{
  public:
    explicit MinusZero(bool serves)
        : m_serves(serves)
    {
    }

    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override
    {
        std::fill(rates.begin(), rates.end(), -0.0);
        if (m_serves)
        {
            rates[view.coflows.front().begin] = capacity.ingress[0];
        }
        return {};
    }

  private:
    bool m_serves;
};

} // namespace

TEST(MinusZero, IsNoRate)
{
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 3, 1}, {1, 3, 2}}), MakeCoflow(2, {{2, 3, 1}})});
    const PortRates capacity = PortRates::Uniform(workload.hosts, PORT_RATE);
    MinusZero serves(true);
    EXPECT_EQ(Ccts(RunFluid(workload, capacity, serves)), (std::vector<double>{3, 4}));
    MinusZero idles(false);
    EXPECT_EQ(Ccts(RunFluid(workload, capacity, idles)), (std::vector<double>{-1, -1}));
}
