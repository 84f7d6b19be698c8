/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packets take the time that the rate of a link says, whatever part of a nanosecond that is.

#include "checked-experiment.h"
#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-rounded-times.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-run.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::ErrorOf;

namespace
{

/// 0.3 to 4000 Gbps, most of them with packet times that are no whole nanoseconds.
const std::vector<uint64_t> RATES{300'000'000,
                                  1'000'000'000,
                                  1'234'567'891,
                                  2'500'000'000,
                                  10'000'000'000,
                                  25'000'000'000,
                                  40'000'000'000,
                                  100'000'000'000,
                                  333'333'333'333,
                                  400'000'000'000,
                                  800'000'000'000,
                                  1'600'000'000'000,
                                  3'600'000'000'000,
                                  4'000'000'000'000};

/// @return the first nanosecond that is not before so many bytes have passed
int64_t
RoundUp(uint64_t bytes, uint64_t rate)
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<int64_t>((Wide{bytes} * 8'000'000'000 + rate - 1) / rate);
}

/// @return an experiment of four senders and a receiver
ExperimentConfig
Incast(uint64_t rate)
{
    ExperimentConfig config;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "5"}, {"linkRate", std::to_string(rate)}, {"linkDelay", "25ns"}};
    return config;
}

::coflow::Workload
MakeIncast()
{
    return ::coflow::Generate("incast", {"senders=4", "bytes=2e6"});
}

} // namespace

TEST(WireTimes, PacketsInARowEndWhenTheirBytesHavePassed)
{
    for (const uint64_t rate : RATES)
    {
        for (const uint32_t bytes : {52U, 1500U})
        {
            WireTimes times(DataRate(rate), 7, 1500);
            EXPECT_EQ(times.GetDelay(), 7);
            int64_t end = 100;
            uint64_t early = 0;
            for (uint64_t n = 1; n <= 2000; ++n)
            {
                end = times.GetEnd(end, bytes, early);
                ASSERT_EQ(end, 100 + RoundUp(n * (bytes + 2), rate)) << n << " at " << rate;
            }
        }
    }
}

TEST(WireTimes, AreExactByHand)
{
    // 1502 bytes at 100 Gbps: 120.16 ns; 54 bytes at 4000 Gbps: 0.108 ns.
    WireTimes times(DataRate("100Gbps"), 0, 1500);
    uint64_t early = 0;
    EXPECT_EQ(times.GetEnd(0, 1500, early), 121);
    EXPECT_EQ(times.GetEnd(121, 1500, early), 241); // 240.32
    EXPECT_EQ(times.GetEnd(241, 1500, early), 361); // 360.48
    EXPECT_EQ(times.GetEnd(361, 52, early), 365);   // 364.8
    WireTimes fast(DataRate("4000Gbps"), 0, 1500);
    early = 0;
    int64_t end = 0;
    for (int i = 0; i < 9; ++i)
    {
        end = fast.GetEnd(end, 52, early);
        EXPECT_EQ(end, 1);
    }
    EXPECT_EQ(fast.GetEnd(end, 52, early), 2); // 1.08
    EXPECT_EQ(WireTime(100'000'000'000, 1502).RoundUp(), 121);
    EXPECT_EQ(WireTime(1'000'000'000, 1502).RoundUp(), 12'016);
}

// Whatever discipline, the second port never idles, and what arrives at the end is late by less
// than a nanosecond per port.
TEST(WireTimes, OfPortsInARow)
{
    for (const std::string disc :
         {"FifoQueueDisc[MaxSize=10000p]", "StrictPriorityQueueDisc[BandSize=10000p]"})
    {
        for (const uint64_t rate : RATES)
        {
            SCOPED_TRACE(disc + " at " + std::to_string(rate));
            FabricHelper helper("big-switch", "express");
            helper.SetTopologyAttributes("Hosts",
                                         UintegerValue(2),
                                         "LinkRate",
                                         DataRateValue(DataRate(rate)));
            helper.SetFabricAttributes("QueueDisc", StringValue("ns3::coflow::" + disc));
            const auto fabric = helper.Create();
            const auto channel = DynamicCast<FabricChannel>(fabric->GetHostDevice(0)->GetChannel());
            FabricInvariants invariants(fabric);
            SegmentRoute route;
            const ConnectionName connection{Fabric::GetHostAddress(1).Get(),
                                            1,
                                            2,
                                            ConnectionName::UDP};
            constexpr uint64_t PACKETS = 1000;
            Simulator::Schedule(NanoSeconds(50), [&] {
                for (uint64_t i = 0; i < PACKETS; ++i)
                {
                    channel->SendDatagram(0, Create<Packet>(1472), connection, route);
                }
            });
            Simulator::Run();
            invariants.Finish();
            EXPECT_EQ(fabric->GetTotals().deliveredPackets, PACKETS);
            const int64_t last = Simulator::Now().GetNanoSeconds() - 50 - 2 * 1000;
            EXPECT_GE(last, RoundUp((PACKETS + 1) * 1502, rate));
            EXPECT_LE(last, RoundUp((PACKETS + 1) * 1502, rate) + 2);
            Simulator::Destroy();
        }
    }
}

// A changed rate counts from the next transmission on, and nothing of the old rate's parts stays.
TEST(WireTimes, OfAPortThatChangesItsRate)
{
    for (const std::string disc : {"FifoQueueDisc", "StrictPriorityQueueDisc"})
    {
        SCOPED_TRACE(disc);
        FabricHelper helper("big-switch", "express");
        helper.SetTopologyAttributes("Hosts", UintegerValue(2), "LinkRate", StringValue("100Gbps"));
        helper.SetFabricAttributes("QueueDisc", StringValue("ns3::coflow::" + disc));
        const auto fabric = helper.Create();
        const auto channel = DynamicCast<FabricChannel>(fabric->GetHostDevice(0)->GetChannel());
        const auto topology = fabric->GetTopology();
        SegmentRoute route;
        const ConnectionName connection{Fabric::GetHostAddress(1).Get(), 1, 2, ConnectionName::UDP};
        Simulator::Schedule(NanoSeconds(50), [&] {
            for (int i = 0; i < 3; ++i)
            {
                channel->SendDatagram(0, Create<Packet>(1472), connection, route);
            }
        });
        // The first one is on the wire until 50 + 120.16; the others wait.
        Simulator::Schedule(NanoSeconds(100), [&] {
            topology->SetLinkRate(0, topology->GetHostSwitch(0), DataRate("3Gbps"));
        });
        Simulator::Run();
        // 171 + 2 * 4005.33 = 8181.67 at the switch after 1 us, and 120.16 and 1 us more.
        EXPECT_EQ(Simulator::Now().GetNanoSeconds(), 8182 + 1000 + 121 + 1000);
        Simulator::Destroy();
    }
}

// What wires take around segments: CCTs are at least 1502 / 1448 of Gamma. At 3600 Gbps it was 0.95
// of it, when 3.34 ns were 3.
TEST(WireTimes, GoodputNeverExceedsTheWire)
{
    const auto workload = MakeIncast();
    for (const uint64_t rate : RATES)
    {
        const auto outcome = RunExperiment(workload, test::Checked(Incast(rate)), "");
        EXPECT_GE(outcome.summary.slowdown.mean, 1502.0 / 1448) << rate;
        EXPECT_EQ(outcome.result.sizes->packetTimeError, 0);
    }
}

TEST(RoundedTimes, AreToldOrRefused)
{
    // 1502 bytes at 1 Gbps: 12016 ns; at 100 Gbps 120.16; at 400 Gbps 30.04; at 1600 Gbps 7.51.
    EXPECT_EQ(RoundedTimes::GetError(DataRate("1Gbps"), 1502), 0);
    EXPECT_NEAR(RoundedTimes::GetError(DataRate("100Gbps"), 1502), 120 / 120.16 - 1, 1e-12);
    EXPECT_NEAR(RoundedTimes::GetError(DataRate("1600Gbps"), 1502), 8 / 7.51 - 1, 1e-12);
    EXPECT_EQ(RoundedTimes::Describe(0), "");
    EXPECT_EQ(RoundedTimes::Describe(0.0001), "");
    EXPECT_EQ(RoundedTimes::Describe(-0.0013),
              "ns-3's devices round times of packets to whole ns: full segments take up to 0.13 % "
              "less than at the rate of their link");
    EXPECT_EQ(RoundedTimes::Check(DataRate("1Gbps"), 1502, "here", "there"), 0);
    EXPECT_EQ(
        ErrorOf([] { RoundedTimes::Check(DataRate("3600Gbps"), 1502, "host0->switch0", "there"); }),
        "host0->switch0 sends at 3600 Gbps, where a frame of 1502 bytes takes 3.338 ns, but ns-3's "
        "devices take a whole number, 10 % less; allowed: rates at which this is at most 0.5 %, or "
        "there");
}

TEST(RoundedTimes, OfTheFabricNodes)
{
    const auto workload = MakeIncast();
    auto config = Incast(100'000'000'000);
    config.fabric = "nodes";
    const auto outcome = RunExperiment(workload, config, "");
    EXPECT_NEAR(outcome.result.sizes->packetTimeError, 120 / 120.16 - 1, 1e-12);
    EXPECT_NE(outcome.summaryJson.ToString().find("\"packet_time_error\": -0.00133"),
              std::string::npos);
    EXPECT_NE(FormatRun(config, outcome.result, outcome.summary)
                  .find("full segments take up to 0.13 % less than at the rate of their link\n"),
              std::string::npos);
    config = Incast(3'600'000'000'000);
    config.fabric = "nodes";
    const auto error = ErrorOf([&] { RunExperiment(workload, config, ""); });
    EXPECT_NE(error.find("host0->"), std::string::npos) << error;
    EXPECT_NE(error.find("or the fabric express, which keeps the rest"), std::string::npos)
        << error;
}

TEST(RoundedTimes, OfAnInstalledNetwork)
{
    for (const std::string rate : {"1Gbps", "100Gbps", "1600Gbps"})
    {
        ::coflow::test::OwnNetwork own;
        own.link.SetDeviceAttribute("DataRate", StringValue(rate));
        own.MakeStar(3);
        CoflowHelper helper;
        helper.SetScheduler("fair");
        helper.InstallQueueDiscs();
        if (rate == "1600Gbps")
        {
            const auto error = ErrorOf([&] { helper.Install(own.hosts); });
            EXPECT_NE(
                error.find("or Time::SetResolution(Time::PS) as the first call of the script"),
                std::string::npos)
                << error;
            continue;
        }
        const auto installation = helper.Install(own.hosts);
        EXPECT_NEAR(installation->GetNetwork()->GetPacketTimeError(),
                    rate == "1Gbps" ? 0 : 120 / 120.16 - 1,
                    1e-12);
    }
}
