/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// With control that costs nothing, a short period and long flows, Aalo and Graviton do at packet
// level what their policies do to fluids, on ports that have what headers leave.

#include "hybrid-fixture.h"
#include "policy-names.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>

using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// Payload of a segment over its bytes on the wire.
constexpr double GOODPUT = 1448.0 / 1502;

/// Parameters of both engines.
using Parameters = std::vector<std::pair<std::string, std::string>>;

std::map<::coflow::CoflowId, double>
Fluid(const Workload& workload, const std::string& scheduler, const Parameters& parameters)
{
    std::vector<std::string> texts{"coalesce=0"};
    bool period = false;
    for (const auto& [name, value] : parameters)
    {
        texts.push_back(std::string(name).append("=").append(value));
        period = period || name == "delta";
    }
    if (!period)
    {
        texts.emplace_back("delta=0.001");
    }
    const auto policy = ::coflow::MakePolicy(scheduler, texts);
    const auto result =
        ::coflow::RunFluid(workload,
                           ::coflow::PortRates::Uniform(workload.hosts, GOODPUT * 12.5e6),
                           *policy);
    std::map<::coflow::CoflowId, double> ccts;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        ccts[workload.coflows[i].id] =
            static_cast<double>(result.coflows[i].Cct()) / static_cast<double>(UNIT);
    }
    return ccts;
}

std::map<::coflow::CoflowId, double>
Packets(const Workload& workload, const std::string& scheduler, const Parameters& parameters)
{
    return Ccts(
        RunPacketExperiment(workload,
                            HybridConfig(scheduler, workload.hosts + 1, Attributes(parameters))));
}

/// Every completion time is the fluid one within 5 %, or within a period, in units.
void
ExpectConvergence(const std::string& name,
                  const Workload& workload,
                  const std::string& scheduler,
                  const Parameters& parameters,
                  double period = 0.01)
{
    const auto fluid = Fluid(workload, scheduler, parameters);
    const auto packets = Packets(workload, scheduler, parameters);
    for (const auto& [id, cct] : packets)
    {
        EXPECT_NEAR(cct, fluid.at(id), 0.05 * fluid.at(id) + period)
            << name << " under " << scheduler << ", coflow " << id;
    }
}

/// Coflows whose senders are few, and whose receivers are all different.
Workload
Senders(unsigned seed, bool ownReceivers)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    Workload workload;
    workload.hosts = 3;
    for (::coflow::CoflowId id = 1; id <= 5; ++id)
    {
        std::vector<UnitFlow> flows;
        for (int i = draw(1, 4); i > 0; --i)
        {
            const auto to =
                ownReceivers ? workload.hosts++ : static_cast<::coflow::HostId>(3 + draw(0, 3));
            flows.push_back({static_cast<::coflow::HostId>(draw(0, 2)), to, 0.25 * draw(2, 12)});
        }
        workload.coflows.push_back(MakeCoflow(id, flows, 0.37 * static_cast<double>(id)));
    }
    workload.hosts = std::max<::coflow::HostId>(workload.hosts, 7);
    return workload;
}

/// Sixty coflows of three small flows each, among eight hosts, at once.
Workload
ManySmall(unsigned seed)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    Workload workload;
    workload.hosts = 8;
    for (::coflow::CoflowId id = 1; id <= 60; ++id)
    {
        std::vector<UnitFlow> flows;
        for (int i = 0; i < 3; ++i)
        {
            const int from = draw(0, 7);
            const int to = (from + draw(1, 7)) % 8;
            flows.push_back({static_cast<::coflow::HostId>(from),
                             static_cast<::coflow::HostId>(to),
                             0.001 * draw(16, 160)});
        }
        workload.coflows.push_back(MakeCoflow(id, flows));
    }
    return workload;
}

double
MeanOf(const std::map<::coflow::CoflowId, double>& ccts)
{
    double sum = 0;
    for (const auto& [id, cct] : ccts)
    {
        sum += cct;
    }
    return sum / static_cast<double>(ccts.size());
}

class EveryHybridPolicy : public testing::TestWithParam<std::string>
{
};

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         EveryHybridPolicy,
                         testing::ValuesIn(::coflow::test::PolicyNames(::coflow::Control::HYBRID)),
                         [](const testing::TestParamInfo<std::string>& test) {
                             return ::coflow::test::NameInTests(test.param);
                         });

} // namespace

TEST(HybridConvergence, AalosExample)
{
    // One port, a limit of 10: {20, 14} strictly, {20, 16.5} with weights 2 to 1.
    const Workload workload{3, {MakeCoflow(1, {{0, 1, 15}}), MakeCoflow(2, {{0, 2, 5}}, 1)}};
    for (const std::string sharing : {"strict", "weighted"})
    {
        const Parameters parameters{{"queues", "2"},
                                    {"firstThreshold", UnitsText(10)},
                                    {"sharing", sharing}};
        auto packets = Packets(workload, "aalo", parameters);
        EXPECT_NEAR(packets[1] * GOODPUT, 20, 0.3);
        EXPECT_NEAR(packets[2], (sharing == "strict" ? 15 : 17.5) / GOODPUT - 1, 0.3);
        ExpectConvergence("E8", workload, "aalo", parameters);
    }
}

TEST(HybridConvergence, GravitonsOrders)
{
    // Thin first, wide first, and in between: C1 is wide, C2 thin and later.
    const Workload workload{
        8,
        {MakeCoflow(1, {{0, 2, 2}, {0, 3, 2}, {1, 4, 2}}), MakeCoflow(2, {{0, 5, 1}}, 0.5)}};
    for (const std::string wide : {"0", "6"})
    {
        const Parameters parameters{{"firstThreshold", UnitsText(100)},
                                    {"sharing", "strict"},
                                    {"wideQueues", wide}};
        const auto packets = Packets(workload, "graviton", parameters);
        EXPECT_NEAR(packets.at(2) * GOODPUT, wide == "0" ? 1 : 4.5, 0.2);
        ExpectConvergence(std::string("wideQueues=").append(wide),
                          workload,
                          "graviton",
                          parameters);
    }
}

TEST_P(EveryHybridPolicy, ConvergesOnRandomWorkloads)
{
    for (const std::string sharing : {"strict", "weighted"})
    {
        for (unsigned seed = 1; seed <= 4; ++seed)
        {
            ExpectConvergence(std::to_string(seed).append(" ").append(sharing),
                              Senders(seed, true),
                              GetParam(),
                              {{"firstThreshold", UnitsText(2)},
                               {"factor", "3"},
                               {"queues", "4"},
                               {"sharing", sharing}});
        }
    }
}

TEST_P(EveryHybridPolicy, ConvergesInTheMeanWhereReceiversContend)
{
    // Where a receiver has something left for a coflow, TCP divides it as it does.
    double fluidSum = 0;
    double packetSum = 0;
    for (unsigned seed = 1; seed <= 6; ++seed)
    {
        const auto workload = Senders(seed, false);
        const Parameters parameters{{"firstThreshold", UnitsText(2)},
                                    {"factor", "3"},
                                    {"queues", "4"},
                                    {"sharing", "strict"}};
        for (const auto& [id, cct] : Fluid(workload, GetParam(), parameters))
        {
            fluidSum += cct;
        }
        for (const auto& [id, cct] : Packets(workload, GetParam(), parameters))
        {
            packetSum += cct;
        }
    }
    EXPECT_NEAR(packetSum / fluidSum, 1, 0.05);
}

TEST_P(EveryHybridPolicy, ConvergesWithALongPeriod)
{
    // Half a unit, in which a flow of the smallest size is over: hosts act by what they know
    // themselves in both engines. Reports are up to half a period old in packets alone.
    for (const std::string sharing : {"strict", "weighted"})
    {
        for (unsigned seed = 1; seed <= 3; ++seed)
        {
            ExpectConvergence(std::to_string(seed).append(" ").append(sharing),
                              Senders(seed, true),
                              GetParam(),
                              {{"delta", "0.05"},
                               {"firstThreshold", UnitsText(2)},
                               {"factor", "3"},
                               {"queues", "4"},
                               {"sharing", sharing}},
                              0.5);
        }
    }
}

TEST_P(EveryHybridPolicy, DoesNotLeaveManySmallCoflowsWaitingForAWord)
{
    // A period is as long as a flow. Under Graviton the fluid with the same period has nearly the
    // same mean, and one that knows all at once is at most a quarter better. Under Aalo the
    // coordinator speaks at its ticks alone, and in packets TCP shares receivers that the fluid
    // serves in order (the next test).
    for (unsigned seed = 1; seed <= 2; ++seed)
    {
        const Workload workload = ManySmall(seed);
        const double packets = MeanOf(Packets(workload, GetParam(), {{"delta", "0.01"}}));
        const double fluid = MeanOf(Fluid(workload, GetParam(), {{"delta", "0.01"}}));
        const double ideal = MeanOf(Fluid(workload, GetParam(), {{"delta", "0"}}));
        EXPECT_NEAR(packets / fluid, 1, GetParam() == "aalo" ? 0.4 : 0.15) << seed;
        EXPECT_LT(packets, (GetParam() == "aalo" ? 1.6 : 1.25) * ideal) << seed;
    }
}

TEST(HybridConvergence, TcpSharesAReceiverThatTheFluidServesInOrder)
{
    // Four coflows of a flow each, from four hosts to one. What the order of coflows is at a
    // receiver only the coordinator can see to.
    const Workload workload{5,
                            {MakeCoflow(1, {{0, 4, 1}}),
                             MakeCoflow(2, {{1, 4, 1}}),
                             MakeCoflow(3, {{2, 4, 1}}),
                             MakeCoflow(4, {{3, 4, 1}})}};
    for (const bool match : {false, true})
    {
        const Parameters parameters{{"receiverMatch", match ? "true" : "false"},
                                    {"firstThreshold", UnitsText(100)}};
        const auto fluid = Fluid(workload, "aalo", parameters);
        const auto packets = Packets(workload, "aalo", parameters);
        for (const ::coflow::CoflowId id : {1, 2, 3, 4})
        {
            const auto turn = static_cast<double>(id);
            EXPECT_NEAR(fluid.at(id) * GOODPUT, turn, 0.02) << id;
            EXPECT_NEAR(packets.at(id) * GOODPUT, match ? turn : 4, match ? 0.2 : 0.6) << id;
        }
    }
}
