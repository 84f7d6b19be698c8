/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A workload that starts late runs as one that starts at 0, to the nanosecond.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

void
ExpectTheSameLater(const std::string& policy, const std::vector<std::string>& texts = {})
{
    // A whole number of all periods that a policy counts from 0.
    constexpr Nanoseconds LATER = 1'000'000'000'000'000'000;
    for (unsigned seed = 0; seed < 10; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        Workload later = workload;
        for (Coflow& coflow : later.coflows)
        {
            coflow.arrival += LATER;
        }
        for (const Executor executor : EXECUTORS)
        {
            EXPECT_EQ(Ccts(RunUnits(later, policy, texts, {}, executor)),
                      Ccts(RunUnits(workload, policy, texts, {}, executor)))
                << policy << " seed " << seed;
        }
    }
}

} // namespace

TEST(LateStart, EveryPolicyKeepsTheNanosecond)
{
    for (const auto& [name, info] : Policies::All())
    {
        ExpectTheSameLater(name);
    }
}

TEST(LateStart, CoflowSimsLeftoversKeepTheNanosecondToo)
{
    ExpectTheSameLater("varys", {"pooledLeftovers=true"});
}
