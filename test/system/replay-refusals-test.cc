/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Options that coflow-replay refuses in one line, with what is allowed.

#include "replay-program.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace coflow::test;

namespace
{

using Cases = std::vector<std::pair<std::string, std::vector<std::string>>>;

const std::string COORDINATED = SMALL + "--scheduler=varys --bypassBytes=0 ";

} // namespace

// ns-3 has 2^63 ns. Times are added up, so that each is far below.
TEST_F(ReplayProgram, RefusesTimesThatNoSimulationHolds)
{
    const Cases cases{
        {"--computeDelay=1e30s", {"computeDelay is '1e30s'", "to 1e+06 s"}},
        {"--messageTime=1e30s", {"messageTime is '1e30s'", "to 1e+06 s"}},
        {"--linkDelay=1e10s", {"linkDelay is '1e10s'", "to 1e+06 s"}},
        {"--linkDelay=9e9s", {"to 1e+06 s"}},
        {"--linkDelay=inf", {"to 1e+06 s"}},
        {"--linkDelay=-1s", {"from 0"}},
        {"--heartbeat=1e12s", {"heartbeat is '1e12s'"}},
        {"--ns3::TcpSocket::ConnTimeout=1e30s", {"to 1e+06 s"}},
        {"--ns3::TcpSocket::ConnTimeout=-5s", {"from 0"}},
        {"--linkDelay=0.1ns", {"linkDelay is '0.1ns'", "whole nanoseconds"}},
        {"--linkDelay=1.5ns", {"whole nanoseconds"}},
        {"--messageTime=1e-10", {"whole nanoseconds"}},
    };
    for (const auto& [options, parts] : cases)
    {
        ExpectRefused(COORDINATED + options, parts);
    }
    EXPECT_EQ(Replay(COORDINATED + "--linkDelay=1000.5ns").status, 0);
}

// The two moduli of ns-3's generator: a seed is below the smaller one, and not 0.
TEST_F(ReplayProgram, RefusesSeedsThatTheGeneratorDoesNotTake)
{
    for (const std::string engine : {"", "--engine=fluid "})
    {
        for (const std::string seed : {"0", "4294944443", "4294967087", "4294967296", "-1", "1.5"})
        {
            ExpectRefused(SMALL + engine + "--RngSeed=" + seed,
                          {"RngSeed is '" + seed + "'", "from 1 to 4294944442"});
        }
        EXPECT_EQ(Replay(SMALL + engine + "--RngSeed=4294944442").status, 0);
    }
}

TEST_F(ReplayProgram, RefusesRatesWithoutAUnit)
{
    for (const std::string rate : {"10", "1", "999", "0.5", "inf", "0", "0bps", "-5"})
    {
        ExpectRefused(SMALL + "--linkRate=" + rate,
                      {"linkRate is '" + rate + "'", "10Gbps", "from 1 to 1e+15 bit/s"});
    }
    for (const std::string rates : {"0=10", "0=1Gbps,0=2Gbps", "0=inf", "0=1Gbps,", "9=1Gbps"})
    {
        ExpectRefused(SMALL + "--hostRates=" + rates, {"HostRates", "allowed"});
    }
    for (const std::string rate : {"1e9", "1000000", "10Gbps", "9600bps"})
    {
        EXPECT_EQ(Replay(SMALL + "--engine=fluid --linkRate=" + rate).status, 0) << rate;
    }
}

TEST_F(ReplayProgram, RefusesWhatSaysNothingOrTwice)
{
    const auto trace = Write("t.csv", "coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,20000\n");
    const auto csv = "--topology=big-switch --hosts=5 --trace=" + trace + " ";
    const Cases cases{
        {SMALL + "--out=", {"option --out needs a value"}},
        {SMALL + "--segments=", {"option --segments needs a value"}},
        {SMALL + "--timeline=", {"option --timeline needs a value"}},
        {csv + "--trace=" + trace, {"option --trace is given twice"}},
        {SMALL + "--hosts=5", {"option --hosts is given twice"}},
        {SMALL + "--Hosts=5", {"given twice"}},
        {SMALL + "--RngRun=1 --RngRun=2", {"option --RngRun is given twice"}},
        {SMALL + "--compare=fair,", {"option --compare is 'fair,'"}},
        {SMALL + "--compare=,fair", {"option --compare is ',fair'"}},
        {"--topology=big-switch --hosts=5 --generate=incast,,",
         {"option --generate is 'incast,,'"}},
        {"--topology=big-switch --hosts=5 --generate=incast,", {"option --generate is 'incast,'"}},
        {SMALL + "--window=50:60", {"window=50:60", "leave none of 1 coflows"}},
        {SMALL + "--firstCoflows=0", {"leave none of 1 coflows"}},
        {SMALL + "--maxCoflowBytes=1", {"leave none of 1 coflows"}},
        {SMALL + "--bytesPerMb=5", {"--bytesPerMb", "Facebook"}},
        {csv + "--bytesPerMb=5", {"--bytesPerMb", "Facebook"}},
        {csv + "--roundUpToWholeMb", {"--roundUpToWholeMb", "Facebook"}},
        {SMALL + "--ns3::coflow::FifoQueueDisc::MaxSize=0p", {"MaxSize is '0p'", "more than 0"}},
        {SMALL + "--ns3::coflow::FifoQueueDisc::MaxSize=0B", {"MaxSize is '0B'", "more than 0"}},
        {COORDINATED + "--remaining=reported", {"remaining", "reportProgress"}},
    };
    for (const auto& [options, parts] : cases)
    {
        ExpectRefused(options, parts);
    }
    EXPECT_EQ(Replay(SMALL + "--ns3::coflow::FifoQueueDisc::MarkingThreshold=0B").status, 0);
    EXPECT_EQ(Replay(SMALL + "--transform=first=1 --transform=scale=1/2").status, 0);
}

TEST_F(ReplayProgram, SaysWhatMayBeMeant)
{
    const Cases cases{
        {SMALL + "--scheduler=varis", {"(perhaps varys)"}},
        {SMALL + "--scheduler=Varys", {"(perhaps varys)"}},
        {SMALL + "--engine=fluid --scheduler=aallo", {"(perhaps aalo)"}},
        {"--generate=incst --topology=big-switch", {"(perhaps incast)"}},
        {"--generate=incast --topology=fattree", {"(perhaps fat-tree)"}},
        {SMALL + "--transform=frst=3", {"(perhaps first)"}},
        {SMALL + "--engine=fluit", {"(perhaps fluid)"}},
        {SMALL + "--seed=3", {"perhaps --RngRun"}},
        {SMALL + "--scheduler=fair --controlBatch=1ms",
         {"is of other schedulers than fair", "varys"}},
        {"--generate=incast --topology=leaf-spine --k=4",
         {"option --k is of the topology fat-tree", "--topology=fat-tree"}},
        {SMALL + "--leaves=4", {"option --leaves is of the topology leaf-spine"}},
        {SMALL + "--quantum=8ms", {"--engine=fluid"}},
    };
    for (const auto& [options, parts] : cases)
    {
        ExpectRefused(options, parts);
    }
}

TEST_F(ReplayProgram, ReadsUtf8AndNothingElse)
{
    const std::string csv = "coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,20000\n";
    const std::string facebook = "2 1\n1 0 1 0 1 1:1\n";
    const auto run = "--engine=fluid --topology=big-switch --hosts=2 --trace=";
    for (const auto& text : {csv, facebook})
    {
        const auto plain = Replay(run + Write("plain", text));
        const auto marked = Replay(run + Write("marked", "\xEF\xBB\xBF" + text));
        EXPECT_EQ(plain.status, 0);
        EXPECT_EQ(marked.status, 0) << marked.err;
        std::string wide;
        for (const char c : text)
        {
            wide += {c, '\0'};
        }
        ExpectRefused(run + Write("wide", "\xFF\xFE" + wide), {"UTF-16", "allowed: UTF-8"});
        ExpectRefused(run + Write("wide", wide), {"UTF-16", "allowed: UTF-8"});
    }
    for (const std::string header : {"id,arrival,src,dst,size", "1,0,0,1,20000", "\"coflow_id\""})
    {
        ExpectRefused(run + Write("bad.csv", header + "\n1,0,0,1,20000\n"),
                      {"bad.csv:1: ", "coflow_id,arrival_s,src,dst,bytes", "PORTS COFLOWS"});
    }
}
