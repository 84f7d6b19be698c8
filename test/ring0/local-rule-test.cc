/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rules of schedulers without a coordinator, which both engines ask.

#include "ns3/coflow-baraat-rule.h"
#include "ns3/coflow-dcas-protocol.h"
#include "ns3/coflow-dcas.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace coflow;
using BaraatRule::TaskRun;

TEST(BaraatRule, ARunIsCompleteWithTheFirstTaskThatIsNotHeavy)
{
    EXPECT_FALSE(TaskRun().IsComplete());
    const TaskRun heavy = TaskRun::Of(true);
    const TaskRun light = TaskRun::Of(false);
    EXPECT_FALSE((heavy + heavy).IsComplete());
    EXPECT_TRUE((heavy + light).IsComplete());
    EXPECT_TRUE((light + heavy).IsComplete());
    EXPECT_TRUE((TaskRun() + light).IsComplete());
    EXPECT_TRUE(BaraatRule::IsHeavy(1000, 1000));
    EXPECT_FALSE(BaraatRule::IsHeavy(999, 1000));
}

TEST(DcasKey, AsOneNumberItHasTheSameOrder)
{
    const std::vector<DcasKey> ascending{DcasKey::Small(0),
                                         DcasKey::Small(1),
                                         DcasKey::Small(1'000'000'000'000),
                                         DcasKey::Starved(),
                                         DcasKey::Agreed(1),
                                         DcasKey::Agreed(2),
                                         DcasKey::Agreed(1e15)};
    for (std::size_t i = 0; i < ascending.size(); ++i)
    {
        for (std::size_t j = 0; j < ascending.size(); ++j)
        {
            EXPECT_EQ(ascending[i] < ascending[j], i < j);
            EXPECT_EQ(ascending[i].Pack() < ascending[j].Pack(), i < j);
            EXPECT_EQ(ascending[i].Pack() == ascending[j].Pack(), i == j);
        }
    }
    EXPECT_EQ(DcasKey::Small(7).Pack(), 7U);
    EXPECT_EQ(DcasKey::Starved().Pack(), std::uint64_t{1} << 62);
    EXPECT_EQ(DcasKey::Agreed(5).Pack(), (std::uint64_t{1} << 62) + 5);
}

TEST(DcasProtocol, KeysFollowTurns)
{
    using DcasProtocol::Turn;
    // 1 MB at 1 Gbps is 8 ms.
    EXPECT_DOUBLE_EQ(DcasProtocol::WantedTime(1e6, 125e6), 8e6);
    EXPECT_EQ(DcasProtocol::KeyOf(Turn::SMALL, 3, 8e6), DcasKey::Small(3));
    EXPECT_EQ(DcasProtocol::KeyOf(Turn::STARVED, 3, 8e6), DcasKey::Starved());
    EXPECT_EQ(DcasProtocol::KeyOf(Turn::ANNOUNCES, 3, 8e6), DcasKey::Agreed(8e6));
    EXPECT_EQ(DcasProtocol::FirstKey(999, 1000, 3, 8e6), DcasKey::Small(3));
    EXPECT_EQ(DcasProtocol::FirstKey(1000, 1000, 3, 8e6), DcasKey::Agreed(8e6));
}

TEST(Dcas, NegotiatesAsPsiAndPhiSay)
{
    std::mt19937 random(1);
    for (int trial = 0; trial < 300; ++trial)
    {
        const HostId senders = 1 + random() % 6;
        const HostId receivers = 1 + random() % 6;
        std::set<std::pair<HostId, HostId>> flows;
        for (HostId src = 0; src < senders; ++src)
        {
            flows.insert({src, 6 + random() % receivers});
        }
        for (int more = random() % 12; more > 0; --more)
        {
            flows.insert({random() % senders, 6 + random() % receivers});
        }
        std::vector<double> known;
        for (HostId src = 0; src < senders; ++src)
        {
            known.push_back(static_cast<double>(random() % 5));
        }
        std::vector<HostId> from;
        std::vector<HostId> to;
        for (const auto& [src, dst] : flows)
        {
            from.push_back(src);
            to.push_back(dst);
        }
        const std::vector<FlowId> ids(flows.size());
        CoflowRow row;
        row.end = static_cast<std::uint32_t>(flows.size());
        PortIndex index;
        index.Update({0, std::span(&row, 1), from, to, ids, {}}, 12);
        const auto negotiated = Dcas::Negotiate(index.Of(0), known);
        ASSERT_EQ(negotiated.size(), senders);
        for (HostId src = 0; src < senders; ++src)
        {
            std::vector<double> answers;
            for (HostId dst = 6; dst < 12; ++dst)
            {
                std::vector<double> announced;
                for (HostId other = 0; other < senders; ++other)
                {
                    if (flows.contains({other, dst}))
                    {
                        announced.push_back(known[other]);
                    }
                }
                if (flows.contains({src, dst}))
                {
                    answers.push_back(DcasProtocol::Psi(announced));
                }
            }
            EXPECT_EQ(negotiated[src], DcasProtocol::Phi(answers));
        }
    }
}
