/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// coflow-replay as a user meets it: status, messages, files.

#include "policy-names.h"
#include "replay-program.h"

#include "ns3/coflow-version.h"

#include <algorithm>
#include <csignal>
#include <vector>

using namespace coflow::test;

namespace
{

/// The summary without its member "cost", the only one that differs from run to run.
std::string
WithoutCost(const std::string& summary)
{
    const auto cost = summary.find("  \"cost\": {");
    EXPECT_NE(cost, std::string::npos);
    return summary.substr(0, cost);
}

} // namespace

TEST_F(ReplayProgram, RunsAndPrintsATable)
{
    const auto run = Replay(SMALL);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("1 of 1 coflows finished"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("800000 bytes delivered"), std::string::npos) << run.out;
}

TEST_F(ReplayProgram, RefusesWhatWouldEndTheProgramLater)
{
    ExpectRefused(SMALL + "--congestionOps=ns3::Node",
                  {"CongestionOps", "'ns3::Node'", "TcpDctcp"});
    ExpectRefused(SMALL + "--congestionOps=ns3::TcpCongestionOps",
                  {"allowed: a congestion control"});
    ExpectRefused(SMALL + "--fabric=nodes --queueDisc=ns3::MqQueueDisc",
                  {"MqQueueDisc", "allowed"});
    // These were taken as if nothing had been said.
    const std::string fifo = "--queueDisc=ns3::coflow::FifoQueueDisc";
    ExpectRefused(SMALL + fifo + "[Foo=1]", {"'Foo=1'", "allowed"});
    ExpectRefused(SMALL + fifo + "[MaxSize=abc]", {"MaxSize is 'abc'", "allowed"});
    ExpectRefused(SMALL + fifo + "[MaxSize=100p", {"[MaxSize=100p'", "allowed"});
    for (const std::string scheduler : {"varys", "aalo"})
    {
        ExpectRefused(SMALL + "--port=6000 --scheduler=" + scheduler, {"port 6000", "is taken"});
    }
}

TEST_F(ReplayProgram, WhatIsInterruptedReportsWhatItHasDone)
{
    // The first coflow is over at once, the second one would take hours.
    const auto trace = Write("trace.txt", "2 2\n1 0 1 0 1 1:1\n2 0 1 0 1 1:4000000\n");
    const auto out = m_folder / "out";
    const auto err = m_folder / "replay.txt";
    const auto run =
        Replay("--topology=big-switch --trace=" + trace + " --out=" + out.string() + " 2>" +
               err.string() + " >" + err.string() + ".out & sleep 2; kill -TERM $!; wait $!");
    const auto told = ReadFile(err);
    EXPECT_EQ(run.status, 128 + SIGTERM) << told;
    EXPECT_NE(told.find("1 coflows unfinished: 2"), std::string::npos) << told;
    EXPECT_NE(told.find("interrupted at"), std::string::npos) << told;
    const auto summary = ReadFile(out / "summary.json");
    EXPECT_NE(summary.find("\"reason\": \"interrupted\""), std::string::npos) << summary;
    EXPECT_NE(ReadFile(out / "coflows.csv").find("\n1,"), std::string::npos);
}

TEST_F(ReplayProgram, SinksListenWhereSourcesConnect)
{
    EXPECT_EQ(Replay(SMALL + "--port=1234 --stop=5").status, 0);
}

TEST_F(ReplayProgram, NoHostIsDeadBetweenTwoHeartbeats)
{
    // DaemonTimeout follows the scale of the workload, to 1.5 s, and the heartbeat that was given
    // does not. All hosts were taken for dead, and coflows sent without rates.
    const auto scaled = SMALL + "--scheduler=hug --transform=scale-bytes=0.025 --heartbeat=10s "
                                "--masterTimeout=30s";
    ExpectRefused(scaled, {"--daemonTimeout", "1.5 s", "10 s", "--scaleControl=no"});
    EXPECT_EQ(Replay(scaled + " --daemonTimeout=60s").status, 0);
    ExpectRefused(SMALL + "--scheduler=varys --heartbeat=3s --scaleControl=no",
                  {"--masterTimeout", "is 3 s", "allowed: more than --heartbeat"});
}

TEST_F(ReplayProgram, ListsSchedulersWithOneLineEach)
{
    const auto run = Replay("--list");
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("fair            packet,fluid  "), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nvarys           packet,fluid  "), std::string::npos) << run.out;
}

TEST_F(ReplayProgram, DescribesEveryPartAsJson)
{
    const auto run = Replay("--describe");
    EXPECT_EQ(run.status, 0);
    for (const char* part :
         {"\"engines\"", "\"schedulers\"", "\"fat-tree\"", "\"LinkRate\"", "\"MinRto\""})
    {
        EXPECT_NE(run.out.find(part), std::string::npos) << part;
    }
}

TEST_F(ReplayProgram, DescribesSizesThatFollowTheNetwork)
{
    const std::string network = "--topology=big-switch --hosts=3 --linkRate=400Gbps ";
    const auto described = Replay(network + "--describe");
    ASSERT_EQ(described.status, 0) << described.err;
    const auto out = m_folder / "sized";
    ASSERT_EQ(Replay(network + "--generate=incast,senders=2 --out=" + out.string()).status, 0);
    const auto of = [](const std::string& text) {
        const auto begin = text.find("\"network_constants\": {");
        EXPECT_NE(begin, std::string::npos);
        auto members = text.substr(begin, text.find('}', begin) - begin);
        std::erase(members, ' ');
        return members;
    };
    EXPECT_EQ(of(described.out), of(ReadFile(out / "summary.json"))) << "the number used";
    EXPECT_NE(of(described.out), of(Replay("--describe").out));
    ExpectRefused("--topology=big-switch --linkRate=fast --describe", {"linkRate", "'fast'"});
    EXPECT_EQ(Replay("--engine=fluid --describe").out.find("network_constants"), std::string::npos);
}

TEST_F(ReplayProgram, TellsTheVersionThatResultsName)
{
    const auto version = Run("coflow-replay", "--version");
    EXPECT_EQ(version.status, 0) << version.err;
    EXPECT_EQ(version.out,
              "coflow-replay " + ns3::coflow::GetModuleVersion() + " (ns-3 " +
                  ns3::coflow::GetNs3Version() + ")\n");
    const auto out = m_folder / "results";
    const auto run =
        Run("coflow-replay",
            "--generate=incast,senders=2 --topology=big-switch --hosts=3 --out=" + out.string());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto summary = ReadFile(out / "summary.json");
    EXPECT_NE(summary.find("\"version\": \"" + ns3::coflow::GetModuleVersion() + "\""),
              std::string::npos)
        << summary.substr(0, 400);
}

TEST_F(ReplayProgram, HelpNamesOptionsAndStatus)
{
    const auto run = Replay("--help");
    EXPECT_EQ(run.status, 0);
    for (const char* part : {"--trace=FILE", "--compare=", "Exit status: 0", "--ns3::"})
    {
        EXPECT_NE(run.out.find(part), std::string::npos) << part;
    }
}

TEST_F(ReplayProgram, WritesResultFilesWholeAndNamed)
{
    const auto folder = m_folder / "a" / "b";
    const auto run = Replay(SMALL + "--flows --out=" + folder.string());
    ASSERT_EQ(run.status, 0) << run.err;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"coflows.csv", "flows.csv", "summary.json"}));
    const auto flows = ReadFile(folder / "flows.csv");
    EXPECT_EQ(std::count(flows.begin(), flows.end(), '\n'), 1 + 4);
    const auto summary = ReadFile(folder / "summary.json");
    for (const char* part : {"\"ns3_version\"",
                             "\"rng_run\": 1",
                             "\"reproduce\"",
                             "\"LinkRate\": \"1",
                             "\"packet_hops\""})
    {
        EXPECT_NE(summary.find(part), std::string::npos) << part << " in " << summary;
    }
}

TEST_F(ReplayProgram, SameRunTwiceIsTheSameToTheByteAndAnotherRngRunIsNot)
{
    const std::string options =
        "--generate=varys-mix,coflows=12,hosts=16,seed=5 --scaleBytes=0.0004 --topology=fat-tree "
        "--k=4 --flows ";
    const auto run = [&](const std::string& name, const std::string& extra) {
        const auto result = Replay(options + extra + " --out=" + (m_folder / name).string());
        EXPECT_EQ(result.status, 0) << result.err;
    };
    run("first", "");
    run("second", "");
    run("other", "--RngRun=2");
    for (const char* name : {"coflows.csv", "flows.csv"})
    {
        EXPECT_EQ(ReadFile(m_folder / "first" / name), ReadFile(m_folder / "second" / name));
        EXPECT_NE(ReadFile(m_folder / "first" / name), ReadFile(m_folder / "other" / name));
    }
    EXPECT_EQ(WithoutCost(ReadFile(m_folder / "first" / "summary.json")),
              WithoutCost(ReadFile(m_folder / "second" / "summary.json")));
}

TEST_F(ReplayProgram, ProgressChangesNoResult)
{
    ASSERT_EQ(Replay(SMALL + "--out=" + (m_folder / "quiet").string()).status, 0);
    ASSERT_EQ(Replay(SMALL + "--progress --out=" + (m_folder / "told").string()).status, 0);
    EXPECT_EQ(WithoutCost(ReadFile(m_folder / "quiet" / "summary.json")),
              WithoutCost(ReadFile(m_folder / "told" / "summary.json")));
}

TEST_F(ReplayProgram, StopsInTimeAndListsWhatIsUnfinished)
{
    const auto run = Replay(SMALL + "--stop=0.001 --out=" + (m_folder / "out").string());
    EXPECT_EQ(run.status, 3);
    EXPECT_NE(run.err.find("1 coflows unfinished: "), std::string::npos) << run.err;
    EXPECT_NE(ReadFile(m_folder / "out" / "coflows.csv").find(",,,"), std::string::npos);
}

TEST_F(ReplayProgram, ComparesSchedulersSideBySide)
{
    const auto run = Replay(SMALL + "--compare=all --out=" + (m_folder / "out").string());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("speed-up"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nfair"), std::string::npos) << run.out;
    EXPECT_TRUE(std::filesystem::exists(m_folder / "out" / "fair" / "summary.json"));
}

TEST_F(ReplayProgram, ComparedSchedulersTakeTheOptionsThatTheyKnow)
{
    // fair has neither a coordinator nor T, fifo has no coalesce.
    const auto run = Replay(SMALL +
                            "--compare=fair,fifo,nc-drf --bypassBytes=0 --T=1 "
                            "--coalesce=1ms --controlBatch=1ms --out=" +
                            (m_folder / "out").string());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("  ctl MB  "), std::string::npos) << run.out;
    const auto summary = ReadFile(m_folder / "out" / "nc-drf" / "summary.json");
    EXPECT_NE(summary.find("\"UpdatedRates\""), std::string::npos) << summary;
    EXPECT_NE(summary.find("\"event_to_rate_s\""), std::string::npos);
    EXPECT_NE(summary.find("coalesce=1ms"), std::string::npos);
    ExpectRefused(SMALL + "--compare=fair,fifo --coalesce=1ms", {"coalesce"});
    ExpectRefused(SMALL + "--scheduler=varys --policy=fair", {"--policy", "--scheduler=NAME"});
    ExpectRefused(SMALL + "--scheduler=nc-drf --PolicyParameters=coalesce=1",
                  {"--PolicyParameters", "each by its name"});
    ExpectRefused(SMALL + "--scheduler=fair --bypassBytes=0", {"bypassBytes"});
    ExpectRefused(SMALL + "--scheduler=nc-drf --bypassBytes=0", {"--bypassBytes", "nc-drf"});
    ExpectRefused(SMALL + "--compare=nc-drf,ps-p --bypassBytes=0", {"--bypassBytes", "nc-drf"});
}

TEST_F(ReplayProgram, RunsTheFluidEngineWithTheSameOptionsAndFiles)
{
    const auto run = Replay(SMALL + "--engine=fluid --linkDelay=2us --flows --compare=all --out=" +
                            (m_folder / "out").string());
    EXPECT_EQ(run.status, 0) << run.err;
    // Four flows of 200 kB into one port of 1 Gbps: whoever schedules, the last byte is there
    // after 6.4 ms. Representatives: without order, in order, by shares.
    for (const char* scheduler : {"fair", "varys", "drf"})
    {
        const auto folder = m_folder / "out" / scheduler;
        const auto coflows = ReadFile(folder / "coflows.csv");
        EXPECT_NE(coflows.find(",0.006400000,0.006400000,0.006400000,1,"), std::string::npos)
            << coflows;
        const auto flows = ReadFile(folder / "flows.csv");
        EXPECT_EQ(std::count(flows.begin(), flows.end(), '\n'), 1 + 4);
        EXPECT_NE(ReadFile(folder / "summary.json").find("\"engine\": \"fluid\""),
                  std::string::npos);
    }
    ExpectRefused(SMALL + "--engine=fluid --nonsense=1", {"nonsense"});
    ExpectRefused(SMALL + "--engine=fluid --scheduler=varys --T=never", {"T", "never"});
    ExpectRefused(SMALL + "--scheduler=ps-p --mode=wfq", {"ps-p", "mode=wfq", "coordinator"});
    ExpectRefused(SMALL + "--scheduler=varys --T=never", {"T", "never"});
    EXPECT_EQ(Replay(SMALL + "--engine=fluid --stop=0.001").status, 3);
}

TEST_F(ReplayProgram, ADiagnosisFollowsTheTableAndIsInTheSummary)
{
    const auto alone = Replay(SMALL + "--scheduler=varys --out=" + (m_folder / "out").string());
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(alone.err, "");
    EXPECT_NE(alone.out.find("\nbypass: 1 of 1 coflows (100 %) with 100 % of the bytes"),
              std::string::npos)
        << alone.out;
    const auto summary = ReadFile(m_folder / "out" / "summary.json");
    EXPECT_NE(summary.find("\"id\": \"bypass\""), std::string::npos) << summary;
    const auto compared = Replay(SMALL + "--compare=fair,varys,drf");
    EXPECT_NE(compared.out.find("\nbypass (varys, drf): 1 of 1 coflows"), std::string::npos)
        << compared.out;
    const auto scheduled = Replay(SMALL + "--scheduler=varys --bypassBytes=0");
    EXPECT_EQ(scheduled.out.find("\nbypass"), std::string::npos) << scheduled.out;
    EXPECT_NE(scheduled.out.find("\ncontrol-period: controlBatch is 100 ms"), std::string::npos)
        << scheduled.out;
    const auto soon = Replay(SMALL + "--scheduler=varys --bypassBytes=0 --controlBatch=1us");
    EXPECT_EQ(soon.out.find("\ncontrol-period"), std::string::npos) << soon.out;
}

TEST_F(ReplayProgram, ARunInWhichNothingWaitedSaysSo)
{
    const auto trace = Write("apart.csv",
                             "coflow_id,arrival_s,src,dst,bytes\n"
                             "1,0,0,1,100000\n2,1,0,1,100000\n");
    const auto folder = m_folder / "apart";
    const std::string engines[] = {"fluid", "packet"};
    for (const auto& engine : engines)
    {
        const auto run =
            Replay("--trace=" + trace + " --topology=big-switch --hosts=2 --engine=" + engine +
                   " --force --out=" + folder.string());
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("\nrare-contention: no two coflows were at the same port"),
                  std::string::npos)
            << run.out;
        const auto summary = ReadFile(folder / "summary.json");
        EXPECT_NE(summary.find("\"id\": \"rare-contention\""), std::string::npos);
        EXPECT_NE(summary.find("\"contended\": false"), std::string::npos);
        const auto closer = Replay("--trace=" + trace +
                                   " --scaleTime=1e-4 --topology=big-switch "
                                   "--hosts=2 --engine=" +
                                   engine);
        EXPECT_EQ(closer.out.find("\nrare-contention"), std::string::npos) << closer.out;
    }
}

TEST_F(ReplayProgram, DescendantsOfARejectedCoflowAreRejectedInBothEngines)
{
    // Coflow 1 needs 8 ms and has 1 ms. The others wait for it, 4 in two ways.
    const auto trace = Write("rejected.csv",
                             "coflow_id,arrival_s,src,dst,bytes,deadline_s,parents\n"
                             "1,0,0,1,1000000,0.001,\n2,0,1,2,1000,,1\n3,0,1,3,1000,,1\n"
                             "4,0,2,3,1000,,2;3\n5,0,2,0,1000,,\n");
    for (const std::string engine : {"fluid", "packet"})
    {
        const auto folder = m_folder / engine;
        const auto run =
            Replay("--engine=" + engine + " --topology=big-switch --hosts=4 --trace=" + trace +
                   " --scheduler=varys-deadline --bypassBytes=0 --out=" + folder.string());
        EXPECT_EQ(run.status, 0) << engine << ": " << run.err;
        const auto summary = ReadFile(folder / "summary.json");
        EXPECT_NE(summary.find("\"rejected\": 4,"), std::string::npos) << engine << summary;
        EXPECT_NE(summary.find("\"finished\": 1,"), std::string::npos) << engine << summary;
    }
}

TEST_F(ReplayProgram, ComparesWithABaseline)
{
    // Both coflows of 1 MB into one port: under fair sharing both end at 16 ms, under fifo one at
    // 8 ms. So their ratios are 2 and 1 where fifo is the baseline, and 0.5 and 1 where fair is.
    const auto trace = Write("two.csv",
                             "coflow_id,arrival_s,src,dst,bytes\n"
                             "1,0,0,2,1000000\n2,0,1,2,1000000\n");
    const auto compare = [&](const std::string& options) {
        const auto folder = m_folder / "out";
        const auto run = Replay("--engine=fluid --topology=big-switch --hosts=3 --trace=" + trace +
                                " --compare=fair,fifo --force --out=" + folder.string() + options);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("norm CCT"), std::string::npos) << run.out;
        return ReadFile(folder / "comparison.csv");
    };
    const auto first = compare("");
    EXPECT_NE(first.find("\nfifo,fair,2,2,0,0,0,2,0.012,"), std::string::npos) << first;
    EXPECT_NE(first.find(",1.3333333333333333,0.75,"), std::string::npos) << first;
    // Per coflow, the speed-ups of fifo are 1 and 2: median, mean, 90th percentile, shares.
    EXPECT_NE(first.find(",1.5,1.5,1.9,0.5,0,"), std::string::npos) << first;
    const auto other = compare(" --baseline=fifo");
    EXPECT_NE(other.find("\nfair,fifo,2,"), std::string::npos) << other;
    EXPECT_NE(other.find(",0.75,1.5,"), std::string::npos) << other;
    EXPECT_NE(other.find(",0.75,0.75,0.95,0,0.5,"), std::string::npos) << other;
    ExpectRefused(SMALL + "--compare=fair --baseline=varys", {"varys", "--compare"});
}

TEST_F(ReplayProgram, ShowsTheDisparityOfBothEngines)
{
    // The second of two coflows into one port waits for the first under fifo only.
    const auto trace = Write("two.csv",
                             "coflow_id,arrival_s,src,dst,bytes\n"
                             "1,0,0,2,1000000\n2,0.001,1,2,1000000\n");
    for (const std::string engine : {"fluid", "packet --controlTransport=ideal"})
    {
        const auto folder = m_folder / "out";
        const auto run =
            Replay("--engine=" + engine + " --topology=big-switch --hosts=4 --trace=" + trace +
                   " --controlBatch=0 --bypassBytes=0 --sampleInterval=2ms" +
                   " --compare=fair,fifo --force --out=" + folder.string());
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("disparity"), std::string::npos) << run.out;
        const auto comparison = ReadFile(folder / "comparison.csv");
        EXPECT_NE(comparison.find(",inf,"), std::string::npos) << comparison;
        const auto fair = ReadFile(folder / "fair" / "summary.json");
        EXPECT_NE(fair.find("\"infinite_fraction\": 0"), std::string::npos) << fair;
        const auto samples = ReadFile(folder / "fifo" / "timeseries.csv");
        EXPECT_NE(samples.find("\n0.004000000,2,2,"), std::string::npos) << samples;
        EXPECT_NE(samples.find(",0,"), std::string::npos) << samples;
    }
}

TEST_F(ReplayProgram, DelaysControlInTheFluidEngineOnly)
{
    const auto folder = m_folder / "out";
    const auto run = Replay(SMALL +
                            "--engine=fluid --scheduler=varys --controlDelay=10ms "
                            "--bypassBytes=0 --sampleInterval=4ms --out=" +
                            folder.string());
    EXPECT_EQ(run.status, 0) << run.err;
    const auto coflows = ReadFile(folder / "coflows.csv");
    EXPECT_NE(coflows.find(",0.016400000,0.016400000,0.006400000,"), std::string::npos) << coflows;
    const auto samples = ReadFile(folder / "timeseries.csv");
    EXPECT_EQ(std::count(samples.begin(), samples.end(), '\n'), 1 + 5) << "0 to 16 ms";
    EXPECT_NE(samples.find("0.012000000,1,4,0.2,1,1,1,,"), std::string::npos) << samples;
    const auto summary = ReadFile(folder / "summary.json");
    EXPECT_NE(summary.find("\"controlDelay\": \"10ms\""), std::string::npos) << summary;
    EXPECT_NE(summary.find("\"bypassed\": 0"), std::string::npos);

    EXPECT_EQ(Replay(SMALL + "--engine=fluid --scheduler=varys --controlDelay=10ms --force --out=" +
                     folder.string())
                  .status,
              0);
    EXPECT_NE(ReadFile(folder / "summary.json").find("\"bypassed\": 1"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "timeseries.csv"));
    ExpectRefused(SMALL + "--controlDelay=10ms", {"controlDelay"});
    ExpectRefused(SMALL + "--engine=fluid --controlDelay=fast", {"controlDelay", "fast", "20ms"});
}

TEST_F(ReplayProgram, TakesTheStepOfTimeOfOtherSimulatorsInTheFluidEngineOnly)
{
    // 6.4 ms through one port, with CoflowSim's step of 8 ms.
    const auto folder = m_folder / "out";
    const auto run =
        Replay(SMALL + "--engine=fluid --scheduler=fair --quantum=8ms --out=" + folder.string());
    EXPECT_EQ(run.status, 0) << run.err;
    const auto coflows = ReadFile(folder / "coflows.csv");
    EXPECT_NE(coflows.find(",0.008000000,0.008000000,0.006400000,"), std::string::npos) << coflows;
    ExpectRefused(SMALL + "--quantum=8ms", {"quantum"});
}

TEST_F(ReplayProgram, SamplesQueuesAtPacketLevel)
{
    const auto folder = m_folder / "out";
    const auto run = Replay(SMALL + "--sampleInterval=1ms --out=" + folder.string());
    EXPECT_EQ(run.status, 0) << run.err;
    std::istringstream lines(ReadFile(folder / "timeseries.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_TRUE(line.ends_with(",queue_bytes,largest_queue_bytes,control_wire_bytes")) << line;
    std::getline(lines, line);
    // Four hosts send into one port: what waits there is all that waits at a switch.
    line.resize(line.rfind(',')); // handshakes of control
    const auto last = line.rfind(',');
    const auto largest = std::stoull(line.substr(last + 1));
    const auto all = std::stoull(line.substr(line.rfind(',', last - 1) + 1));
    EXPECT_GT(largest, 3000U) << line;
    EXPECT_GE(all, largest) << line;
    ExpectRefused(SMALL + "--sampleInterval=often", {"sampleInterval", "often", "20ms"});
}

TEST_F(ReplayProgram, RefusesBadUsageInOneLine)
{
    ExpectRefused("", {"--trace=FILE", "--generate=NAME"});
    ExpectRefused("stray", {"'stray'", "--name=value"});
    ExpectRefused(SMALL + "--scheduler=vary", {"vary", "fair"});
    ExpectRefused(SMALL + "--compare=fair,vary", {"vary", "fair"});
    ExpectRefused("--generate=incast --topology=torus", {"torus", "fat-tree", "big-switch"});
    ExpectRefused(SMALL + "--engine=magic", {"magic", "packet", "fluid"});
    ExpectRefused(SMALL + "--trace", {"--trace=FILE"});
    ExpectRefused(SMALL + "--progress=1", {"--progress"});
    ExpectRefused(SMALL + "--stop=soon", {"soon", "number"});
    ExpectRefused(SMALL + "--stop=-1", {"-1", "0"});
    ExpectRefused(SMALL + "--linkRate=fast", {"linkRate", "fast"});
    ExpectRefused(SMALL + "--linkRate=0bps", {"ate", "0"});
    ExpectRefused(SMALL + "--linkDelay=1lightyear", {"linkDelay", "1lightyear"});
    ExpectRefused("--generate=incast --topology=big-switch --hosts=many", {"hosts", "many"});
    ExpectRefused(SMALL + "--transport=TcpMagic", {"TcpMagic"});
    ExpectRefused(SMALL + "--nonsense=1", {"nonsense", "--help"});
    ExpectRefused(SMALL + "--RngRun=x", {"RngRun", "x"});
    ExpectRefused(SMALL + "--ns3::coflow::NoSuch::Thing=1", {"NoSuch"});
    ExpectRefused(SMALL + "--ns3::coflow::FatTreeTopology::Nope=1", {"Nope", "Oversubscription"});
    ExpectRefused("--topology=big-switch --hosts=2 --generate=incast,senders=4",
                  {"5", "2", "remap"});
    ExpectRefused("--generate=", {"NAME"});
    ExpectRefused("--generate=storm", {"storm", "incast"});
}

TEST_F(ReplayProgram, RefusesBadInputWithFileAndLine)
{
    ExpectRefused("--trace=" + (m_folder / "none").string(), {"none"});
    ExpectRefused("--trace=" + Write("short.txt", "2 2\n1 0 1 0 1 1:5\n"), {"short.txt:"});
    ExpectRefused("--trace=" + Write("port.txt", "2 1\n1 0 1 0 1 7:5\n"), {"port.txt:2:", "7"});
    ExpectRefused("--trace=" + Write("neg.txt", "2 1\n1 0 1 0 1 1:-5\n"), {"neg.txt:2:", "-5"});
    ExpectRefused("--trace=" + Write("empty.txt", ""), {"empty.txt"});
}

TEST_F(ReplayProgram, RefusesAnOutputFolderThatCannotBeWrittenBeforeTheRun)
{
    const auto file = Write("file", "x");
    ExpectRefused(SMALL + "--out=" + file + "/below", {"below", "output folder"});
}
