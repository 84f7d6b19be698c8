/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Transforms that keep some of the coflows.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <cmath>

namespace coflow
{

namespace
{

Transform
ParseFirst(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(1, "one number");
    const auto count = static_cast<std::size_t>(parts.Quantity(0, Unit::COUNT, 0, 1e15));
    return {kind.name + "=" + std::to_string(count), [count](Workload& workload) {
                std::size_t seen = 0;
                KeepCoflows(workload, [&](const Coflow&) { return seen++ < count; });
            }};
}

Transform
ParseWindow(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(2, "two times");
    constexpr double MAX_SECONDS = MAX_TIME / 1e9;
    const Nanoseconds from = ToNanoseconds(parts.Quantity(0, Unit::SECONDS, 0, MAX_SECONDS));
    const Nanoseconds to = ToNanoseconds(parts.Quantity(1, Unit::SECONDS, 0, MAX_SECONDS));
    if (from > to)
    {
        parts.Fail("the first time not after the second");
    }
    constexpr int DECIMALS_OF_S = 9;
    return {kind.name + "=" + FormatFixedPoint(from, DECIMALS_OF_S) + ":" +
                FormatFixedPoint(to, DECIMALS_OF_S),
            [from, to](Workload& workload) {
                KeepCoflows(workload, [from, to](const Coflow& coflow) {
                    return coflow.arrival >= from && coflow.arrival < to;
                });
                for (Coflow& coflow : workload.coflows)
                {
                    coflow.arrival -= from;
                }
            }};
}

Transform
ParseMaxCoflowBytes(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(1, "one number");
    const Bytes most = std::llround(parts.Quantity(0, Unit::BYTES, 0, MAX_BYTES));
    return {kind.name + "=" + std::to_string(most), [most](Workload& workload) {
                KeepCoflows(workload, [most](const Coflow& coflow) {
                    Bytes size = 0;
                    for (const Flow& flow : coflow.flows)
                    {
                        size += flow.bytes;
                    }
                    return size <= most;
                });
            }};
}

/// Keeps a number of coflows at random. Every set of this number of coflows has the same
/// probability (Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S).
void
KeepAtRandom(Workload& workload, std::size_t count, std::uint64_t seed, const std::string& text)
{
    std::size_t left = workload.coflows.size();
    if (count > left)
    {
        throw InputError("transform " + text +
                         " wants more coflows than there are; allowed: at most " +
                         std::to_string(left));
    }
    Random random(seed);
    KeepCoflows(workload, [&](const Coflow&) {
        const bool kept = random.UniformInt<std::size_t>(1, left) <= count;
        --left;
        count -= kept;
        return kept;
    });
}

Transform
ParseSample(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(2, "two whole numbers");
    const auto count = static_cast<std::size_t>(parts.Quantity(0, Unit::COUNT, 0, 1e15));
    const auto seed =
        static_cast<std::uint64_t>(parts.Quantity(1, Unit::COUNT, 0, 9007199254740992));
    const std::string text = kind.name + "=" + std::to_string(count) + ":" + std::to_string(seed);
    return {text, [=](Workload& workload) { KeepAtRandom(workload, count, seed, text); }};
}

const TransformEntry g_first({"first", "N", "keeps the N coflows that arrive first", ParseFirst});

const TransformEntry g_sample(
    {"sample", "N:SEED", "keeps N coflows chosen at random, with their arrivals", ParseSample});

const TransformEntry g_window({"window",
                               "FROM:TO",
                               "keeps the coflows that arrive from FROM until before TO, in "
                               "seconds. Time then starts at FROM",
                               ParseWindow});

const TransformEntry g_maxCoflowBytes({"max-coflow-bytes",
                                       "BYTES",
                                       "keeps the coflows of at most BYTES in all their flows",
                                       ParseMaxCoflowBytes});

} // namespace

} // namespace coflow
