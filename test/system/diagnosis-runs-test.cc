/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The diagnosis of whole runs: each of its checks is told what it looks at, fires, and is silent
// where all is well. What it advises can be done.

#include "own-network.h"
#include "replay-program.h"

#include "ns3/coflow-diagnosis.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::MakeFlows;
using ::coflow::test::OwnNetwork;
using ::coflow::test::ReplayProgram;
using ::coflow::test::SMALL;

namespace
{

class DiagnosisOfRuns : public ReplayProgram
{
  protected:
    /// A run has a finding, and another one does not have that.
    void Expect(const std::string& id, const std::string& found, const std::string& well) const
    {
        const auto line = "\n" + id + ": ";
        const auto run = Replay(found);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find(line), std::string::npos) << run.out;
        const auto other = Replay(well);
        EXPECT_EQ(other.status, 0) << other.err;
        EXPECT_EQ(other.out.find(line), std::string::npos) << other.out;
    }
};

/// @return ids of what is found of a run of plain TCP, or another scheduler, on a script's network
std::vector<std::string>
FindOnOwnNetwork(const std::string& scheduler, bool installsQueueDiscs)
{
    OwnNetwork own;
    own.MakeStar(3);
    CoflowHelper helper;
    helper.SetScheduler(scheduler);
    if (installsQueueDiscs)
    {
        helper.InstallQueueDiscs(own.devices);
    }
    helper.Install(own.hosts);
    helper.InstallWorkload(MakeFlows({{0, 2, 500'000}, {1, 2, 500'000}}), own.hosts);
    Simulator::Run();
    std::vector<std::string> ids;
    for (const auto& finding : helper.GetOutcome().summary.findings)
    {
        ids.push_back(finding.id);
    }
    Simulator::Destroy();
    return ids;
}

} // namespace

TEST_F(DiagnosisOfRuns, SizesOfPorts)
{
    const std::string disc = SMALL + "--queueDisc=ns3::coflow::FifoQueueDisc";
    Expect("marking-threshold", disc + "[MarkingThreshold=100B]", SMALL);
    Expect("buffer", disc + "[MaxSize=3000B]", SMALL);
}

TEST_F(DiagnosisOfRuns, Timeouts)
{
    const std::string incast =
        "--generate=incast,senders=16,bytes=200000 --topology=big-switch --hosts=17 ";
    Expect("timeouts", incast + "--queueDisc=ns3::coflow::FifoQueueDisc[MaxSize=5000B]", incast);
}

TEST_F(DiagnosisOfRuns, ControlRoundTrip)
{
    const std::string run = "--generate=incast,senders=2,bytes=5e6 --topology=fat-tree --k=4 "
                            "--scheduler=aalo --delta=";
    Expect("control-round-trip", run + "40us", run + "400us");
}

TEST_F(DiagnosisOfRuns, Control)
{
    // 16 hosts for 33 ms. A heartbeat is answered after the round trip of 87 us.
    const std::string run = "--generate=incast,senders=2,bytes=2e6 --topology=fat-tree --k=4 "
                            "--scheduler=varys ";
    Expect("silence", run + "--heartbeat=50us --masterTimeout=60us", run);
    Expect("control-load", run + "--heartbeat=50us --masterTimeout=10ms", run);
}

TEST_F(DiagnosisOfRuns, Arrivals)
{
    const std::string mix = "--generate=varys-mix,coflows=20,hosts=8 --engine=fluid "
                            "--topology=big-switch --hosts=8 --scheduler=varys --control=real ";
    Expect("burst", mix + "--scaleTime=1e-6", mix);
    Expect("overload", mix + "--scaleTime=1e-3", mix + "--scaleTime=1000");
}

TEST_F(DiagnosisOfRuns, PortsOfHosts)
{
    std::string text = "coflow_id,arrival_s,src,dst,bytes\n";
    for (int flow = 0; flow < 16'500; ++flow)
    {
        text += "1,0,0," + std::to_string(1 + flow % 3) + ",100\n";
    }
    const auto many = Write("many.csv", text);
    Expect("port-waits", "--trace=" + many + " --topology=big-switch --hosts=4", SMALL);
}

TEST_F(DiagnosisOfRuns, Jumps)
{
    const std::string run = "--generate=incast,senders=2,bytes=5e7 --topology=big-switch --hosts=4 "
                            "--scheduler=varys --ratePhase=spread ";
    Expect("jumps", run + "--jump", run);
}

TEST_F(DiagnosisOfRuns, LinkOrder)
{
    const std::string run = "--generate=incast,senders=2 --engine=fluid --topology=fat-tree --k=4 "
                            "--limits=links --scheduler=";
    Expect("link-order", run + "pfabric", run + "fair");
    Expect("link-order", run + "aalo", run + "varys");
}

TEST_F(DiagnosisOfRuns, IdlePorts)
{
    // The second flow is over after a tenth of the time, and Varys decides at ends of coflows.
    const auto trace = Write("idle.csv",
                             "coflow_id,arrival_s,src,dst,bytes\n"
                             "1,0,0,2,90000000\n1,0,1,3,10000000\n"
                             "2,0,4,2,50000000\n2,0,1,5,50000000\n");
    const auto run = "--trace=" + trace + " --engine=fluid --topology=big-switch --hosts=6 ";
    Expect("idle-ports", run + "--scheduler=varys", run + "--scheduler=sincronia");
}

TEST(DiagnosisOfScripts, QueueDiscs)
{
    const auto contains = [](const std::vector<std::string>& ids) {
        return std::find(ids.begin(), ids.end(), "queue-disc") != ids.end();
    };
    EXPECT_TRUE(contains(FindOnOwnNetwork("varys", false)));
    EXPECT_FALSE(contains(FindOnOwnNetwork("varys", true)));
}

TEST_F(DiagnosisOfRuns, AdvisesOptionsThatThereAre)
{
    const auto read = [](const std::string& name) {
        std::ifstream file(std::string(COFLOW_SOURCE_DIR) + name);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const auto source = read("/model/result/coflow-diagnosis-checks.cc");
    const auto known = Replay("--help").out + read("/doc/reference/parameters.md");
    const std::regex option("--([A-Za-z]+)");
    int options = 0;
    for (std::sregex_iterator found(source.begin(), source.end(), option), end; found != end;
         ++found)
    {
        const auto name = (*found)[1].str();
        EXPECT_TRUE(known.find("--" + name + "=") != std::string::npos ||
                    known.find("| `" + name + "` |") != std::string::npos ||
                    known.find("--" + name + " ") != std::string::npos)
            << name;
        ++options;
    }
    EXPECT_GE(options, 5);
}
