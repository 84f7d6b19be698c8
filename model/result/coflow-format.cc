/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-format.h"

#include "ns3/coflow-text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace coflow
{

std::string
FormatSeconds(Nanoseconds time)
{
    char text[32];
    // Unsigned, because the magnitude of the most negative time does not fit into a signed integer.
    const auto magnitude =
        time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    const int length = std::snprintf(text,
                                     sizeof(text),
                                     "%s%llu.%09llu",
                                     time < 0 ? "-" : "",
                                     static_cast<unsigned long long>(magnitude / 1'000'000'000),
                                     static_cast<unsigned long long>(magnitude % 1'000'000'000));
    return {text, static_cast<std::size_t>(length)};
}

std::string
FormatRounded(double value, int significant)
{
    if (!std::isfinite(value))
    {
        return std::isnan(value) ? "-" : value > 0 ? "inf" : "-inf";
    }
    const int magnitude =
        value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
    char text[64];
    const int decimals = std::clamp(significant - 1 - magnitude, 0, 12);
    const auto result =
        std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, decimals);
    return result.ec == std::errc() ? std::string(text, result.ptr) : FormatNumber(value);
}

} // namespace coflow
