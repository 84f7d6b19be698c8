/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The options of coflow-replay as a user meets them: names, texts, engines, scales.

#include "replay-program.h"

#include <string>

using namespace coflow::test;

// Rows are made of the engines' declarations, and of nothing else.
TEST_F(ReplayProgram, HelpTellsWhatEnginesDeclare)
{
    const auto run = Replay("--help");
    for (const std::string part : {"--controlBatch=TIME",
                                   "--control=ideal|real",
                                   "--shortBytes=BYTES",
                                   "default 0.1 s, scales",
                                   "In the fluid engine"})
    {
        EXPECT_NE(run.out.find(part), std::string::npos) << part << run.out;
    }
    EXPECT_EQ(run.out.find("Control (fluid engine"), std::string::npos);
}

TEST_F(ReplayProgram, DefaultsFollowTheScaleOfTheWorkload)
{
    const std::string common =
        "--generate=incast,senders=3,bytes=20MB,coflows=3,interval=0.3 --topology=big-switch "
        "--hosts=4 --scheduler=varys ";
    const auto coflowsOf = [&](const std::string& name, const std::string& options) {
        const auto folder = m_folder / name;
        const auto run = Replay(common + options + " --out=" + folder.string());
        EXPECT_EQ(run.status, 0) << run.err;
        return ReadFile(folder / "coflows.csv");
    };
    const auto scaled = coflowsOf("scaled", "--scale=1/10");
    EXPECT_EQ(scaled,
              coflowsOf("hand",
                        "--scaleBytes=0.1 --scaleTime=0.1 --scaleControl=no --bypassBytes=2.5MB "
                        "--controlBatch=10ms --heartbeat=100ms --masterTimeout=300ms "
                        "--messageTime=300ns --rebuildTime=50ms --unregisterGrace=50ms "
                        "--daemonTimeout=6s --T=200ms "
                        "--delta=20ms --shortBytes=500kB"));
    EXPECT_NE(scaled, coflowsOf("unscaled", "--scale=1/10 --scaleControl=no"));
    EXPECT_EQ(scaled, coflowsOf("chosen", "--scaleBytes=1/10 --scaleTime=1/10 --scaleControl=0.1"));
    const auto summary = ReadFile(m_folder / "scaled" / "summary.json");
    EXPECT_NE(summary.find("\"control_scale\": 0.1,"), std::string::npos);
    EXPECT_NE(summary.find("\"scale\": 0.1,"), std::string::npos);
    const auto unscaled = ReadFile(m_folder / "unscaled" / "summary.json");
    EXPECT_NE(unscaled.find("\"control_scale\": 1,"), std::string::npos);
    ExpectRefused(common + "--scaleControl=perhaps", {"scaleControl", "'perhaps'", "1/250"});
    ExpectRefused(common + "--scale=0", {"scale is '0'"});
}

TEST_F(ReplayProgram, OptionsOfPacketsAreRefusedInTheFluidEngine)
{
    for (const std::string option : {"--segment=8948",
                                     "--transport=TcpCubic",
                                     "--fabric=nodes",
                                     "--watchdog=1s",
                                     "--queueDisc=ns3::coflow::FifoQueueDisc"})
    {
        ExpectRefused(SMALL + "--engine=fluid " + option, {"allowed: with --engine=packet"});
    }
    ExpectRefused(SMALL + "--controlDelay=1ms", {"allowed: with --engine=fluid"});
}

TEST_F(ReplayProgram, ControlTravelsInOneOfTheWaysThatAreNamed)
{
    for (const std::string way : {"sctp", "TCP", "udp", "ideal,", ""})
    {
        for (const std::string run :
             {"--scheduler=varys", "--scheduler=aalo", "--compare=fair,varys"})
        {
            ExpectRefused(SMALL + run + " --controlTransport=" + way,
                          {"controlTransport is '" + way + "'", "allowed: tcp, ideal"});
        }
    }
    ExpectRefused(SMALL + "--scheduler=varys --controlMessageDelay=1ms",
                  {"ControlMessageDelay", "allowed: 0, or ControlTransport=ideal"});
    ExpectRefused(SMALL + "--scheduler=varys --controlTransport=ideal --controlLossRate=0.1",
                  {"ControlLossRate", "allowed: 0, or ControlTransport=tcp"});
}

TEST_F(ReplayProgram, MalformedTextsOfGlobalValuesAreRefused)
{
    ExpectRefused(SMALL + "--RngRun=abc", {"RngRun", "'abc'", "allowed"});
    ExpectRefused(SMALL + "--SchedulerType=ns3::Node", {"SchedulerType", "ns3::Scheduler"});
    ExpectRefused(SMALL + "--SimulatorImplementationType=nonsense", {"ns3::SimulatorImpl"});
    ExpectRefused(SMALL + "--ns3::coflow::FifoQueueDisc::MaxSize=1z", {"'1z'", "100p"});
    ExpectRefused(SMALL + "--startJitter=ns3::UniformRandomVariable[Min=x]", {"Min", "'x'"});
}

TEST_F(ReplayProgram, AMisspeltOptionGetsTheNearestName)
{
    ExpectRefused(SMALL + "--schedular=varys", {"--schedular is unknown", "perhaps --scheduler,"});
    ExpectRefused(SMALL + "--linkDelai=1us", {"perhaps --linkDelay,"});
    ExpectRefused(SMALL + "--engine=fluid --linkRat=1Gbps", {"perhaps --linkRate,"});
}

TEST_F(ReplayProgram, APartMayStandBeforeItsOption)
{
    const auto chosen = Replay(SMALL + "--scheduler=dcas --CoflowSource::port=7000");
    EXPECT_EQ(chosen.status, 0) << chosen.err;
    const auto compared = Replay(SMALL + "--compare=fair,dcas --DcasAgent::expiry=3s");
    EXPECT_EQ(compared.status, 0) << "fair does not have it: " << compared.err;
    ExpectRefused(SMALL + "--scheduler=varys --CentralScheduler::policy=fair",
                  {"--CentralScheduler::policy", "--scheduler=NAME"});
    ExpectRefused(SMALL + "--scheduler=fair --::port=7000", {"--::port is unknown"});
    const auto inherited = Replay(SMALL + "--scheduler=varys --CentralDaemon::heartbeat=2s");
    EXPECT_EQ(inherited.status, 0) << "daemons of varys are of a derived class: " << inherited.err;
    const auto alone = Replay(SMALL + "--scheduler=fair --port=7000");
    EXPECT_EQ(alone.status, 0) << "sinks listen where sources send to: " << alone.err;
    ExpectRefused(SMALL + "--scheduler=dcas --BigSwitch::port=7000",
                  {"--BigSwitch::port is unknown"});
}

TEST_F(ReplayProgram, ApplicationsOfARunStartAndEndWithIt)
{
    ExpectRefused(SMALL + "--startTime=1ms", {"--startTime is unknown"});
    ExpectRefused(SMALL + "--stopTime=1ns", {"--stopTime is unknown"});
}
