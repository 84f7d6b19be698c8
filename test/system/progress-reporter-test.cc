/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How far a run at packet level is, by what its flows cost the simulator.

#include "central-fixture.h"

#include "ns3/coflow-estimate.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-progress-line.h"
#include "ns3/coflow-progress-reporter.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <sstream>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// Asks a reporter for the share that is done, at times of a run.
class Shares
{
  public:
    Shares(const PacketCluster& cluster, const Workload& workload, std::vector<Time> times)
    {
        // The tracker hears of the workload after the network has been built.
        Simulator::Schedule(Time(0), [this, &cluster, &workload] {
            std::vector<Ptr<const CoflowSink>> sinks;
            for (const auto& host : cluster.GetHosts())
            {
                sinks.push_back(host.sink);
            }
            const auto installation = cluster.GetInstallation();
            m_reporter.emplace(installation->GetTracker(),
                               sinks,
                               CountFlowPacketHops(workload,
                                                   *cluster.GetFabric()->GetTopology(),
                                                   installation->GetProfile()),
                               Time::Max(),
                               m_out,
                               false);
        });
        for (const auto& time : times)
        {
            Simulator::Schedule(time, [this] { found.push_back(m_reporter->GetDoneShare()); });
            Simulator::Schedule(time, [this, &workload] {
                if (foretold.empty())
                {
                    EXPECT_EQ(m_reporter->GetPaidShare(), m_reporter->GetDoneShare());
                }
                const std::vector<double> rates(workload.hosts, 125e6);
                const ::coflow::DecisionForecast forecast(workload, rates);
                m_reporter->SetForecast(forecast, [] { return true; }, true);
                EXPECT_EQ(m_reporter->GetPaidShare(), m_reporter->GetDoneShare())
                    << "it says nothing, and hops do";
                m_reporter->SetForecast(forecast, [] { return false; }, false);
                EXPECT_GT(m_reporter->GetPaidShare(), 0);
                m_reporter->SetForecast(forecast, [] { return false; }, true);
                foretold.push_back(m_reporter->GetPaidShare());
            });
        }
    }

    std::vector<double> found;
    std::vector<double> foretold;

  private:
    std::ostringstream m_out;
    std::optional<ProgressReporter> m_reporter;
};

/// @return shares of the work that is done
std::vector<double>
RunAndAsk(const Workload& workload, const std::string& scheduler, const std::vector<Time>& times)
{
    auto config = IdealConfig(scheduler, workload.hosts, {});
    std::vector<double> found;
    std::shared_ptr<Shares> shares;
    config.instrument = [&](const PacketCluster& cluster) {
        shares = std::make_shared<Shares>(cluster, workload, times);
        return shares;
    };
    RunPacketExperiment(workload, config);
    found = shares->found;
    // Shares of the cost that a forecast tells only grow.
    for (std::size_t i = 1; i < shares->foretold.size(); ++i)
    {
        EXPECT_GE(shares->foretold[i], shares->foretold[i - 1] - 1e-12) << i;
    }
    EXPECT_GT(shares->foretold.front(), 0);
    EXPECT_LE(shares->foretold.back(), 1);
    shares.reset();
    return found;
}

} // namespace

TEST(ProgressReporter, CountsWhatFlowsInParallelHaveDelivered)
{
    // One unit and three units over equal paths, both at full rate: after one unit of time, the
    // first is through and a third of the other, half of all. A local flow costs nothing.
    const Workload workload{6, {MakeCoflow(1, {{0, 3, 1}, {1, 4, 3}, {2, 2, 50}})}};
    const auto unit = NanoSeconds(static_cast<uint64_t>(UNIT / KAPPA));
    const auto found = RunAndAsk(workload, "fair", {NanoSeconds(1), unit, 2 * unit, 2.9 * unit});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_NEAR(found[0], 0, 1e-12);
    EXPECT_NEAR(found[1], 0.5, 0.04);
    EXPECT_NEAR(found[2], 0.75, 0.04);
    EXPECT_NEAR(found[3], 0.975, 0.04);
}

TEST(ProgressReporter, CoflowsThatAreNotSentAreNoWork)
{
    // The first coflow takes its port for four units of time, so that the second one, which comes
    // at 0.5 and has to be through in 1.5, is refused.
    Workload workload{6, {MakeCoflow(1, {{0, 3, 4}}), MakeCoflow(2, {{0, 3, 1}}, 0.5)}};
    workload.coflows[0].deadline = static_cast<::coflow::Nanoseconds>(4.8 * UNIT);
    workload.coflows[1].deadline = static_cast<::coflow::Nanoseconds>(1.5 * UNIT);
    const auto unit = NanoSeconds(static_cast<uint64_t>(UNIT));
    const auto found = RunAndAsk(workload, "varys-deadline", {0.3 * unit, 2 * unit});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_LT(found[0], 0.8 * 0.3 / 4); // of five units
    EXPECT_GT(found[0], 0.5 * 0.3 / 5);
    EXPECT_GT(found[1], 0.8 * 2.0 / 4); // of four
}

TEST(ProgressLine, SaysWhatThereIsToKnow)
{
    std::ostringstream out;
    {
        ProgressLine line(out, false);
        EXPECT_FALSE(line.IsDue());
        line.Tell({.simulatedSeconds = 1.5,
                   .finished = 3,
                   .coflows = 12,
                   .doneShare = 1,
                   .paidShare = 1,
                   .events = 1000});
    }
    const auto text = out.str();
    EXPECT_EQ(text.rfind("1.500 s simulated, 3/12 coflows, 100 % done, ", 0), 0U) << text;
    EXPECT_NE(text.find(" M events/s, less than 10 s left\n"), std::string::npos) << text;
    out.str("");
    {
        // Nothing is done: how long it takes is not known. On a terminal each line is written over
        // the one before, and the last one is ended.
        ProgressLine line(out, true);
        line.Tell({.coflows = 12});
        line.Tell({.coflows = 12});
    }
    EXPECT_EQ(out.str().rfind("\r0.000 s simulated, 0/12 coflows, 0.00 % done, ", 0), 0U)
        << out.str();
    EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
    EXPECT_NE(out.str().find("time left unknown"), std::string::npos);
}
