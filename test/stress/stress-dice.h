/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRESS_DICE_H
#define STRESS_DICE_H

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace ns3::coflow::test
{

/// @return a number in which every bit depends on all bits of another one (SplitMix64)
inline uint64_t
Mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}

/// @return a number that follows from a seed and a name, the same on every platform
inline uint64_t
Hash(uint64_t seed, const std::string& name)
{
    uint64_t hash = Mix(seed + 0x9e3779b97f4a7c15U);
    for (const char letter : name)
    {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U; // FNV-1a
    }
    return Mix(hash);
}

/// Draws of one name, the same on every platform.
class Dice
{
  public:
    Dice(uint64_t seed, const std::string& name)
        : m_random(static_cast<uint32_t>(Hash(seed, name)))
    {
    }

    /// @return a whole number from @p least to @p most
    int64_t Between(int64_t least, int64_t most)
    {
        return boost::random::uniform_int_distribution<int64_t>(least, most)(m_random);
    }

    bool Chance(int percent)
    {
        return Between(1, 100) <= percent;
    }

    /// @return one of them; those that stand there twice are drawn twice as often
    template <class T>
    T OneOf(std::initializer_list<T> all)
    {
        return OneOf(std::vector<T>(all));
    }

    /// @return one of some values
    template <typename T>
    T OneOf(const std::vector<T>& all)
    {
        return all[static_cast<std::size_t>(Between(0, static_cast<int64_t>(all.size()) - 1))];
    }

  private:
    boost::random::mt19937 m_random;
};

} // namespace ns3::coflow::test

#endif // STRESS_DICE_H
