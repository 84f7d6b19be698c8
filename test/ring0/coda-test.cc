/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples and properties of CODA.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// Exact parameters without a period and without queues of flows, and others.
/// @param threshold first threshold of coflows, in units
std::vector<std::string>
With(double threshold, std::initializer_list<std::string> more = {})
{
    const auto bytes = std::to_string(static_cast<Bytes>(threshold * UNIT_BYTES));
    std::vector<std::string> texts{"firstThreshold=" + bytes, "coalesce=0"};
    texts.insert(texts.end(), more);
    return texts;
}

void
ExpectTimes(const Times& times, const Times& expected)
{
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k)
    {
        EXPECT_NEAR(times[k], expected[k], 1e-6) << "coflow " << k;
    }
}

/// Coflow 1 of one flow of 10 and, at 5, coflow 2 of two flows of 1. The second of these leaves the
/// host of coflow 1, and is taken for a flow of that.
Workload
Straggler()
{
    Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 10}}), MakeCoflow(2, {{1, 3, 1}, {0, 4, 1}}, 5)});
    workload.coflows[1].identified = {{.coflow = 2}, {1, 2, 0.05}};
    return workload;
}

} // namespace

TEST(Coda, ServesFlowsWithTheCoflowThatTheyAreTakenFor)
{
    // Coflow 1 has fallen at 4. From 5 on the flow that is taken for one of its flows shares port 0
    // with the other: it has 1/2 and is over at 7, coflow 1 at 11.
    ExpectTimes(
        Ccts(RunUnits(Straggler(), "coda", With(4, {"delta=0", "diameter=0", "flowQueues=1"}))),
        {11, 2});
}

TEST(Coda, BindsFlowsAtTheBorderLate)
{
    // The margin is within the diameter: the flow is served with coflow 2, which is in queue 0, and
    // has the port for itself, 5..6.
    ExpectTimes(
        Ccts(RunUnits(Straggler(), "coda", With(4, {"delta=0", "diameter=0.05", "flowQueues=1"}))),
        {11, 1});
    // It is not, as it is a little larger.
    ExpectTimes(
        Ccts(RunUnits(Straggler(), "coda", With(4, {"delta=0", "diameter=0.049", "flowQueues=1"}))),
        {11, 2});
}

TEST(Coda, BindsToTheFirstOfBothCoflowsAlsoWhereThatIsTheWrongOne)
{
    // The flow of coflow 1 is rightly taken for that, but may be one of coflow 2. With late binding
    // it is served with coflow 2 from 5 on, in the queue where coflow 2 is, and shares port 0.
    Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 2, 10}}), MakeCoflow(2, {{0, 3, 1}}, 5)});
    workload.coflows[0].identified = {{1, 2, 0.05}};
    ExpectTimes(
        Ccts(RunUnits(workload, "coda", With(4, {"delta=0", "diameter=0", "flowQueues=1"}))),
        {11, 1});
    ExpectTimes(
        Ccts(RunUnits(workload, "coda", With(4, {"delta=0", "diameter=0.1", "flowQueues=1"}))),
        {11, 2});
}

TEST(Coda, FlowsThatHaveSentLeastComeFirstInACoflow)
{
    // Without late binding, but with a limit of 4 for flows: the first flow has sent 5 when the
    // other comes, which therefore has the port for itself, 5..6.
    ExpectTimes(
        Ccts(RunUnits(
            Straggler(),
            "coda",
            With(4, {"delta=0", "diameter=0", "flowThreshold=" + std::to_string(4 * UNIT_BYTES)}))),
        {11, 1});
}

TEST(Coda, QueuesGoByWhatIsTakenForTheCoflow)
{
    // Coflow 1 has 3 at port 0, and is taken to have the 3 of coflow 2 at port 1 as well, which is
    // seen from the start. It falls at 2, when both have sent 2, and coflow 3, which came at 1, has
    // port 0 from then on: 2..4. Coflow 1 has 1 left: 4..5.
    Workload workload = MakeWorkload(
        6,
        {MakeCoflow(1, {{0, 3, 3}}), MakeCoflow(2, {{1, 4, 3}}), MakeCoflow(3, {{0, 5, 2}}, 1)});
    ExpectTimes(Ccts(RunUnits(workload, "coda", With(4, {"delta=0"}))), {3, 3, 4});
    workload.coflows[1].identified = {{.coflow = 1}};
    ExpectTimes(Ccts(RunUnits(workload, "coda", With(4, {"delta=0"}))), {5, 3, 3});
}

TEST(Coda, TheCoordinatorDecidesOncePerPeriod)
{
    // A period of 4. C1 comes at 1 and starts at 4. It is over at 5, and C2, which came at 2,
    // runs 8..9.
    const Workload workload =
        MakeWorkload(3, {MakeCoflow(1, {{0, 1, 1}}, 1), MakeCoflow(2, {{0, 2, 1}}, 2)});
    ExpectTimes(Ccts(RunUnits(workload, "coda", With(0.5, {"delta=0.4"}))), {4, 7});
}

TEST(Coda, WithoutBordersAndQueuesOfFlowsItIsAaloWithStrictQueues)
{
    // With one flow per coflow there is nothing inside a coflow to decide on.
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, {6, 20, 1, 9 * UNIT_BYTES, 20 * UNIT, 0});
        const auto coda = RunUnits(workload, "coda", With(3, {"delta=0"}));
        const auto aalo = RunUnits(workload,
                                   "aalo",
                                   With(3, {"delta=0", "sharing=strict", "receiverMatch=false"}));
        for (std::size_t c = 0; c < workload.coflows.size(); ++c)
        {
            EXPECT_NEAR(static_cast<double>(coda.coflows[c].finish),
                        static_cast<double>(aalo.coflows[c].finish),
                        100)
                << "seed " << seed << " coflow " << c;
        }
    }
}

TEST(Coda, FlowsAtTheBorderOfTheFirstCoflowGoWithItWhateverTheyAreTakenFor)
{
    // All coflows come at once, and there is one queue. All flows of the first coflow but the last
    // one to finish are taken for those of the last coflow. Bound late, they do what they do where
    // nothing is mistaken; and so do all others.
    const std::vector<std::string> bound =
        With(1e6, {"delta=0", "queues=1", "flowQueues=1", "diameter=0.5"});
    const std::vector<std::string> early =
        With(1e6, {"delta=0", "queues=1", "flowQueues=1", "diameter=0.4"});
    unsigned differing = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload truth = RandomWorkload(seed, {6, 10, 6, UNIT_BYTES, 0, 0});
        const FluidResult right = RunUnits(truth, "coda", bound);
        Workload workload = truth;
        const CoflowId first = truth.coflows.front().id;
        for (const Flow& flow : truth.coflows.front().flows)
        {
            const bool last = right.FlowFinish(0, flow.id) == right.coflows[0].finish;
            workload.coflows[0].identified.push_back(
                last ? Identification{.coflow = first}
                     : Identification{truth.coflows.back().id, first, 0.5});
        }
        EXPECT_EQ(RunUnits(workload, "coda", bound).flowFinish, right.flowFinish)
            << "seed " << seed;
        differing += RunUnits(workload, "coda", early).flowFinish != right.flowFinish;
    }
    EXPECT_GT(differing, 10U);
}
