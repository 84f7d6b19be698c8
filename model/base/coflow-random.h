/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RANDOM_H
#define COFLOW_RANDOM_H

#include "ns3/coflow-units.h"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace coflow
{

/// Random numbers that are the same on every platform for the same seed. The distributions of the
/// standard library differ between platforms.
class Random
{
  public:
    /// @param seed any number; the same seed gives the same numbers
    explicit Random(std::uint64_t seed)
        : m_engine(seed)
    {
    }

    /// A whole number from least to most, both bounds included.
    template <typename Integer>
    Integer UniformInt(Integer least, Integer most)
    {
        return boost::random::uniform_int_distribution<Integer>(least, most)(m_engine);
    }

    /// A number from least to most, the upper bound excluded.
    double Uniform(double least, double most)
    {
        return boost::random::uniform_real_distribution<double>(least, most)(m_engine);
    }

    /// A number >= 0 from an exponential distribution with a given mean.
    double Exponential(double mean)
    {
        return mean * boost::random::exponential_distribution<double>(1.0)(m_engine);
    }

    /// Shuffles values (Fisher and Yates).
    template <typename Value>
    void Shuffle(std::vector<Value>& values)
    {
        for (std::size_t i = values.size(); i > 1; --i)
        {
            std::swap(values[i - 1], values[UniformInt<std::size_t>(0, i - 1)]);
        }
    }

    /// `count` different hosts of 0 .. hosts-1 in random order.
    std::vector<HostId> Hosts(HostId hosts, HostId count)
    {
        std::vector<HostId> all(hosts);
        std::iota(all.begin(), all.end(), 0);
        for (HostId i = 0; i < count; ++i)
        {
            std::swap(all[i], all[UniformInt<HostId>(i, hosts - 1)]);
        }
        all.resize(count);
        return all;
    }

  private:
    boost::random::mt19937_64 m_engine;
};

} // namespace coflow

#endif // COFLOW_RANDOM_H
