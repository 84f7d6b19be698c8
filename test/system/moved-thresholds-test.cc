/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Thresholds that a coordinator of Aalo moves travel in messages; and who is told of coflows.

#include "hybrid-fixture.h"

#include "ns3/coflow-aalo.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// Aalo whose limit is 4 units from when it knows of a coflow 2.
class Moving : public ::coflow::Aalo
{
  public:
    using Aalo::Aalo;

    ::coflow::Nanoseconds MoveThresholds(const ::coflow::AttainedView& view,
                                         const ::coflow::PortRates& /*capacity*/) override
    {
        for (const auto& row : view.coflows)
        {
            if (row.id == 2 && MovedThresholds().empty())
            {
                SetThresholds({4 * UNIT_BYTES});
            }
        }
        return ::coflow::NEVER;
    }
};

/// Has Moving in the place of Aalo.
class InPlaceOfAalo
{
  public:
    InPlaceOfAalo()
    {
        auto moving = m_aalo;
        moving.make = [](const ::coflow::Parameters& given) {
            return std::make_unique<Moving>(given);
        };
        ::coflow::Policies::Replace(moving);
    }

    ~InPlaceOfAalo()
    {
        ::coflow::Policies::Replace(m_aalo);
    }

  private:
    ::coflow::PolicyInfo m_aalo{::coflow::Policies::Find("aalo")};
};

/// Two queues with a limit of 10 units.
const Attributes TWO_QUEUES{{"queues", "2"},
                            {"firstThreshold", UnitsText(10)},
                            {"controlTransport", "tcp"}};

/// Number of messages with thresholds that were sent.
uint64_t
CountThresholdMessages(const CoflowInstallation& installation)
{
    for (const auto& [type, count] : installation.GetScheduler()->GetSentByType())
    {
        if (type == QueueThresholdsMessage::TYPE)
        {
            return count.messages;
        }
    }
    return 0;
}

/// When coflow 1 of 20 units falls on host 0, where coflow 2 comes at a time; all in units.
double
FallsAt(double second, const std::function<void(const CoflowInstallation&)>& look = {})
{
    const InPlaceOfAalo moving;
    HybridCluster cluster(HybridConfig("aalo", 4, TWO_QUEUES));
    double demoted = -1;
    cluster.CentralDaemon(0)->TraceConnectWithoutContext(
        "Demoted",
        Callback<void, ::coflow::CoflowId, int>([&](::coflow::CoflowId coflow, int) {
            if (coflow == 1)
            {
                demoted = Simulator::Now().GetSeconds() / 0.1;
            }
        }));
    cluster.Play(0, 1, {{0, 1, 20}});
    cluster.Play(second, 2, {{2, 3, 1}});
    cluster.Run(15);
    if (look)
    {
        look(*cluster.Get().GetInstallation());
    }
    return demoted;
}

} // namespace

TEST(MovedThresholds, TravelToHosts)
{
    // As they are, at 10. Told before coflow 1 has sent 4, at 4; told later, at once.
    EXPECT_NEAR(FallsAt(12), 10 / 0.964, 0.1);
    EXPECT_NEAR(FallsAt(2), 4 / 0.964, 0.1);
    EXPECT_NEAR(FallsAt(6), 6, 0.1);
}

TEST(MovedThresholds, AreToldOnceToEveryHost)
{
    // Of four hosts.
    FallsAt(2, [](const CoflowInstallation& installation) {
        EXPECT_EQ(CountThresholdMessages(installation), 4U);
    });
    FallsAt(16, [](const CoflowInstallation& installation) {
        EXPECT_EQ(CountThresholdMessages(installation), 0U);
    });
}

TEST(MovedThresholds, AreToldAgainToADaemonThatReturns)
{
    const InPlaceOfAalo moving;
    HybridCluster cluster(HybridConfig("aalo", 4, TWO_QUEUES));
    cluster.GetScheduler()->FailDaemon(0, MilliSeconds(300), MilliSeconds(200));
    cluster.Play(0, 2, {{2, 3, 12}});
    cluster.Play(6, 1, {{0, 1, 6}});
    cluster.Run(9);
    EXPECT_EQ(CountThresholdMessages(*cluster.Get().GetInstallation()), 5U);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 0);
    cluster.Run(11);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 1);
}

TEST(Listener, IsToldOfPackets)
{
    const auto workload = ::coflow::Generate("incast", {"senders=3", "bytes=100000"});
    for (const auto* scheduler : {"fair", "varys"})
    {
        ExperimentConfig config;
        config.scheduler = scheduler;
        config.topology = "big-switch";
        config.attributes = {{"hosts", std::to_string(workload.hosts)}};
        std::vector<::coflow::Nanoseconds> started;
        std::vector<::coflow::Nanoseconds> finished;
        config.listener.started = [&](auto time) { started.push_back(time); };
        config.listener.finished = [&](auto time) { finished.push_back(time); };
        const auto result = RunPacketExperiment(workload, config);
        std::vector<::coflow::Nanoseconds> starts;
        std::vector<::coflow::Nanoseconds> finishes;
        for (const auto& record : result.coflows)
        {
            starts.push_back(record.arrival);
            finishes.push_back(record.finish);
        }
        std::sort(finished.begin(), finished.end());
        std::sort(finishes.begin(), finishes.end());
        EXPECT_EQ(started, starts) << scheduler;
        EXPECT_EQ(finished, finishes) << scheduler;
    }
}
