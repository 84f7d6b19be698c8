/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sums over prefixes of an ordered set, against a map that is walked.

#include "ns3/coflow-prefix-tree.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3::coflow;

namespace
{

/// Text shows order, and a sum that does not commute.
struct Word
{
    std::string text;
    uint64_t weight{0};

    Word operator+(const Word& next) const
    {
        return {text + next.text, weight + next.weight};
    }
};

struct Node : public PrefixTree<Node, Word>::Hook
{
    uint64_t key{0};
    Word word;

    uint64_t GetKey() const
    {
        return key;
    }

    Word GetSum() const
    {
        return word;
    }
};

} // namespace

TEST(PrefixTree, AgreesWithAMap)
{
    std::mt19937 random(3);
    std::vector<Node> nodes(60);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        // Also keys at the ends of the range, and dense ones.
        nodes[i].key = i < 2 ? UINT64_MAX - i : i % 2 ? i : random();
    }
    PrefixTree<Node, Word> tree;
    std::map<uint64_t, Node*> model;
    for (int step = 0; step < 20'000; ++step)
    {
        Node& node = nodes[random() % nodes.size()];
        const bool isIn = model.count(node.key) > 0;
        if (!isIn || random() % 3 == 0)
        {
            node.word = {std::string(1, static_cast<char>('a' + random() % 26)), random() % 5};
            isIn ? tree.Update(node) : tree.Insert(node);
            model[node.key] = &node;
        }
        else
        {
            tree.Erase(node);
            model.erase(node.key);
        }
        Word all;
        Word prefix;
        const uint64_t enough = random() % 100;
        for (const auto& [key, other] : model)
        {
            prefix = all.weight >= enough && !all.text.empty() ? prefix : all + other->word;
            all = all + other->word;
        }
        ASSERT_EQ(tree.GetSum().text, all.text);
        ASSERT_EQ(tree.GetPrefix([enough](const Word& w) { return w.weight >= enough; }).text,
                  prefix.text);
    }
}

TEST(PrefixTree, OfNothingIsNothing)
{
    PrefixTree<Node, Word> tree;
    EXPECT_EQ(tree.GetSum().text, "");
    EXPECT_EQ(tree.GetPrefix([](const Word&) { return true; }).text, "");
    Node node;
    node.word = {"x", 1};
    tree.Insert(node);
    EXPECT_EQ(tree.GetPrefix([](const Word&) { return false; }).text, "x");
    tree.Erase(node);
    EXPECT_EQ(tree.GetSum().text, "");
}
