/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What coflow-replay tells its users before and after a run, and options of one scheduler alone.

#include "coflow-program.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace coflow::test;

namespace
{

/// A coflow of four senders into one port, on 5 hosts.
const std::string INCAST = "--generate=incast,senders=4,bytes=200kB --topology=big-switch ";

class ReplayForUsers : public ProgramTest
{
  protected:
    /// A debug build says so in a first line, which is left out here.
    ProgramRun Replay(const std::string& arguments) const
    {
        auto run = Run("coflow-replay", arguments);
        if (run.err.starts_with("warning: this is a debug build"))
        {
            run.err.erase(0, run.err.find('\n') + 1);
        }
        return run;
    }

    /// The run ends with status 2 and says this on standard error.
    void ExpectRefused(const std::string& arguments, const std::string& message) const
    {
        const auto run = Replay(arguments);
        EXPECT_EQ(run.status, 2) << arguments;
        EXPECT_NE(run.err.find(message), std::string::npos) << run.err << " lacks " << message;
    }
};

} // namespace

TEST_F(ReplayForUsers, OversubscriptionSlowsTheFabricDown)
{
    // All flows go to other pods. At ratio 4 the two hosts of an edge switch share 2 * 250 Mbps to
    // other switches, in place of 2 * 1 Gbps.
    std::string rows;
    for (int host = 0; host < 8; ++host)
    {
        rows += "1,0," + std::to_string(host) + "," + std::to_string(host + 8) + ",100000\n";
    }
    const auto trace = Write("across.csv", "coflow_id,arrival_s,src,dst,bytes\n" + rows);
    const auto coflows = [&](const std::string& options) {
        const auto folder = m_folder / "out";
        const auto run = Replay("--topology=fat-tree --k=4 --trace=" + trace +
                                " --force --out=" + folder.string() + " " + options);
        EXPECT_EQ(run.status, 0) << run.err;
        return ReadFile(folder / "coflows.csv");
    };
    const auto plain = coflows("");
    EXPECT_EQ(coflows("--oversubscription=1"), plain);
    const auto slow = coflows("--oversubscription=4 --hosts=16");
    EXPECT_NE(slow, plain);
    EXPECT_EQ(slow, coflows("--fabricLinkRate=250Mbps"));
    ExpectRefused("--trace=" + trace + " --topology=big-switch --oversubscription=4",
                  "--oversubscription is of the topology fat-tree, leaf-spine, not of big-switch");
}

TEST_F(ReplayForUsers, IdleHostsAreTold)
{
    const auto alone = Replay(INCAST + "--hosts=9 --out=" + (m_folder / "out").string());
    EXPECT_NE(alone.out.find("\n4 of 9 hosts have no flow\n"), std::string::npos) << alone.out;
    EXPECT_NE(ReadFile(m_folder / "out/summary.json").find("\"idle_hosts\": 4"), std::string::npos);
    const auto compared = Replay(INCAST + "--hosts=9 --engine=fluid --compare=fair,fifo");
    EXPECT_NE(compared.out.find("\n4 of 9 hosts have no flow\n"), std::string::npos)
        << compared.out;
    const auto none = Replay(INCAST + "--hosts=5");
    EXPECT_EQ(none.out.find("have no flow"), std::string::npos) << none.out;
}

TEST_F(ReplayForUsers, AnOptionMayBeOfOneSchedulerAlone)
{
    const auto folder = m_folder / "out";
    const auto run = Replay(INCAST +
                            "--hosts=5 --compare=fair,varys,fifo --bypassBytes=0 "
                            "--controlBatch=1ms --varys.controlBatch=5ms --out=" +
                            folder.string());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto has = [&](const std::string& scheduler, const std::string& text) {
        return ReadFile(folder / scheduler / "summary.json").find(text) != std::string::npos;
    };
    EXPECT_TRUE(has("varys", "\"ControlBatch\": \"+5e+06ns\""));
    EXPECT_TRUE(has("fifo", "\"ControlBatch\": \"+1e+06ns\""));
    // The line that gives the run again has the option where it is of use.
    EXPECT_TRUE(has("varys", "--controlBatch=1ms --varys.controlBatch=5ms --scheduler=varys"));
    EXPECT_TRUE(has("fifo", "--controlBatch=1ms --scheduler=fifo"));
    const auto again = Replay(INCAST +
                              "--hosts=5 --bypassBytes=0 --controlBatch=1ms "
                              "--varys.controlBatch=5ms --scheduler=varys --out=" +
                              (m_folder / "again").string());
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(ReadFile(m_folder / "again/coflows.csv"), ReadFile(folder / "varys/coflows.csv"));
    // A parameter of the policy takes the place of the plain one, too, and in the fluid engine.
    for (const std::string engine : {"packet", "fluid"})
    {
        const auto both = Replay(INCAST +
                                 "--hosts=5 --compare=varys,scf --T=1s --varys.T=8ms "
                                 "--engine=" +
                                 engine);
        EXPECT_EQ(both.status, 0) << both.err;
    }
}

TEST_F(ReplayForUsers, AnOptionOfNoOrAnotherSchedulerIsRefused)
{
    const auto compare = INCAST + "--hosts=5 --compare=fair,varys ";
    ExpectRefused(compare + "--aalo.delta=1ms",
                  "option --aalo.delta is of the scheduler 'aalo', which is not run; allowed: "
                  "fair, varys\n");
    // Varys has it, fair does not.
    ExpectRefused(compare + "--fair.T=1ms", "option --fair.T is unknown to fair; allowed: ");
    ExpectRefused(compare + "--varys.controlBtach=1ms", "allowed: perhaps --varys.controlBatch\n");
    ExpectRefused(compare + "--engine=fluid --varys.delt=1ms", "perhaps --varys.delta\n");
    ExpectRefused(INCAST + "--hosts=5 --scheduler=fair --varys.T=1ms", "allowed: fair\n");
    ExpectRefused(compare + "--varys.T=soon", "soon");
}

TEST_F(ReplayForUsers, AComparisonNamesSchedulersOnceEach)
{
    for (const std::string names : {",", "fair,", ",fair", "fair,,varys", "fair,varys,fair"})
    {
        ExpectRefused(INCAST + "--compare=" + names,
                      "option --compare is '" + names +
                          "'; allowed: one or more schedulers, each once, as in fair,varys, or "
                          "all");
    }
}

TEST_F(ReplayForUsers, ASpaceInPlaceOfTheEqualsSignIsTold)
{
    ExpectRefused(INCAST + "--linkRate 1Gbps",
                  "argument '1Gbps' is no option; allowed: --linkRate=1Gbps, with = in place of "
                  "the space");
    ExpectRefused("--trace file.csv",
                  "option --trace needs a value; allowed: --trace=FILE, without a space");
    ExpectRefused(INCAST + "--flows here", "argument 'here' is no option; allowed: --name=value");
}

TEST_F(ReplayForUsers, AParameterThatIsTrueNeedsNoValue)
{
    std::vector<std::string> told;
    for (const std::string option : {"--pooledLeftovers", "--pooledLeftovers=true"})
    {
        const auto out = m_folder / "told";
        ASSERT_EQ(Replay(INCAST + "--hosts=5 --scheduler=varys --engine=fluid --force " + option +
                         " --out=" + out.string())
                      .status,
                  0);
        const auto summary = ReadFile(out / "summary.json");
        const auto at = summary.find("\"pooledLeftovers\": ");
        ASSERT_NE(at, std::string::npos);
        told.push_back(summary.substr(at, summary.find('\n', at) - at));
    }
    EXPECT_EQ(told[0], told[1]);
    EXPECT_NE(told[0].find("true"), std::string::npos) << told[0];
}

// Headers, handshakes and acknowledgements count, and both kinds of connections send the same.
TEST_F(ReplayForUsers, ControlOnTheWireIsCounted)
{
    std::vector<std::string> told;
    for (const std::string stack : {"lean", "ns3"})
    {
        const auto out = m_folder / stack;
        ASSERT_EQ(Replay("--generate=incast,senders=3 --topology=big-switch --hosts=4 "
                         "--scheduler=varys --bypassBytes=0 --hostStack=" +
                         stack + " --out=" + out.string())
                      .status,
                  0);
        const auto summary = ReadFile(out / "summary.json");
        const auto begin = summary.find("\"control_messages\"");
        told.push_back(summary.substr(begin, summary.find("\"port_waits\"") - begin));
    }
    EXPECT_EQ(told[0], told[1]);
    const auto value = [&told](const std::string& name) {
        const auto at = told[0].find("\"" + name + "\": ");
        EXPECT_NE(at, std::string::npos) << name;
        return std::stod(told[0].substr(at + name.size() + 4));
    };
    // A handshake has three packets; messages have 52 bytes of headers, and most an
    // acknowledgement.
    EXPECT_GT(value("control_wire_packets"), value("control_messages"));
    EXPECT_GT(value("control_wire_bytes"),
              value("control_bytes") + 40 * value("control_wire_packets"));
    EXPECT_LT(value("control_wire_bytes"),
              value("control_bytes") + 60 * value("control_wire_packets"));
    EXPECT_NEAR(value("control_percent"),
                100 * value("control_wire_bytes") / value("sent_bytes"),
                1e-9);
}

TEST_F(ReplayForUsers, AResultThatWasJumpedSaysTheShare)
{
    const std::string flows = "--generate=incast,senders=2,bytes=5e7 --topology=big-switch "
                              "--hosts=4 --ratePhase=spread ";
    const auto run =
        Replay(flows + "--scheduler=varys --jump --out=" + (m_folder / "out").string());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto summary = ReadFile(m_folder / "out/summary.json");
    const auto number = [&summary](const std::string& name) {
        const auto found = summary.find("\"" + name + "\": ");
        EXPECT_NE(found, std::string::npos) << name;
        return std::stod(summary.substr(found + name.size() + 4));
    };
    const double percent = number("skipped_packet_hops_percent");
    EXPECT_DOUBLE_EQ(percent, 100 * number("skipped_packet_hops") / number("packet_hops"));
    EXPECT_GT(percent, 90);
    EXPECT_LT(percent, 100);
    const auto told = run.out.find(" % of packet-hops skipped, in ");
    ASSERT_NE(told, std::string::npos) << run.out;
    const auto line = run.out.rfind('\n', told) + 1;
    EXPECT_NEAR(std::stod(run.out.substr(line, told - line)), percent, 0.1);

    const auto both = Replay(flows + "--compare=varys,drf --jump=true");
    EXPECT_EQ(both.status, 0) << both.err;
    EXPECT_NE(both.out.find("skipped %"), std::string::npos) << both.out;
    EXPECT_EQ(Replay(flows + "--scheduler=varys --jump=false").out.find("skipped"),
              std::string::npos);
    ExpectRefused(flows + "--scheduler=aalo --jump", "option --jump: under scheduler aalo ");
    ExpectRefused(flows + "--scheduler=varys --jump=steady", "'steady'; allowed: ");
}
