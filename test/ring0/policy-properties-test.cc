/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What must hold for every registered policy on any workload. A new policy is covered
// without a change here.

#include "fluid-test-util.h"
#include "policy-names.h"

#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-statistics.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <variant>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Names of all policies.
std::vector<std::string>
Names()
{
    std::vector<std::string> names;
    for (const auto& [name, info] : Policies::All())
    {
        names.push_back(name);
    }
    return names;
}

/// Sums of the rates per port, sending ports first.
std::vector<double>
PortRatesOf(const FluidInterval& interval)
{
    const std::size_t hosts = interval.capacity.ingress.size();
    std::vector<double> sums(2 * hosts, 0.0);
    for (const FlowState& flow : interval.flows)
    {
        sums[flow.src] += flow.rate;
        sums[hosts + flow.dst] += flow.rate;
    }
    return sums;
}

/// Adds up what flows move, by the rates that they have.
class MovedBytes
{
  public:
    /// Books an interval.
    void Add(const FluidInterval& interval)
    {
        for (const FlowState& flow : interval.flows)
        {
            auto& [moved, rate, from, to] = m_flows[{flow.coflow, flow.flow}];
            EXPECT_LE(to, interval.from) << "intervals overlap";
            moved += rate * static_cast<double>(to - from) * 1e-9;
            rate = flow.rate;
            from = interval.from;
            to = interval.to;
        }
    }

    /// What a flow has moved until it finished.
    /// @param coflow position of its coflow
    /// @param finish when it finished
    double Of(std::uint32_t coflow, FlowId flow, Nanoseconds finish) const
    {
        const auto found = m_flows.find({coflow, flow});
        if (found == m_flows.end())
        {
            return 0;
        }
        const auto& [moved, rate, from, to] = found->second;
        EXPECT_LE(finish, to) << "it was not there to the end";
        EXPECT_GT(finish, from) << "it was there when it had finished";
        return moved + rate * static_cast<double>(finish - from) * 1e-9;
    }

  private:
    /// A flow.
    struct Booked
    {
        double moved{0};     ///< bytes before the last interval
        double rate{0};      ///< in the last interval
        Nanoseconds from{0}; ///< when that started
        Nanoseconds to{0};   ///< when that ended
    };

    std::map<std::pair<std::uint32_t, FlowId>, Booked> m_flows; ///< all flows seen
};

class EveryPolicy : public testing::TestWithParam<std::string>
{
};

/// The policy's name, as a test may be called.
std::string
TestName(const testing::TestParamInfo<std::string>& test)
{
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Parameters with which a policy that decides now and then decides at once.
std::vector<std::string>
AtOnce(const std::string& policy)
{
    const bool periods = MakePolicy(policy)->ReportPeriod() != NEVER;
    return periods ? std::vector<std::string>{"delta=0"} : std::vector<std::string>{};
}

} // namespace

// By the executor that users get, which is another one for policies with a form, and by the
// general one.
TEST_P(EveryPolicy, NeverExceedsAPort)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        for (const Executor executor : EXECUTORS)
        {
            std::uint64_t intervals = 0;
            const auto check = [&](const FluidInterval& interval) {
                ++intervals;
                for (const FlowState& flow : interval.flows)
                {
                    EXPECT_GE(flow.rate, 0);
                }
                for (double sum : PortRatesOf(interval))
                {
                    EXPECT_LE(sum, PORT_RATE * (1 + 1e-9)) << "seed " << seed;
                }
            };
            RunUnits(workload, GetParam(), {}, Watched(check), executor);
            EXPECT_GT(intervals, 0U);
        }
    }
}

TEST_P(EveryPolicy, MovesEveryByteOnce)
{
    for (unsigned seed = 0; seed < 80; ++seed)
    {
        const Workload workload = RandomWorkload(seed / 2, Shapes()[seed / 2 % Shapes().size()]);
        MovedBytes moved;
        const auto watch = [&](const FluidInterval& interval) { moved.Add(interval); };
        const FluidResult result =
            RunUnits(workload, GetParam(), {}, Watched(watch), EXECUTORS[seed % 2]);
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            if (!result.coflows[c].admitted)
            {
                EXPECT_EQ(result.coflows[c].finish, NEVER);
                continue;
            }
            const Coflow& coflow = workload.coflows[c];
            ASSERT_NE(result.coflows[c].finish, NEVER) << "seed " << seed << " " << coflow.id;
            Nanoseconds last = coflow.arrival;
            for (const Flow& flow : coflow.flows)
            {
                const Nanoseconds finish = result.FlowFinish(c, flow.id);
                const double bytes = flow.IsLocal() ? 0 : static_cast<double>(flow.bytes);
                const double sent = moved.Of(c, flow.id, finish);
                // A nanosecond at full rate is an eighth of a byte, a finish is rounded up.
                EXPECT_GE(sent, bytes - 1e-3 - 1e-9 * bytes) << "seed " << seed;
                EXPECT_LE(sent, bytes + 0.13 + 1e-9 * bytes) << "seed " << seed;
                last = std::max(last, finish);
            }
            EXPECT_EQ(result.coflows[c].finish, last);
            EXPECT_GE(static_cast<double>(result.coflows[c].Cct()) * 1e-9,
                      GammaSeconds(coflow, PortRates::Uniform(workload.hosts, PORT_RATE)) - 1e-9);
        }
    }
}

TEST_P(EveryPolicy, CanBeInterrupted)
{
    struct Interrupted
    {
    };

    const Workload workload = RandomWorkload(1, {6, 200, 3, UNIT_BYTES, 200 * UNIT, 0});
    FluidOptions options;
    options.poll = [] { throw Interrupted(); };
    for (const Executor executor : EXECUTORS)
    {
        EXPECT_THROW(RunUnits(workload, GetParam(), {}, options, executor), Interrupted);
    }
}

void
ExpectFormEqualsRates(const std::string& policy, const std::vector<std::string>& texts = {})
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        const FluidResult slow = RunUnits(workload, policy, texts, {}, Executor::GENERAL);
        const FluidResult fast = RunUnits(workload, policy, texts);
        for (std::size_t f = 0; f < slow.flowFinish.size(); ++f)
        {
            EXPECT_NEAR(static_cast<double>(fast.flowFinish[f]),
                        static_cast<double>(slow.flowFinish[f]),
                        30)
                << "seed " << seed << " flow " << f;
        }
    }
}

/// Names of the policies that have a form: of the others, the test would compare the engine with
/// itself.
std::vector<std::string>
NamesWithForm()
{
    auto names = Names();
    std::erase_if(names, [](const std::string& name) {
        return std::holds_alternative<std::monostate>(MakePolicy(name)->GetForm());
    });
    return names;
}

class EveryForm : public testing::TestWithParam<std::string>
{
};

TEST_P(EveryForm, SaysTheSameAsTheRates)
{
    ExpectFormEqualsRates(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, EveryForm, testing::ValuesIn(NamesWithForm()), TestName);

TEST(Fair, WithoutRedistributionItsFormSaysTheSameAsItsRates)
{
    ExpectFormEqualsRates("fair", {"redistribute=false"});
}

TEST(Pfabric, InTheOrderOfReceiversItsFormSaysTheSameAsItsRates)
{
    ExpectFormEqualsRates("pfabric", {"receiverOrder=true"});
}

TEST(NcDrf, ItsFormSaysTheSameAsItsRatesWhateverItsParameters)
{
    ExpectFormEqualsRates("nc-drf", {"coalesce=0"});
    ExpectFormEqualsRates("nc-drf", {"coalesce=0.7"});
    ExpectFormEqualsRates("nc-drf", {"rescheduleOnFlow=false"});
    ExpectFormEqualsRates("nc-drf", {"backfillRounds=0"});
    ExpectFormEqualsRates("nc-drf", {"backfillRounds=2"});
}

TEST(NcDrf, ItsFormSaysTheSameAsItsRatesWherePortsDiffer)
{
    for (unsigned seed = 0; seed < 30; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        PortRates capacity = PortRates::Uniform(workload.hosts, PORT_RATE);
        for (std::size_t h = 0; h < capacity.ingress.size(); ++h)
        {
            capacity.ingress[h] /= static_cast<double>(1 + h % 3);
            capacity.egress[h] /= static_cast<double>(1 + h % 2);
        }
        const auto slow = MakePolicy("nc-drf");
        const auto fast = MakePolicy("nc-drf");
        const FluidResult expected = RunGeneral(workload, capacity, *slow);
        const FluidResult result = RunFluid(workload, capacity, *fast);
        EXPECT_EQ(result.counters.decisions, expected.counters.decisions);
        for (std::size_t f = 0; f < result.flowFinish.size(); ++f)
        {
            EXPECT_NEAR(static_cast<double>(result.flowFinish[f]),
                        static_cast<double>(expected.flowFinish[f]),
                        30)
                << "seed " << seed << " flow " << f;
        }
    }
}

TEST_P(EveryPolicy, DoesNotDependOnTheOrderOfFlows)
{
    const Workload workload = RandomWorkload(7);
    const FluidResult once = RunUnits(workload, GetParam());
    const FluidResult twice = RunUnits(workload, GetParam());
    EXPECT_EQ(once.flowFinish, twice.flowFinish);

    // The same flows written down the other way round.
    Workload reversed = workload;
    for (Coflow& coflow : reversed.coflows)
    {
        std::reverse(coflow.flows.begin(), coflow.flows.end());
        for (FlowId f = 0; f < coflow.flows.size(); ++f)
        {
            coflow.flows[f].id = f;
        }
    }
    const FluidResult other = RunUnits(reversed, GetParam());
    for (std::size_t c = 0; c < workload.coflows.size(); ++c)
    {
        EXPECT_NEAR(static_cast<double>(other.coflows[c].finish),
                    static_cast<double>(once.coflows[c].finish),
                    30);
    }
}

TEST_P(EveryPolicy, HandlesWhatHasNothingToDo)
{
    Workload workload = MakeWorkload(3,
                                     {MakeCoflow(1, {}),
                                      MakeCoflow(2, {{0, 1, 0}}),
                                      MakeCoflow(3, {{2, 2, 5}}, 1),
                                      MakeCoflow(4, {{0, 1, 1}}, 1)});
    workload.coflows[3].parents = {3};
    const FluidResult result = RunUnits(workload, GetParam(), AtOnce(GetParam()));
    EXPECT_EQ(Ccts(result), (std::vector<double>{0, 0, 0, 1})) << GetParam();
    EXPECT_EQ(RunUnits(MakeWorkload(2, {}), GetParam()).makespan, 0);
}

TEST_P(EveryPolicy, StartsChildrenWhenTheirParentsAreDone)
{
    Workload workload = MakeWorkload(
        4,
        {MakeCoflow(1, {{0, 1, 2}}), MakeCoflow(2, {{2, 3, 5}}), MakeCoflow(3, {{0, 1, 1}})});
    workload.coflows[2].parents = {1, 2};
    const FluidResult result = RunUnits(workload, GetParam(), AtOnce(GetParam()));
    EXPECT_EQ(result.coflows[2].start, 5 * UNIT);
    EXPECT_EQ(Ccts(result), (std::vector<double>{2, 5, 6}));
}

INSTANTIATE_TEST_SUITE_P(All, EveryPolicy, testing::ValuesIn(Names()), TestName);

namespace
{

/// Whether some flow could go faster: both its ports have rate to spare.
bool
LeavesWork(const FluidInterval& interval)
{
    const std::vector<double> sums = PortRatesOf(interval);
    const std::size_t hosts = interval.capacity.ingress.size();
    for (const FlowState& flow : interval.flows)
    {
        // What a flow leaves that finishes in the interval is handed on at its end.
        const double seconds = static_cast<double>(interval.to - interval.from) * 1e-9;
        if (flow.remaining >= flow.rate * seconds && sums[flow.src] < PORT_RATE * (1 - 1e-6) &&
            sums[hosts + flow.dst] < PORT_RATE * (1 - 1e-6))
        {
            return true;
        }
    }
    return false;
}

class WorkConserving : public testing::TestWithParam<std::string>
{
};

/// Exceptions: policies that leave capacity unused while a flow could use it. All other policies of
/// the registry are work-conserving.
const std::set<std::string> LEAVING = {"drf",
                                       "graviton",
                                       "graviton-sf",
                                       "hug",
                                       "nc-drf",
                                       "philae",
                                       "ps-p",
                                       "saath",
                                       "varys-deadline",
                                       "vc"};

std::vector<std::string>
WorkConservingNames()
{
    return PolicyNames(
        [](const PolicyInfo& info, const Policy&) { return !LEAVING.contains(info.name); });
}

} // namespace

TEST_P(WorkConserving, EveryFlowHasASaturatedPort)
{
    const PolicyInfo& info = Policies::Find(GetParam());
    std::vector<std::string> texts;
    for (const ParameterSpec& spec : info.parameters)
    {
        if (spec.name == "T" && spec.least == 0)
        {
            texts.emplace_back("T=0"); // an interval delta is not work-conserving by definition
        }
        if (spec.name == "matchGap")
        {
            // A coordinator that speaks now and then, or for a small rate does not, leaves work.
            texts.emplace_back("delta=0");
            texts.emplace_back("matchFloor=0");
        }
        if (spec.name == "rescheduleOnFlow")
        {
            texts.emplace_back("rescheduleOnFlow=true"); // decisions are work-conserving
        }
        if (spec.name == "coalesce")
        {
            texts.emplace_back("coalesce=0"); // likewise
        }
    }
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        RunUnits(workload, GetParam(), texts, Watched([&](const FluidInterval& interval) {
                     EXPECT_FALSE(LeavesWork(interval)) << "seed " << seed;
                 }));
    }
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         WorkConserving,
                         testing::ValuesIn(WorkConservingNames()),
                         TestName);

TEST(WorkConserving, OthersLeaveCapacityUnusedSomewhere)
{
    for (const std::string& policy : LEAVING)
    {
        bool leaves = false;
        for (unsigned seed = 0; seed < 40 && !leaves; ++seed)
        {
            const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
            RunUnits(workload, policy, {}, Watched([&](const FluidInterval& interval) {
                         leaves = leaves || LeavesWork(interval);
                     }));
        }
        EXPECT_TRUE(leaves) << policy << " is work-conserving";
    }
}

TEST(WorkConserving, FairQueuesOfCoflowsLeaveNothing)
{
    // The fixed point is found to 1e-6 of a port's rate, damped.
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % 4]);
        RunUnits(workload, "ps-p", {"mode=wfq"}, Watched([&](const FluidInterval& interval) {
                     const std::vector<double> sums = PortRatesOf(interval);
                     const std::size_t hosts = interval.capacity.ingress.size();
                     const double seconds = static_cast<double>(interval.to - interval.from) * 1e-9;
                     for (const FlowState& flow : interval.flows)
                     {
                         if (flow.remaining > flow.rate * seconds)
                         {
                             EXPECT_GT(std::max(sums[flow.src], sums[hosts + flow.dst]),
                                       PORT_RATE * 0.999)
                                 << "seed " << seed;
                         }
                     }
                 }));
    }
}

TEST_P(EveryPolicy, DoesNotDependOnTheOrderOfLines)
{
    // All coflows arrive together; the file has them the other way round.
    const Workload workload = RandomWorkload(11, Shapes()[3]);
    Workload reversed = workload;
    std::reverse(reversed.coflows.begin(), reversed.coflows.end());
    std::stringstream file;
    WriteFlowCsv(file, reversed);
    const Workload read = ReadFlowCsv(file, "reversed.csv");
    EXPECT_EQ(RunUnits(read, GetParam()).flowFinish, RunUnits(workload, GetParam()).flowFinish);
}
