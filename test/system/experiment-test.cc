/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs through every scheduler: all bytes arrive, nothing is faster than the fabric, and
// what the tracker says is consistent.

#include "checked-experiment.h"
#include "coflow-effort.h"
#include "coflow-test-data.h"

#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/coflow-summary.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <tuple>

using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::CoflowRecord;
using ::coflow::Workload;

namespace
{

constexpr ::coflow::Nanoseconds MILLISECOND = 1'000'000;

/// What must hold of every complete run.
void
ExpectSound(const Workload& workload, const ExperimentResult& result)
{
    ASSERT_EQ(result.coflows.size(), workload.coflows.size());
    uint64_t bytes = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        const auto& record = result.coflows[i];
        ASSERT_TRUE(record.IsFinished()) << "coflow " << coflow.id;
        EXPECT_GE(record.arrival, coflow.arrival);
        EXPECT_GE(record.CctSeconds(), record.MinCctSeconds()) << "coflow " << coflow.id;
        auto last = record.arrival;
        for (const auto& flow : coflow.flows)
        {
            const auto& told = result.flows.at(next++);
            EXPECT_EQ(told.coflow, coflow.id);
            EXPECT_EQ(told.flow, flow);
            EXPECT_GE(told.start, record.arrival);
            EXPECT_GE(told.finish, told.start);
            last = std::max(last, told.finish);
            bytes += static_cast<uint64_t>(flow.bytes);
        }
        EXPECT_EQ(record.finish, last) << "a coflow ends with its last flow";
    }
    EXPECT_EQ(result.deliveredBytes, bytes);
}

ExperimentConfig
BigSwitch(::coflow::HostId hosts)
{
    ExperimentConfig config;
    config.topology = "big-switch";
    config.attributes.emplace_back("hosts", std::to_string(hosts));
    return test::Checked(config);
}

/// A scheduler and a fabric.
class EveryScheduler : public testing::TestWithParam<std::tuple<std::string, std::string>>
{
};

/// Every scheduler on the express fabric; one without and one with a coordinator on the other,
/// which is slow.
std::vector<std::tuple<std::string, std::string>>
SchedulersOnFabrics()
{
    std::vector<std::tuple<std::string, std::string>> pairs{{"fair", "nodes"}, {"varys", "nodes"}};
    for (const auto& type : GetSchedulerTypes())
    {
        pairs.emplace_back(type.name, "express");
    }
    return pairs;
}

/// Lets no coflow bypass a coordinator, and coordinators be quick.
void
Coordinate(ExperimentConfig& config)
{
    if (FindSchedulerType(config.scheduler).typeId == CentralScheduler::GetTypeId())
    {
        if (::coflow::Policies::Find(config.scheduler).knowledge ==
            ::coflow::Knowledge::CLAIRVOYANT)
        {
            config.attributes.emplace_back("bypassBytes", "0");
        }
        config.attributes.emplace_back("controlBatch", "1ms");
    }
}

} // namespace

TEST_P(EveryScheduler, DeliversAMixOnAFatTree)
{
    const auto coflows = ::coflow::test::Effort<std::string>("coflows=4", "coflows=10");
    auto workload = ::coflow::Generate("varys-mix", {coflows, "hosts=16", "seed=2"});
    for (const auto& step : ::coflow::ParseTransforms("scale-bytes=0.0005"))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    ExperimentConfig config;
    std::tie(config.scheduler, config.fabric) = GetParam();
    config.attributes.emplace_back("k", "4");
    Coordinate(config);
    ExpectSound(workload, RunPacketExperiment(workload, test::Checked(config)));
}

TEST_P(EveryScheduler, DeliversUnderLossAndIncast)
{
    const auto workload = ::coflow::Generate("incast", {"senders=20", "bytes=100000"});
    auto config = BigSwitch(workload.hosts);
    std::tie(config.scheduler, config.fabric) = GetParam();
    config.attributes.emplace_back("congestionOps", "ns3::TcpNewReno");
    const auto type = FindSchedulerType(config.scheduler);
    ns3::ObjectFactory factory(type.typeId.GetName());
    if (type.typeId == CentralScheduler::GetTypeId())
    {
        factory.Set("Policy", ns3::StringValue(config.scheduler));
    }
    const auto needed = factory.Create<ns3::coflow::Scheduler>()->GetQueueDisc();
    if (!needed.empty())
    {
        // Less room than the scheduler would ask for.
        const auto name = needed.substr(0, needed.find('['));
        const bool bands = name == "ns3::coflow::StrictPriorityQueueDisc";
        config.attributes.emplace_back("queueDisc",
                                       name + (bands ? "[BandSize=64KiB]" : "[MaxSize=64KiB]"));
    }
    const auto result = RunPacketExperiment(workload, config);
    ExpectSound(workload, result);
    if (type.typeId == CentralScheduler::GetTypeId() &&
        type.policy->knowledge != ::coflow::Knowledge::CLAIRVOYANT)
    {
        return; // nothing bypasses, and rates do not overflow a queue
    }
    EXPECT_GT(result.network->droppedPackets, 0U) << "the test is meant to overflow a queue";
    EXPECT_GT(result.network->retransmissions, 0U);
}

INSTANTIATE_TEST_SUITE_P(Named,
                         EveryScheduler,
                         testing::ValuesIn(SchedulersOnFabrics()),
                         [](const auto& i) {
                             auto name = std::get<0>(i.param) + "_on_" + std::get<1>(i.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Experiment, LocalAndEmptyFlowsNeedNoNetwork)
{
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 0, 1000000}, {1, 0, 1, 0}}, {}});
    workload.coflows.push_back({2, MILLISECOND, {}, {}, {}});
    const auto result = RunPacketExperiment(workload, BigSwitch(2));
    ExpectSound(workload, result);
    EXPECT_EQ(result.network->packetHops, 0U);
    EXPECT_LT(result.coflows[0].Cct(), MILLISECOND);
    EXPECT_EQ(result.coflows[1].Cct(), 0);
}

TEST(Experiment, AnEmptyWorkloadIsARunToo)
{
    Workload workload;
    workload.hosts = 2;
    ExpectSound(workload, RunPacketExperiment(workload, BigSwitch(2)));
}

TEST(Experiment, ChildrenStartWhenTheirLastParentHasFinished)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, 100000}}, {}});
    workload.coflows.push_back({2, 0, {}, {{0, 0, 2, 400000}}, {}});
    workload.coflows.push_back({3, 0, {}, {{0, 1, 2, 1000}}, {1, 2}});
    workload.coflows.push_back({4, 900 * MILLISECOND, {}, {{0, 1, 2, 1000}}, {1}});
    auto config = BigSwitch(3);
    config.attributes.emplace_back("completion", "instant"); // no message has to travel
    const auto result = RunPacketExperiment(workload, config);
    ExpectSound(workload, result);
    EXPECT_EQ(result.coflows[2].arrival,
              std::max(result.coflows[0].finish, result.coflows[1].finish));
    EXPECT_EQ(result.coflows[3].arrival, 900 * MILLISECOND);
}

TEST(Experiment, OneFlowThroughAnIdleFatTreeHas94PercentOfTheLine)
{
    Workload workload;
    workload.hosts = 16;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 15, 50'000'000}}, {}});
    ExperimentConfig config;
    config.attributes.emplace_back("k", "4");
    const auto result = RunPacketExperiment(workload, test::Checked(config));
    ExpectSound(workload, result);
    EXPECT_GE(0.4 / result.coflows[0].CctSeconds(), 0.94) << "of 1 Gbps";
}

TEST(Experiment, TwoToOneIncastSharesFairlyWithinFivePercent)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 2, 50'000'000}, {1, 1, 2, 50'000'000}}, {}});
    const auto result = RunPacketExperiment(workload, BigSwitch(3));
    ExpectSound(workload, result);
    // Both are equally long, so the rate until the first one ends is the first one's share.
    const auto first = std::min(result.flows[0].finish, result.flows[1].finish);
    const auto last = std::max(result.flows[0].finish, result.flows[1].finish);
    EXPECT_GE(static_cast<double>(first), 0.95 * static_cast<double>(last));
}

TEST(Experiment, TheStopEndsARunThatIsNotDone)
{
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, 1'000'000}}, {}});
    workload.coflows.push_back({2, 0, {}, {{0, 0, 1, 100'000'000}}, {}});
    auto config = BigSwitch(2);
    config.stop = 100 * MILLISECOND;
    const auto result = RunPacketExperiment(workload, config);
    EXPECT_TRUE(result.coflows[0].IsFinished());
    EXPECT_FALSE(result.coflows[1].IsFinished());
    EXPECT_DOUBLE_EQ(result.simulatedSeconds, 0.1);
}

TEST(Experiment, DeadlinesAreCountedWhereNobodyLooksAtThem)
{
    // Alone, each would take 10.4 ms; fairly shared, both take 21 ms.
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, 16 * MILLISECOND, {{0, 0, 2, 1'250'000}}, {}});
    workload.coflows.push_back({2, 0, 26 * MILLISECOND, {{0, 1, 2, 1'250'000}}, {}});
    workload.coflows.push_back({3, 0, std::nullopt, {{0, 0, 1, 1000}}, {}});
    const auto result = RunPacketExperiment(workload, BigSwitch(3));
    ExpectSound(workload, result);
    EXPECT_EQ(result.coflows[0].MetDeadline(), false);
    EXPECT_EQ(result.coflows[1].MetDeadline(), true);
    EXPECT_EQ(result.coflows[2].MetDeadline(), std::nullopt);
    const auto summary = ::coflow::RunSummary::Of(result.coflows, result.rates);
    EXPECT_EQ(summary.withDeadline, 2U);
    EXPECT_EQ(summary.metDeadline, 1U);
    EXPECT_EQ(summary.rejected, 0U);
}

// Many runs in one process must not need more and more memory.
TEST(Experiment, KeepsNothingAliveAfterARun)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 2, 100'000}, {1, 1, 1, 5000}}, {}});
    // Representatives of the families: none, central, hybrid, and local ones with and without
    // messages.
    for (const std::string scheduler : {"fair", "varys", "aalo", "dcas", "baraat"})
    {
        SCOPED_TRACE(scheduler);
        auto config = BigSwitch(3);
        config.scheduler = scheduler;
        std::vector<ns3::Ptr<ns3::Object>> parts;
        config.instrument = [&parts](const PacketCluster& cluster) -> std::shared_ptr<void> {
            parts = {cluster.GetDriver(), cluster.GetScheduler(), cluster.GetFabric()};
            for (const auto& host : cluster.GetHosts())
            {
                parts.insert(parts.end(), {host.source, host.sink});
            }
            return nullptr;
        };
        RunPacketExperiment(workload, config);
        ASSERT_EQ(parts.size(), 3 + 2 * workload.hosts);
        for (const auto& part : parts)
        {
            EXPECT_EQ(part->GetReferenceCount(), 1U) << part->GetInstanceTypeId().GetName();
        }
    }
}

TEST(Experiment, TheRealTraceCutToSmallCoflowsIsSound)
{
    const auto trace = ::coflow::test::FacebookTrace();
    if (!trace)
    {
        GTEST_SKIP() << "the Facebook trace is not here";
    }
    auto workload = ::coflow::ReadTrace(*trace);
    for (const auto& step : ::coflow::ParseTransforms("max-coflow-bytes=4e6"))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    ASSERT_GT(workload.coflows.size(), 100U);
    ExpectSound(workload, RunPacketExperiment(workload, BigSwitch(150)));
}
