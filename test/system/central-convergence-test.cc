/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// With control that costs nothing and flows much longer than a window, every coordinated scheduler
// does at packet level what its policy does to fluids, on ports that have what TCP leaves.

#include "central-fixture.h"
#include "coflow-effort.h"

#include "ns3/coflow-bounds.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

class EveryCentral : public testing::TestWithParam<std::string>
{
};

std::string
TestName(const testing::TestParamInfo<std::string>& info)
{
    auto name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Whether a scheduler is the first of those that know as much: one of these, and one that does
/// not know sizes, stand for the others where these share a path.
bool
IsFirstOfItsKnowledge(const std::string& scheduler)
{
    const auto names = CentralSchedulers();
    return scheduler == *std::find_if(names.begin(), names.end(), [&](const auto& name) {
               return MayKnowSizes(name) == MayKnowSizes(scheduler);
           });
}

/// Of every single completion time, relative.
constexpr double TOLERANCE = 0.03;

/// Parameters with which a policy that decides now and then, by what hosts report, decides often
/// and does not wait for more flows to finish: what happens just before its time is heard of just
/// after.
Attributes
Often(const std::string& scheduler)
{
    if (scheduler == "philae")
    {
        return {{"coalesce", "0"}};
    }
    const bool periods = ::coflow::MakePolicy(scheduler)->ReportPeriod() != ::coflow::NEVER;
    return periods ? Attributes{{"delta", "0.0002"}, {"coalesce", "0"}} : Attributes{};
}

/// The same as a fluid.
::coflow::FluidResult
RunFluidOften(const Workload& workload, const std::string& scheduler)
{
    std::vector<std::string> parameters;
    for (const auto& [name, value] : Often(scheduler))
    {
        parameters.push_back(name + "=" + value);
    }
    return RunFluidAtGoodput(workload, scheduler, parameters);
}

/// Runs a workload both ways and compares.
/// @param name for messages
void
ExpectConvergence(const std::string& name, const Workload& workload, const std::string& scheduler)
{
    const auto fluid = RunFluidOften(workload, scheduler);
    const auto packet =
        RunPacketExperiment(workload, IdealConfig(scheduler, workload.hosts + 1, Often(scheduler)));
    double fluidSum = 0;
    double packetSum = 0;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        ASSERT_TRUE(packet.coflows[i].IsFinished()) << name << ", coflow " << i;
        const double expected = static_cast<double>(fluid.coflows[i].Cct()) * 1e-9;
        const double measured = packet.coflows[i].CctSeconds();
        EXPECT_NEAR(measured, expected, TOLERANCE * expected) << name << ", coflow " << i;
        EXPECT_GE(measured, packet.coflows[i].MinCctSeconds());
        for (std::size_t j = 0; j < workload.coflows.size(); ++j)
        {
            const auto earlier = static_cast<double>(fluid.coflows[i].finish);
            const auto later = static_cast<double>(fluid.coflows[j].finish);
            EXPECT_TRUE(earlier > (1 - TOLERANCE) * later ||
                        packet.coflows[i].finish < packet.coflows[j].finish)
                << name << ": " << i << " is before " << j;
        }
        fluidSum += expected;
        packetSum += measured;
    }
    // Errors of some hundred microseconds at a start or hand-over go both ways.
    EXPECT_NEAR(packetSum, fluidSum, 0.015 * fluidSum) << name;
    const auto bound =
        ::coflow::LowerBound(workload, ::coflow::PortRates::Uniform(workload.hosts, 12.5e6));
    EXPECT_GE(packetSum / static_cast<double>(workload.coflows.size()), bound.mean) << name;
}

/// Whether a coflow comes, or another one finishes, at about the time at which a flow does: were
/// that a little later or earlier, as with packets, the scheduler would decide on something else.
bool
IsOnEdge(const Workload& workload, const std::string& scheduler)
{
    const auto fluid = RunFluidOften(workload, scheduler);
    std::vector<::coflow::Nanoseconds> decisions;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        decisions.push_back(workload.coflows[i].arrival);
        decisions.push_back(fluid.coflows[i].finish);
    }
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        for (const auto& flow : workload.coflows[i].flows)
        {
            const auto finish = fluid.FlowFinish(i, flow.id);
            const auto margin = (finish - workload.coflows[i].arrival) / 50 + UNIT / 50;
            if (std::any_of(decisions.begin(), decisions.end(), [=](auto decision) {
                    return finish != decision && std::abs(finish - decision) < margin;
                }))
            {
                return true;
            }
        }
    }
    return false;
}

/// The worked examples of the papers, where the second coflow comes a little later than the
/// first, so that it is clear who was first.
std::map<std::string, Workload>
Examples()
{
    constexpr double LATER = 0.01;
    std::map<std::string, Workload> examples;
    // Varys, figure 1; with 4 instead of 4.04 Sincronia had two ports equally loaded.
    examples["E1"] = {3,
                      {MakeCoflow(1, {{0, 0, 1}, {1, 1, 2}, {2, 2, 4.04}}),
                       MakeCoflow(2, {{0, 0, 2}, {1, 1, 2}}, LATER)}};
    // Varys, figure 5.
    examples["E2"] = {3,
                      {MakeCoflow(1, {{0, 0, 2}, {1, 0, 2}}),
                       MakeCoflow(2, {{0, 0, 3}, {1, 1, 3}, {2, 2, 3}}, LATER)}};
    // NC-DRF, figure 3, hosts 4 and 5 for its ports 3 and 4.
    examples["E7"] = {
        4,
        {MakeCoflow(1, {{0, 3, 1}, {1, 3, 1}}), MakeCoflow(2, {{1, 2, 1}, {1, 3, 1}}, LATER)}};
    for (auto& [name, workload] : examples)
    {
        // Sending and receiving hosts are different ones: the ports are the same.
        for (auto& coflow : workload.coflows)
        {
            for (auto& flow : coflow.flows)
            {
                flow.dst += workload.hosts;
            }
        }
        workload.hosts *= 2;
    }
    return examples;
}

Workload
RandomWorkload(unsigned seed)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    Workload workload;
    workload.hosts = 4;
    double arrival = 0;
    for (::coflow::CoflowId id = 1; id <= 4; ++id)
    {
        std::vector<UnitFlow> flows;
        const int count = draw(1, 4);
        for (int i = 0; i < count; ++i)
        {
            const auto src = static_cast<::coflow::HostId>(draw(0, 3));
            const auto dst = static_cast<::coflow::HostId>((src + draw(1, 3)) % 4);
            flows.push_back({src, dst, 0.01 * draw(15, 120)});
        }
        workload.coflows.push_back(MakeCoflow(id, flows, arrival));
        arrival += 0.01 * draw(1, 120);
    }
    return workload;
}

} // namespace

TEST_P(EveryCentral, DoesOnWorkedExamplesWhatFluidsDo)
{
    for (const auto& [name, workload] : Examples())
    {
        ExpectConvergence(name, workload, GetParam());
    }
}

TEST_P(EveryCentral, DoesOnRandomWorkloadsWhatFluidsDo)
{
    // Most schedulers differ in what their policy decides only, and share all else.
    constexpr int MANY = 20;
    const int wanted = ::coflow::test::Effort(IsFirstOfItsKnowledge(GetParam()) ? MANY : 4, MANY);
    int compared = 0;
    for (unsigned seed = 1; compared < wanted; ++seed)
    {
        ASSERT_LT(seed, 200U);
        const auto workload = RandomWorkload(seed);
        if (!IsOnEdge(workload, GetParam()))
        {
            ExpectConvergence("seed " + std::to_string(seed), workload, GetParam());
            ++compared;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Named, EveryCentral, testing::ValuesIn(CentralSchedulers()), TestName);

TEST(Coordinated, TheOrdersOfTheFirstExampleAreThoseOfThePaper)
{
    // Varys, figure 1: under Varys the second coflow goes first and finishes after 2 units, the
    // first after 4; FIFO lets it wait for 4.
    const auto workload = Examples().at("E1");
    const auto varys = Ccts(RunPacketExperiment(workload, IdealConfig("varys", 7)));
    EXPECT_NEAR(varys.at(1), 4 / KAPPA, 0.05 * 4);
    EXPECT_NEAR(varys.at(2), 2 / KAPPA, 0.05 * 2);
    const auto fifo = Ccts(RunPacketExperiment(workload, IdealConfig("fifo", 7)));
    EXPECT_NEAR(fifo.at(1), 4 / KAPPA, 0.05 * 4);
    EXPECT_GT(fifo.at(2), varys.at(2) + 0.5);
}
