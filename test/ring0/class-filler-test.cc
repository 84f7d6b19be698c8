/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The index of flows by port, and the filler that works on it, against plain ways to say the same.

#include "ns3/coflow-class-filler.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

using namespace coflow;

namespace
{

constexpr double RATE = 1000;

/// Coflows on some hosts, and the arrays of their view.
struct Scene
{
    HostId hosts{0};
    std::vector<CoflowRow> rows;
    std::vector<HostId> src;
    std::vector<HostId> dst;
    std::vector<FlowId> flow;

    StructureView View() const
    {
        return {0, rows, src, dst, flow, {}};
    }
};

class Random
{
  public:
    explicit Random(unsigned seed)
        : m_engine(seed)
    {
    }

    std::uint32_t Draw(std::uint32_t from, std::uint32_t to)
    {
        return boost::random::uniform_int_distribution<std::uint32_t>(from, to)(m_engine);
    }

  private:
    boost::random::mt19937 m_engine;
};

/// Up to six coflows, some with several flows between two hosts, with gaps between the rows.
Scene
RandomScene(Random& random)
{
    Scene scene;
    scene.hosts = random.Draw(2, 7);
    const std::uint32_t rows = random.Draw(1, 6);
    for (std::uint32_t r = 0; r < rows; ++r)
    {
        CoflowRow row;
        row.id = r;
        row.index = 2 * r + 1;
        row.begin = static_cast<std::uint32_t>(scene.src.size());
        const std::uint32_t flows = random.Draw(1, 25);
        for (std::uint32_t f = 0; f < flows + 2; ++f)
        {
            scene.src.push_back(random.Draw(0, scene.hosts - 1));
            scene.dst.push_back(random.Draw(0, scene.hosts - 1));
            scene.flow.push_back(f);
        }
        if (random.Draw(0, 1) == 0)
        {
            // By receiver, as in most traces.
            std::sort(scene.dst.begin() + row.begin, scene.dst.end());
        }
        row.end = row.begin + flows;
        scene.rows.push_back(row);
    }
    return scene;
}

/// Ports with different rates, some of them with none.
PortBudget
RandomBudget(HostId hosts, Random& random)
{
    PortRates rates = PortRates::Uniform(hosts, RATE);
    PortBudget budget;
    budget.Reset(rates);
    for (HostPort p = 0; p < 2 * hosts; ++p)
    {
        const std::uint32_t kind = random.Draw(0, 5);
        budget.Take(p, kind == 0 ? RATE : kind == 1 ? random.Draw(1, 999) : 0);
    }
    return budget;
}

/// Serves classes by MaxMinFiller, flow by flow.
/// @param classOf per position of the view
std::vector<double>
Reference(const Scene& scene,
          const std::vector<std::uint32_t>& classOf,
          std::uint32_t classes,
          PortBudget& budget)
{
    std::vector<double> rates(scene.src.size(), 0.0);
    MaxMinFiller filler;
    for (std::uint32_t c = 0; c < classes; ++c)
    {
        scene.View().ForEachFlow([&](std::uint32_t f) {
            if (classOf[f] == c)
            {
                filler.Add(f, scene.src[f], scene.dst[f], 1.0, budget);
            }
        });
        filler.Fill(budget, rates);
    }
    return rates;
}

void
ExpectEqual(const Scene& scene,
            const PortIndex& index,
            const ClassFiller& filler,
            const std::vector<double>& rates,
            const std::vector<double>& expected,
            const PortBudget& left,
            const PortBudget& expectedLeft)
{
    for (std::size_t f = 0; f < rates.size(); ++f)
    {
        EXPECT_NEAR(rates[f], expected[f], 1e-6 * RATE) << "flow " << f;
    }
    for (HostPort p = 0; p < left.Ports(); ++p)
    {
        EXPECT_NEAR(left.Free(p), expectedLeft.Free(p), 1e-6 * RATE) << "port " << p;
    }
    for (std::size_t r = 0; r < scene.rows.size(); ++r)
    {
        double sum = 0;
        std::vector<double> ports(2 * scene.hosts, 0.0);
        for (std::uint32_t f = scene.rows[r].begin; f < scene.rows[r].end; ++f)
        {
            sum += rates[f];
            ports[scene.src[f]] += rates[f];
            ports[scene.hosts + scene.dst[f]] += rates[f];
        }
        EXPECT_NEAR(filler.RowRate(r), sum, 1e-9 * RATE);
        for (std::size_t n = 0; n < index.Of(r).nodes.size(); ++n)
        {
            EXPECT_NEAR(filler.NodeRates(r)[n], ports[index.Of(r).nodes[n].port], 1e-9 * RATE);
        }
    }
}

using Triple = std::tuple<HostPort, std::uint32_t, HostPort>;

/// (port, flow, other port) of all entries of a row, as the index has them and as the view has.
void
ExpectIndexes(const PortIndex& index, const Scene& scene)
{
    ASSERT_EQ(index.FirstNode(0), 0U);
    std::size_t nodes = 0;
    for (std::size_t r = 0; r < scene.rows.size(); ++r)
    {
        const PortIndex::Part& part = index.Of(r);
        EXPECT_EQ(index.FirstNode(r), nodes);
        nodes += part.nodes.size();
        std::multiset<Triple> expected;
        for (std::uint32_t f = scene.rows[r].begin; f < scene.rows[r].end; ++f)
        {
            const HostPort out = scene.hosts + scene.dst[f];
            expected.insert({scene.src[f], f - scene.rows[r].begin, out});
            expected.insert({out, f - scene.rows[r].begin, scene.src[f]});
        }
        std::multiset<Triple> found;
        for (std::uint32_t n = 0; n < part.nodes.size(); ++n)
        {
            EXPECT_EQ(part.nodes[n].port < scene.hosts, n < part.senders);
            EXPECT_TRUE(n == 0 || part.nodes[n - 1].port < part.nodes[n].port);
            EXPECT_GT(part.nodes[n].Count(), 0U);
            std::size_t seen = 0;
            part.ForEachAt(n, [&](std::uint32_t other, std::uint32_t flow) {
                found.insert({part.nodes[n].port, flow, part.nodes[other].port});
                EXPECT_EQ(part.Others(n)[seen++], other);
                return true;
            });
            EXPECT_EQ(seen, part.Others(n).size());
        }
        EXPECT_EQ(found, expected);
    }
    EXPECT_EQ(index.Nodes(), nodes);
}

} // namespace

TEST(PortIndex, HoldsEveryFlowAtBothItsPorts)
{
    for (unsigned seed = 0; seed < 200; ++seed)
    {
        Random random(seed);
        Scene scene = RandomScene(random);
        PortIndex index;
        index.Update(scene.View(), scene.hosts);
        ExpectIndexes(index, scene);
        // Flows finish, coflows go and another comes; the ones that stay are still right.
        for (CoflowRow& row : scene.rows)
        {
            row.end -= random.Draw(0, 1) * random.Draw(0, row.Count() - 1);
        }
        CoflowRow arrived = scene.rows.back();
        arrived.index = 100;
        scene.rows.erase(scene.rows.begin() + random.Draw(0, 1) * (scene.rows.size() - 1));
        scene.rows.push_back(arrived);
        index.Update(scene.View(), scene.hosts);
        ExpectIndexes(index, scene);
    }
}

TEST(PortIndex, LosesFlowsThatHaveFinished)
{
    for (unsigned seed = 0; seed < 300; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        // Two coflows, dense at first, whose flows stand by receiver, or every third time do not.
        Scene scene;
        scene.hosts = random.Draw(2, 6);
        for (std::uint32_t r = 0; r < 2; ++r)
        {
            CoflowRow row;
            row.index = r;
            row.begin = static_cast<std::uint32_t>(scene.src.size());
            for (HostId to = 0; to < scene.hosts; ++to)
            {
                for (std::uint32_t k = random.Draw(0, 2) * scene.hosts; k-- > 0;)
                {
                    scene.src.push_back((k * 5 + 3) % scene.hosts);
                    scene.dst.push_back(seed % 3 == 0 ? scene.hosts - 1 - to : to);
                    scene.flow.push_back(static_cast<FlowId>(2 * scene.flow.size()));
                }
            }
            row.end = static_cast<std::uint32_t>(scene.src.size());
            if (row.Count() > 0)
            {
                scene.rows.push_back(row);
            }
        }
        PortIndex index;
        while (!scene.rows.empty())
        {
            index.Update(scene.View(), scene.hosts);
            EXPECT_TRUE(index.Changed());
            ExpectIndexes(index, scene);
            index.Update(scene.View(), scene.hosts);
            EXPECT_FALSE(index.Changed());
            // Some finish; those behind them move up.
            Scene next;
            next.hosts = scene.hosts;
            bool finished = false;
            for (CoflowRow row : scene.rows)
            {
                const auto begin = static_cast<std::uint32_t>(next.src.size());
                for (std::uint32_t f = row.begin; f < row.end; ++f)
                {
                    if (random.Draw(0, 9) == 0 || (!finished && f + 1 == row.end))
                    {
                        finished = true;
                        continue;
                    }
                    next.src.push_back(scene.src[f]);
                    next.dst.push_back(scene.dst[f]);
                    next.flow.push_back(scene.flow[f]);
                }
                row.begin = begin;
                row.end = static_cast<std::uint32_t>(next.src.size());
                if (row.Count() > 0)
                {
                    next.rows.push_back(row);
                }
            }
            scene = std::move(next);
        }
    }
}

TEST(ClassFiller, ServesCoflowsInOrderLikeMaxMinFiller)
{
    for (unsigned seed = 0; seed < 500; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        const Scene scene = RandomScene(random);
        const StructureView view = scene.View();
        PortBudget budget = RandomBudget(scene.hosts, random);
        PortBudget expectedBudget = budget;
        std::vector<std::uint32_t> classOf(scene.src.size());
        for (std::uint32_t r = 0; r < scene.rows.size(); ++r)
        {
            std::fill(classOf.begin() + scene.rows[r].begin,
                      classOf.begin() + scene.rows[r].end,
                      r);
        }
        PortIndex index;
        index.Update(view, scene.hosts);
        ClassFiller filler;
        filler.Start(view, index);
        std::vector<double> rates(scene.src.size(), 0.0);
        for (std::uint32_t r = 0; r < scene.rows.size(); ++r)
        {
            std::vector<std::uint32_t> nodes(index.Of(r).nodes.size());
            std::iota(nodes.begin(), nodes.end(), 0);
            filler.FillNodes(r, nodes, budget, rates);
        }
        const auto classes = static_cast<std::uint32_t>(scene.rows.size());
        const auto expected = Reference(scene, classOf, classes, expectedBudget);
        ExpectEqual(scene, index, filler, rates, expected, budget, expectedBudget);
    }
}

TEST(ClassFiller, ServesClassesOfNodesLikeMaxMinFiller)
{
    constexpr std::uint32_t CLASSES = 4;
    for (unsigned seed = 0; seed < 500; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        const Scene scene = RandomScene(random);
        const StructureView view = scene.View();
        PortBudget budget = RandomBudget(scene.hosts, random);
        PortBudget expectedBudget = budget;
        PortIndex index;
        index.Update(view, scene.hosts);
        // Every other time as D-CAS has it: receivers are there from the beginning.
        const bool bySender = seed % 2 == 0;
        std::vector<std::uint32_t> classOfNode(index.Nodes());
        for (std::uint32_t& c : classOfNode)
        {
            c = random.Draw(0, CLASSES - 1);
        }
        std::vector<std::uint32_t> classOf(scene.src.size(), CLASSES);
        for (std::size_t r = 0; r < scene.rows.size(); ++r)
        {
            const PortIndex::Part& part = index.Of(r);
            const std::uint32_t* ofNode = classOfNode.data() + index.FirstNode(r);
            for (std::uint32_t n = 0; n < part.senders; ++n)
            {
                part.ForEachAt(n, [&](std::uint32_t other, std::uint32_t flow) {
                    classOf[scene.rows[r].begin + flow] =
                        bySender ? ofNode[n] : std::max(ofNode[n], ofNode[other]);
                    return true;
                });
            }
        }
        ClassFiller filler;
        filler.Start(view, index);
        std::vector<double> rates(scene.src.size(), 0.0);
        if (bySender)
        {
            filler.AddReceivers(budget);
        }
        for (std::uint32_t c = 0; c < CLASSES; ++c)
        {
            for (std::uint32_t r = 0; r < scene.rows.size(); ++r)
            {
                const auto nodes = static_cast<std::uint32_t>(index.Of(r).nodes.size());
                for (std::uint32_t n = 0; n < (bySender ? index.Of(r).senders : nodes); ++n)
                {
                    if (classOfNode[index.FirstNode(r) + n] == c)
                    {
                        filler.Add(r, n, budget);
                    }
                }
            }
            filler.Fill(budget, rates);
        }
        const auto expected = Reference(scene, classOf, CLASSES, expectedBudget);
        ExpectEqual(scene, index, filler, rates, expected, budget, expectedBudget);
    }
}
