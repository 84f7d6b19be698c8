/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs of fluids in which no flow can move any more end, and say which flows are left.

#include "ns3/coflow-fluid.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-policy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <span>

using namespace coflow;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;

/// Nobody gets a rate before some time, and everybody a byte per second from then on. It is asked
/// every millisecond.
class LatePolicy : public ClairvoyantPolicy
{
  public:
    explicit LatePolicy(Nanoseconds from)
        : m_from(from)
    {
    }

    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& /*capacity*/,
                      std::span<double> rates) override
    {
        std::fill(rates.begin(), rates.end(), view.now < m_from ? 0 : 1);
        return {.askAgain = view.now + SECOND / 1000};
    }

  private:
    Nanoseconds m_from; ///< when it begins to give rates
};

Workload
OneFlow(Bytes bytes)
{
    Workload workload;
    workload.hosts = 2;
    auto& coflow = workload.coflows.emplace_back();
    coflow.id = 1;
    coflow.flows.push_back({.id = 0, .src = 0, .dst = 1, .bytes = bytes});
    return workload;
}

} // namespace

TEST(FluidStuck, RatesOfZeroEndARunAfterItsPatience)
{
    const auto workload = OneFlow(3);
    LatePolicy never(NEVER);
    FluidOptions options;
    options.patience = 100 * SECOND;
    const auto result = RunFluid(workload, PortRates::Uniform(2, 1e9), never, options);
    ASSERT_EQ(result.stuck.size(), 1U);
    EXPECT_EQ(result.stuck.front().rate, 0);
    EXPECT_EQ(result.stuck.front().remaining, 3);
    EXPECT_EQ(result.coflows.front().finish, NEVER);
    EXPECT_LT(result.counters.events, 110'000U) << "100 s, asked every millisecond";
}

TEST(FluidStuck, WhoGetsARateInTimeEnds)
{
    const auto workload = OneFlow(3);
    LatePolicy late(50 * SECOND);
    FluidOptions options;
    options.patience = 100 * SECOND;
    const auto result = RunFluid(workload, PortRates::Uniform(2, 1e9), late, options);
    EXPECT_TRUE(result.stuck.empty());
    EXPECT_EQ(result.coflows.front().finish, 53 * SECOND);
}

TEST(FluidStuck, AFlowThatTakesLongerThanAllTimesIsTold)
{
    // 10^9 bytes take 8 x 10^9 s at 1 bit/s, and the engine counts to 4 x 10^9 s.
    FluidOptions options;
    options.patience = 100 * SECOND;
    for (const char* name : {"varys", "fair"})
    {
        const auto run = [&](Bytes bytes) {
            const auto policy = MakePolicy(name);
            return RunFluid(OneFlow(bytes), PortRates::Uniform(2, 0.125), *policy, options);
        };
        const auto result = run(1'000'000'000);
        ASSERT_EQ(result.stuck.size(), 1U) << name;
        EXPECT_EQ(result.stuck.front().rate, 0.125);
        EXPECT_NEAR(result.stuck.front().remaining, 1e9, 1e6);
        EXPECT_EQ(result.stuckAt, 0);
        EXPECT_TRUE(run(1'000).stuck.empty()) << name;
    }
}
