/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sincronia with an order that is made once per epoch.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Completion times under Sincronia.
/// @param epoch in seconds; a unit is 0.1 s
std::vector<double>
CctsWith(const Workload& workload, const std::string& epoch)
{
    return Ccts(RunUnits(workload, "sincronia", {"epoch=" + epoch}));
}

void
ExpectTimes(const std::vector<double>& times, const std::vector<double>& expected)
{
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k)
    {
        EXPECT_NEAR(times[k], expected[k], 1e-6) << "coflow " << k;
    }
}

} // namespace

TEST(SincroniaEpochs, WhoComesInAnEpochIsBehindUntilTheNext)
{
    // C2 is smaller than what is left of C1. At once it runs 1..2, and C1 ends at 7. With epochs of
    // 4 it waits until 4.
    const Workload workload =
        MakeWorkload(3, {MakeCoflow(1, {{0, 1, 6}}), MakeCoflow(2, {{0, 2, 1}}, 1)});
    ExpectTimes(CctsWith(workload, "0"), {7, 1});
    ExpectTimes(CctsWith(workload, "0.4"), {7, 4});
    // An epoch in which C1 ends: C2 follows it, and nothing waits for the clock.
    ExpectTimes(CctsWith(workload, "10"), {6, 6});
}

TEST(SincroniaEpochs, WhoHasNoPlaceUsesPortsThatAreFree)
{
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 6}}), MakeCoflow(2, {{2, 3, 1}}, 1)});
    ExpectTimes(CctsWith(workload, "0.4"), {6, 1});
}

TEST(SincroniaEpochs, NewOnesAreBehindInTheOrderInWhichTheyCame)
{
    // C3 is smaller than C2, but came later in the same epoch: 0..2, 2..5, 5..5.5.
    const Workload workload = MakeWorkload(4,
                                           {MakeCoflow(1, {{0, 1, 2}}),
                                            MakeCoflow(2, {{0, 2, 3}}, 0.5),
                                            MakeCoflow(3, {{0, 3, 0.5}}, 1)});
    ExpectTimes(CctsWith(workload, "10"), {2, 4.5, 4.5});
    // At 4, C3 has 0.5 left and C2 has 1: 4..4.5, and C2 4.5..5.5.
    ExpectTimes(CctsWith(workload, "0.4"), {2, 5, 3.5});
}

TEST(SincroniaEpochs, AnEpochOfANanosecondIsNoEpoch)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        // Under MADD it is asked only when coflows come or go.
        EXPECT_EQ(RunUnits(workload, "sincronia", {"rates=madd", "epoch=1e-9"}).flowFinish,
                  RunUnits(workload, "sincronia", {"rates=madd"}).flowFinish)
            << "seed " << seed;
    }
}
