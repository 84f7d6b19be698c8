/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-check.h"
#include "lean-scenario.h"

#include <cstddef>
#include <cstdint>

// The bytes are the random numbers of a scenario: transfers with kicks through queues that mark and
// drop, and over paths on which packets overtake each other.
extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::size_t next = 0;
    const auto draw = [&](std::int64_t least, std::int64_t most) {
        std::uint64_t number = 0;
        for (std::uint64_t range = static_cast<std::uint64_t>(most - least); range > 0; range >>= 8)
        {
            number = number << 8 | (next < size ? data[next++] : 0);
        }
        return least +
               static_cast<std::int64_t>(number % static_cast<std::uint64_t>(most - least + 1));
    };
    const bool lossy = draw(0, 1) == 1;
    const auto difference =
        ns3::coflow::test::FindDifferentSegment(ns3::coflow::test::MakeScenario(draw, lossy));
    coflow::test::Require(difference.empty(), difference);
    return 0;
}
