/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// That the listener of the other tests hears what is wrong.

#include "fabric-invariants.h"

#include "ns3/coflow-fabric-helper.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Tells a listener of events at two hosts of a big switch at 1 Gbps, 1 us, and counts its
/// complaints.
class FabricInvariantsTest : public testing::Test
{
  protected:
    /// @param happens what the listener is told, one after the other at given times
    /// @return the messages of the failures
    std::string Tell(const std::vector<std::pair<Time, std::function<void(FabricListener&)>>>& told)
    {
        FabricHelper helper("big-switch", "express");
        helper.SetTopologyAttributes("Hosts", UintegerValue(2));
        const auto fabric = helper.Create();
        FabricInvariants invariants(fabric);
        for (const auto& event : told)
        {
            Simulator::Schedule(event.first,
                                [&invariants, tell = event.second] { tell(invariants); });
        }
        Simulator::Run();
        testing::TestPartResultArray failures;
        {
            const testing::ScopedFakeTestPartResultReporter reporter(
                testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD,
                &failures);
            invariants.Finish();
        }
        std::string result;
        for (int i = 0; i < failures.size(); ++i)
        {
            result += failures.GetTestPartResult(i).message();
        }
        Simulator::Destroy();
        return result;
    }

    const PacketClass m_class{{1, 2}, {}};
    const FabricListener::Seen m_first{1, 998, m_class};
    const FabricListener::Seen m_second{2, 998, m_class};
};

} // namespace

TEST_F(FabricInvariantsTest, HearsOfWhatComesFromNowhere)
{
    EXPECT_EQ(Tell({}), "");
    EXPECT_NE(Tell({{Time(1000), [this](auto& l) { l.Arrive(0, m_first); }}})
                  .find("sends what it does not have"),
              std::string::npos);
    EXPECT_NE(Tell({{Time(1), [this](auto& l) { l.Drop(3, m_first); }}})
                  .find("port 3 drops what it does not have, at 1 ns"),
              std::string::npos);
}

TEST_F(FabricInvariantsTest, ComparesWithTheStatistics)
{
    const std::string told = Tell({{Time(1), [this](auto& l) { l.Receive(0, m_first); }}});
    EXPECT_NE(told.find("counts other arrivals"), std::string::npos) << told;
}

TEST_F(FabricInvariantsTest, KnowsThePlaceOfEveryPacket)
{
    const std::string told = Tell({{Time(1), [this](auto& l) { l.Receive(0, m_first); }},
                                   {Time(9001), [this](auto& l) { l.Arrive(0, m_first); }}});
    EXPECT_NE(told.find("packets arrive at switches and do not go on"), std::string::npos) << told;
    EXPECT_NE(told.find("coflow 1"), std::string::npos) << told;
}

TEST_F(FabricInvariantsTest, HearsOfOtherOrders)
{
    const std::string told = Tell({{Time(1),
                                    [this](auto& l) {
                                        l.Receive(1, m_first);
                                        l.Receive(1, m_second);
                                    }},
                                   {Time(9001), [this](auto& l) { l.Arrive(1, m_second); }}});
    EXPECT_NE(told.find("port 1 is not first in, first out, at 9001 ns"), std::string::npos)
        << told;
}

TEST_F(FabricInvariantsTest, HearsOfRatesAboveThePorts)
{
    for (const int64_t second : {17'000, 16'999})
    {
        const std::string told = Tell({{Time(0),
                                        [this](auto& l) {
                                            l.Receive(1, m_first);
                                            l.Receive(1, m_second);
                                        }},
                                       {Time(9000), [this](auto& l) { l.Arrive(1, m_first); }},
                                       {Time(second), [this](auto& l) { l.Arrive(1, m_second); }}});
        EXPECT_EQ(told.find("exceeds its rate") != std::string::npos, second == 16'999) << told;
    }
}
