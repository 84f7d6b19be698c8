/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that schedulers take for those of other coflows, at packet level: results are about the
// coflows as they are, and CODA binds late.

#include "convergence.h"
#include "policy-names.h"

#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

using namespace ns3::coflow;
using ::coflow::Workload;

namespace
{

/// Parameters with which control costs little beside a unit.
Attributes
Often(const std::string& scheduler)
{
    Attributes attributes;
    const auto control = ::coflow::MakePolicy(scheduler)->GetControl();
    if (control == ::coflow::Control::CENTRAL)
    {
        attributes = {{"controlBatch", "100us"}, {"heartbeat", "1ms"}, {"masterTimeout", "10ms"}};
    }
    if (::coflow::MakePolicy(scheduler)->GetKnowledge() == ::coflow::Knowledge::CLAIRVOYANT &&
        control == ::coflow::Control::CENTRAL)
    {
        attributes.emplace_back("bypassBytes", "0");
    }
    if (::coflow::MakePolicy(scheduler)->ReportPeriod() != ::coflow::NEVER ||
        control == ::coflow::Control::HYBRID)
    {
        attributes.emplace_back("delta", "0.0005");
    }
    return attributes;
}

Attributes
With(Attributes attributes, std::initializer_list<std::pair<std::string, std::string>> more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
    return attributes;
}

/// Six coflows of which schedulers mistake flows.
Workload
MistakenMix(uint32_t seed)
{
    auto workload = Mix(seed);
    for (const auto& step :
         ::coflow::ParseTransforms("misidentify=0.4:" + std::to_string(seed) + ":0.2:2"))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    return workload;
}

class EveryMisledScheduler : public testing::TestWithParam<std::string>
{
};

std::vector<std::string>
Names()
{
    std::vector<std::string> names;
    for (const auto& type : GetSchedulerTypes())
    {
        names.push_back(type.name);
    }
    return names;
}

std::string
TestName(const testing::TestParamInfo<std::string>& info)
{
    auto name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace

TEST_P(EveryMisledScheduler, DeliversTheTrueCoflows)
{
    const auto workload = MistakenMix(3);
    ExperimentConfig config;
    config.scheduler = GetParam();
    config.topology = "big-switch";
    config.attributes = With(Often(GetParam()), {{"hosts", std::to_string(workload.hosts)}});
    const auto result = RunPacketExperiment(workload, config);
    ASSERT_EQ(result.coflows.size(), workload.coflows.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& record = result.coflows[i];
        ASSERT_TRUE(record.IsFinished()) << "coflow " << record.id;
        EXPECT_EQ(record.id, workload.coflows[i].id);
        EXPECT_EQ(record.arrival, workload.coflows[i].arrival);
        EXPECT_GE(record.CctSeconds(), record.MinCctSeconds());
        ::coflow::Nanoseconds last = 0;
        for (const auto& flow : workload.coflows[i].flows)
        {
            const auto& told = result.flows.at(next++);
            EXPECT_EQ(told.coflow, record.id);
            EXPECT_EQ(told.flow, flow);
            EXPECT_GE(told.start, record.arrival);
            EXPECT_EQ(told.carriedCoflow, workload.coflows[i].identified[flow.id].coflow);
            last = std::max(last, told.finish);
        }
        EXPECT_EQ(record.finish, last);
    }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, EveryMisledScheduler, testing::ValuesIn(Names()), TestName);

class EveryMisledCoordinator : public testing::TestWithParam<std::string>
{
};

TEST_P(EveryMisledCoordinator, DoesWithoutACoflowThatHasNothingToSend)
{
    // Coflow 1 has 2 units to send, and after 15 units of time one more, which is of coflow 4.
    // Coflow 2 has 4 units for the same port. In between, coflow 1 is neither there nor over.
    // Coflow 3 is elsewhere, so that somebody sends all the time.
    Workload workload;
    workload.hosts = 4;
    workload.coflows = {{1, 0, {}, {{0, 0, 1, 2 * UNIT}}, {}},
                        {2, 0, {}, {{0, 0, 1, 4 * UNIT}}, {}},
                        {3, 0, {}, {{0, 2, 3, 20 * UNIT}}, {}},
                        {4, 300'000'000, {}, {{0, 0, 1, UNIT}}, {}}};
    workload.coflows[3].identified = {{.coflow = 1}};
    const auto run = [&](const std::string& engine) {
        return RunOnBigSwitch(engine,
                              workload,
                              GetParam(),
                              engine == "packet" ? Often(GetParam()) : Attributes());
    };
    const auto packets = run("packet");
    const auto fluid = run("fluid");
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        EXPECT_NEAR(packets[i].CctSeconds(),
                    fluid[i].CctSeconds() / GOODPUT,
                    0.3 * UNIT_SECONDS + 0.1 * fluid[i].CctSeconds())
            << "coflow " << packets[i].id;
    }
}

INSTANTIATE_TEST_SUITE_P(OfCoordinators,
                         EveryMisledCoordinator,
                         testing::ValuesIn(::coflow::test::PolicyNames(::coflow::Control::CENTRAL)),
                         TestName);

TEST(IdentifiedNetwork, CodaBindsFlowsAtTheBorderLate)
{
    // As Coda.BindsFlowsAtTheBorderLate, in units of 2.5 MB: coflow 2 takes 2 where its flow is
    // served with coflow 1, which has fallen, and 1 where it is served with coflow 2.
    Workload workload;
    workload.hosts = 5;
    workload.coflows = {{1, 0, {}, {{0, 0, 2, 10 * UNIT}}, {}},
                        {2, 100'000'000, {}, {{0, 1, 3, UNIT}, {1, 0, 4, UNIT}}, {}}};
    workload.coflows[1].identified = {{.coflow = 2}, {1, 2, 0.05}};
    const auto run = [&](const std::string& diameter) {
        const auto limit = std::to_string(4 * UNIT);
        return RunOnBigSwitch(
                   "packet",
                   workload,
                   "coda",
                   With(
                       Often("coda"),
                       {{"firstThreshold", limit}, {"flowQueues", "1"}, {"diameter", diameter}}))[1]
            .CctSeconds();
    };
    EXPECT_NEAR(run("0"), 2 * UNIT_SECONDS / GOODPUT, 0.15 * UNIT_SECONDS);
    EXPECT_NEAR(run("0.1"), UNIT_SECONDS / GOODPUT, 0.15 * UNIT_SECONDS);
}
