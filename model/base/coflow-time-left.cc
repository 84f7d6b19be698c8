/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-time-left.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace coflow
{

namespace
{

constexpr double SHORT_TIME_LEFT = 9.5; // seconds; FormatClock() rounds

} // namespace

std::optional<double>
EstimateSecondsLeft(double elapsedSeconds, double doneShare)
{
    if (doneShare >= 1)
    {
        return 0;
    }
    // Without work there is no pace; the comparison also sorts out what is not a number.
    if (!(doneShare > 0) || !(elapsedSeconds > 0))
    {
        return std::nullopt;
    }
    return elapsedSeconds * (1 - doneShare) / doneShare;
}

std::string
FormatClock(double seconds)
{
    const auto total = std::llround(seconds);
    std::array<char, 32> text{};
    if (total < 3600)
    {
        std::snprintf(text.data(), text.size(), "%lld:%02lld", total / 60, total % 60);
    }
    else
    {
        std::snprintf(text.data(),
                      text.size(),
                      "%lld:%02lld:%02lld",
                      total / 3600,
                      total / 60 % 60,
                      total % 60);
    }
    return text.data();
}

std::string
FormatTimeLeft(std::optional<double> secondsLeft)
{
    if (!secondsLeft)
    {
        return "time left unknown";
    }
    // A pace of so short a time says little more, and nobody plans by it.
    return *secondsLeft < SHORT_TIME_LEFT ? "less than 10 s left"
                                          : FormatClock(*secondsLeft) + " left";
}

} // namespace coflow
