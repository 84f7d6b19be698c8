/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-arena.h"
#include "ns3/coflow-ring.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

using namespace coflow;

namespace
{

class Dice
{
  public:
    explicit Dice(uint32_t seed)
        : m_engine(seed)
    {
    }

    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return boost::random::uniform_int_distribution<uint32_t>(least, most)(m_engine);
    }

  private:
    boost::random::mt19937 m_engine;
};

TEST(Ring, HoldsWhatADequeHolds)
{
    Dice dice(1);
    for (int run = 0; run < 20; ++run)
    {
        Ring<uint32_t> ring;
        std::deque<uint32_t> expected;
        const uint32_t most = dice.Draw(1, 200);
        for (uint32_t step = 0; step < 2000; ++step)
        {
            const auto at =
                expected.empty() ? 0 : dice.Draw(0, static_cast<uint32_t>(expected.size()) - 1);
            const auto place = expected.begin() + static_cast<std::ptrdiff_t>(at);
            const uint32_t what = expected.size() < most ? dice.Draw(0, 9) : 9;
            if (what < 4 || expected.empty())
            {
                ring.PushBack(step);
                expected.push_back(step);
            }
            else if (what < 5)
            {
                ring.PushBack(ring[at]); // its own value, while it grows
                expected.push_back(expected[at]);
            }
            else if (what < 6)
            {
                ring.Insert(at, step);
                expected.insert(place, step);
            }
            else if (what < 7)
            {
                ring.Erase(at);
                expected.erase(place);
            }
            else if (what < 8)
            {
                ring.PopBack();
                expected.pop_back();
            }
            else
            {
                ring.PopFront(at + 1);
                expected.erase(expected.begin(), place + 1);
            }
            ASSERT_EQ(ring.GetSize(), expected.size());
            ASSERT_EQ(ring.IsEmpty(), expected.empty());
            if (!expected.empty())
            {
                ASSERT_EQ(ring.Front(), expected.front());
                ASSERT_EQ(ring.Back(), expected.back());
            }
            for (std::size_t i = 0; i < expected.size(); ++i)
            {
                ASSERT_EQ(ring[i], expected[i]) << "run " << run << " step " << step;
            }
        }
        ring.Clear();
        EXPECT_TRUE(ring.IsEmpty());
        const Ring<uint32_t> moved(std::move(ring));
        EXPECT_TRUE(moved.IsEmpty());
    }
}

TEST(Arena, GivesMemoryThatNobodyElseHas)
{
    Dice dice(2);
    std::map<unsigned char*, std::pair<std::size_t, unsigned char>> pieces;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        if (pieces.empty() || dice.Draw(0, 9) < 6)
        {
            // From a byte to what has memory of its own, most of it small.
            const std::size_t bytes = dice.Draw(1, dice.Draw(0, 99) == 0 ? 200000 : 1500);
            auto* memory = static_cast<unsigned char*>(Arena::Allocate(bytes));
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % Arena::CACHE_LINE, 0U);
            const auto value = static_cast<unsigned char>(step);
            std::memset(memory, value, bytes);
            ASSERT_TRUE(pieces.try_emplace(memory, bytes, value).second);
        }
        else
        {
            const auto piece = std::next(
                pieces.begin(),
                dice.Draw(0, static_cast<uint32_t>(std::min<std::size_t>(pieces.size(), 50)) - 1));
            const auto [bytes, value] = piece->second;
            ASSERT_EQ(piece->first[0], value);
            ASSERT_EQ(piece->first[bytes - 1], value);
            Arena::Free(piece->first, bytes);
            pieces.erase(piece);
        }
    }
    for (const auto& [memory, piece] : pieces)
    {
        ASSERT_EQ(memory[piece.first - 1], piece.second);
        Arena::Free(memory, piece.first);
    }
    Arena::Free(nullptr, 0);
}

} // namespace
