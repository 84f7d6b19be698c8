/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that schedulers take for those of other coflows: the transform, files, what the fluid
// engine makes of them.

#include "coflow-expect-error.h"
#include "fluid-test-util.h"
#include "policy-names.h"

#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-identified.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <sstream>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// A workload with a transform applied.
Workload
Transformed(Workload workload, const std::string& text)
{
    for (const Transform& transform : ParseTransforms(text))
    {
        ApplyTransform(workload, transform);
    }
    return workload;
}

/// Expects a message with a text in it.
template <typename Action>
void
ExpectInputError(Action action, const std::string& text)
{
    const std::string message = ErrorOf(action);
    EXPECT_NE(message.find(text), std::string::npos) << message;
}

/// Share of flows that are taken for those of wrong coflows.
double
WrongShare(const Workload& workload)
{
    double flows = 0;
    double wrong = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        for (const Identification& flow : coflow.identified)
        {
            ++flows;
            wrong += flow.coflow != coflow.id;
        }
    }
    return wrong / flows;
}

/// 200 coflows of up to 20 flows.
Workload
Many()
{
    return RandomWorkload(3, {20, 200, 20, UNIT_BYTES, 200 * UNIT, 0});
}

} // namespace

TEST(Misidentify, HasTheShareThatItIsGiven)
{
    for (const double share : {0.0, 0.1, 0.5, 1.0})
    {
        const Workload workload =
            Transformed(Many(), "misidentify=" + std::to_string(share) + ":1");
        EXPECT_NEAR(WrongShare(workload), share, 0.03);
    }
}

TEST(Misidentify, AGreaterShareHasTheErrorsOfASmallerOne)
{
    const Workload few = Transformed(Many(), "misidentify=0.1:7");
    const Workload many = Transformed(Many(), "misidentify=0.3:7");
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < few.coflows.size(); ++c)
    {
        for (std::size_t f = 0; f < few.coflows[c].flows.size(); ++f)
        {
            const Identification& before = few.coflows[c].identified[f];
            const Identification& after = many.coflows[c].identified[f];
            if (before.coflow != few.coflows[c].id)
            {
                ++wrong;
                EXPECT_EQ(after.coflow, before.coflow);
                EXPECT_NEAR(after.margin, before.margin + 0.2, 1e-12);
            }
        }
    }
    EXPECT_GT(wrong, 0U);
}

TEST(Misidentify, ErrorsAreAmongNeighbours)
{
    const Workload workload = Transformed(Many(), "misidentify=0.5:1:0:3");
    std::map<CoflowId, std::size_t> position;
    for (std::size_t c = 0; c < workload.coflows.size(); ++c)
    {
        position[workload.coflows[c].id] = c;
    }
    std::set<std::ptrdiff_t> distances;
    for (std::size_t c = 0; c < workload.coflows.size(); ++c)
    {
        for (const Identification& flow : workload.coflows[c].identified)
        {
            const bool wrong = flow.coflow != workload.coflows[c].id;
            EXPECT_EQ(wrong ? flow.next : flow.coflow, workload.coflows[c].id);
            distances.insert(
                static_cast<std::ptrdiff_t>(position.at(wrong ? flow.coflow : flow.next)) -
                static_cast<std::ptrdiff_t>(c));
        }
    }
    EXPECT_EQ(distances, (std::set<std::ptrdiff_t>{-3, -2, -1, 1, 2, 3}));
}

TEST(Misidentify, FlowsAloneAreCoflowsThatAreNotThere)
{
    const Workload workload = Transformed(Many(), "misidentify=0.4:1:1");
    std::set<CoflowId> ids;
    for (const Coflow& coflow : workload.coflows)
    {
        ids.insert(coflow.id);
    }
    std::size_t alone = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        for (const Identification& flow : coflow.identified)
        {
            if (flow.coflow != coflow.id)
            {
                ++alone;
                EXPECT_TRUE(ids.insert(flow.coflow).second) << "two flows share it";
                EXPECT_EQ(flow.next, coflow.id);
            }
            else
            {
                EXPECT_EQ(flow.margin, std::numeric_limits<double>::infinity());
            }
        }
    }
    EXPECT_GT(alone, 100U);
}

TEST(Misidentify, SaysWhatItCannotDo)
{
    ExpectInputError(
        [] { Transformed(Many(), "misidentify=1.5:1"); },
        "transform misidentify is '1.5:1'; allowed: misidentify=SHARE:SEED[:ALONE[:NEAR]], a "
        "number, such as 0.5 or 1/250, from 0 to 1");
    ExpectInputError([] { Transformed(Many(), "misidentify=0.1"); }, "two to four numbers");
    ExpectInputError([] { Transformed(Many(), "misidentify=0.1:1,misidentify=0.1:2"); },
                     "allowed: one such transform");
    ExpectInputError([] { Transformed(Many(), "misidentify=0.1:1,deadlines=1:1Gbps:1"); },
                     "where coflows have deadlines");
}

TEST(Misidentify, SurvivesAFile)
{
    const Workload workload = Transformed(Many(), "misidentify=0.3:5:0.2");
    std::ostringstream out;
    WriteFlowCsv(out, workload);
    std::istringstream in(out.str());
    EXPECT_EQ(ReadFlowCsv(in, "x").coflows, workload.coflows);
    std::istringstream bad("coflow_id,arrival_s,src,dst,bytes,identified\n1,0,0,1,5,2;1;-1\n");
    ExpectInputError([&] { ReadFlowCsv(bad, "x"); },
                     "x:2: identified is '2;1;-1'; allowed: ID, or ID;NEXT;MARGIN");
}

TEST(Identified, FlowsComeInBatches)
{
    // Coflow 7 has a flow that is taken for one of coflow 9, and one that is for no coflow there
    // is.
    Workload workload = MakeWorkload(
        3,
        {MakeCoflow(7, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}), MakeCoflow(9, {{0, 2, 1}}, 2)});
    workload.coflows[0].identified = {{.coflow = 9}, {.coflow = 7}, {.coflow = 50}};
    workload.coflows[1].weight = 4;
    const IdentifiedCoflows identified(workload);
    ASSERT_EQ(identified.Coflows().size(), 3U);
    const Coflow& nine = identified.Coflows()[1];
    EXPECT_EQ(nine.id, 9U);
    EXPECT_EQ(nine.arrival, 0);
    EXPECT_EQ(nine.weight, 4U);
    ASSERT_EQ(nine.flows.size(), 2U);
    EXPECT_EQ(identified.BatchesOf(0).size(), 3U);
    ASSERT_EQ(identified.BatchesOf(1).size(), 1U);
    EXPECT_EQ(identified.BatchesOf(1)[0], (FlowBatch{1, 1, 2}));
    EXPECT_EQ(identified.OriginOf(1, 0), (FlowPlace{0, 0}));
    EXPECT_EQ(identified.OriginOf(1, 1), (FlowPlace{1, 0}));
    EXPECT_EQ(identified.Coflows()[2].id, 50U);
}

TEST(Identified, CompletionIsThatOfTheTrueCoflow)
{
    // First in, first out. A flow of coflow 2 is taken for one of coflow 1: both run 0..2, each
    // with half of port 0, and the other flow of coflow 2 runs 2..3. What is taken for coflow 1 is
    // over when coflow 1 is, and coflow 2 when its last flow is.
    Workload workload = MakeWorkload(5,
                                     {MakeCoflow(1, {{0, 1, 1}}),
                                      MakeCoflow(2, {{0, 2, 1}, {0, 3, 1}}),
                                      MakeCoflow(3, {{4, 1, 1}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "fifo")), (std::vector<double>{1, 3, 2}));
    workload.coflows[1].identified = {{.coflow = 1}, {.coflow = 2}};
    const FluidResult result = RunUnits(workload, "fifo");
    EXPECT_EQ(Ccts(result), (std::vector<double>{2, 3, 2}));
    EXPECT_EQ(result.FlowFinish(1, 0), 2 * UNIT);
}

TEST(Identified, ACoflowGoesOnWithWhatItHasSentWhenFlowsComeLate)
{
    // Threshold 4. Coflow 1 sends 5 until 5, and is over. At 6 comes a flow of coflow 2 that is
    // taken for one of coflow 1, which is in queue 1 by what it has sent: coflow 3 goes first.
    Workload workload = MakeWorkload(
        4,
        {MakeCoflow(1, {{0, 1, 5}}), MakeCoflow(2, {{0, 2, 1}}, 6), MakeCoflow(3, {{0, 3, 1}}, 6)});
    const std::vector<std::string> texts{"firstThreshold=" + std::to_string(4 * UNIT_BYTES),
                                         "delta=0",
                                         "coalesce=0"};
    EXPECT_EQ(Ccts(RunUnits(workload, "coda", texts)), (std::vector<double>{5, 1, 2}));
    workload.coflows[1].identified = {{.coflow = 1}};
    EXPECT_EQ(Ccts(RunUnits(workload, "coda", texts)), (std::vector<double>{5, 2, 1}));
}

TEST(Identified, ChildrenWaitForTheTrueParent)
{
    Workload workload = MakeWorkload(4,
                                     {MakeCoflow(1, {{0, 1, 1}, {2, 3, 2}}),
                                      MakeCoflow(2, {{0, 1, 1}}),
                                      MakeCoflow(3, {{0, 2, 5}})});
    workload.coflows[1].parents = {1};
    workload.coflows[0].identified = {{.coflow = 1}, {.coflow = 3}};
    const FluidResult result = RunUnits(workload, "coda", {"delta=0"});
    EXPECT_EQ(result.coflows[1].start, result.coflows[0].finish);
    EXPECT_GE(result.coflows[0].finish, 2 * UNIT);
}

TEST(Identified, DeadlinesAndIdentificationExcludeEachOther)
{
    Workload workload = MakeWorkload(2, {MakeCoflow(1, {{0, 1, 1}})});
    workload.coflows[0].deadline = UNIT;
    workload.coflows[0].identified = {{.coflow = 2}};
    ExpectInputError([&] { CheckWorkload(workload, "w"); },
                     "w: coflow 1: identified is '2'; allowed: nothing, where coflows have "
                     "deadlines");
}

/// Every policy on misidentified coflows.
class EveryPolicyMisled : public testing::TestWithParam<std::string>
{
};

TEST_P(EveryPolicyMisled, RightIdentificationChangesNothing)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        auto shape = Shapes()[seed % Shapes().size()];
        shape.deadlineFactor = 0;
        const Workload truth = RandomWorkload(seed, shape);
        Workload workload = truth;
        for (Coflow& coflow : workload.coflows)
        {
            coflow.identified.assign(coflow.flows.size(), {.coflow = coflow.id});
        }
        const FluidResult right = RunUnits(truth, GetParam(), {}, {}, Executor::GENERAL);
        const FluidResult same = RunUnits(workload, GetParam(), {}, {}, Executor::GENERAL);
        EXPECT_EQ(same.flowFinish, right.flowFinish) << "seed " << seed;
        EXPECT_EQ(same.counters.decisions, right.counters.decisions) << "seed " << seed;
    }
}

TEST_P(EveryPolicyMisled, EveryCoflowFinishesNotBelowItsBoundAndNoPortIsExceeded)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        auto shape = Shapes()[seed % Shapes().size()];
        shape.deadlineFactor = 0;
        const Workload workload = Transformed(RandomWorkload(seed, shape),
                                              "misidentify=0.4:" + std::to_string(seed) + ":0.2:2");
        const auto check = [&](const FluidInterval& interval) {
            std::vector<double> sums(2 * interval.capacity.ingress.size(), 0.0);
            for (const FlowState& flow : interval.flows)
            {
                const Flow& known = workload.coflows.at(flow.coflow).flows.at(flow.flow);
                ASSERT_EQ(flow.src, known.src);
                ASSERT_EQ(flow.dst, known.dst);
                sums[flow.src] += flow.rate;
                sums[interval.capacity.ingress.size() + flow.dst] += flow.rate;
            }
            for (const double sum : sums)
            {
                ASSERT_LE(sum, PORT_RATE * (1 + 1e-9)) << "seed " << seed;
            }
        };
        const FluidResult result =
            RunUnits(workload, GetParam(), {}, Watched(check), EXECUTORS[seed % 2]);
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            ASSERT_NE(result.coflows[c].finish, NEVER) << "seed " << seed;
            EXPECT_GE(
                static_cast<double>(result.coflows[c].Cct()) * 1e-9,
                GammaSeconds(workload.coflows[c], PortRates::Uniform(workload.hosts, PORT_RATE)) -
                    1e-9)
                << "seed " << seed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         EveryPolicyMisled,
                         testing::ValuesIn(PolicyNames([](const PolicyInfo&, const Policy&) {
                             return true;
                         })),
                         [](const auto& test) { return NameInTests(test.param); });
