/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-quantity.h"

#include "ns3/coflow-text.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace coflow
{

namespace
{

struct Suffix
{
    Unit unit;
    std::string_view text;
    double factor;
};

constexpr std::array SUFFIXES{Suffix{Unit::BYTES, "B", 1},
                              Suffix{Unit::BYTES, "kB", 1e3},
                              Suffix{Unit::BYTES, "MB", 1e6},
                              Suffix{Unit::BYTES, "GB", 1e9},
                              Suffix{Unit::BYTES, "TB", 1e12},
                              Suffix{Unit::BYTES, "KiB", 1024.0},
                              Suffix{Unit::BYTES, "MiB", 1048576.0},
                              Suffix{Unit::BYTES, "GiB", 1073741824.0},
                              Suffix{Unit::BYTES, "TiB", 1099511627776.0},
                              Suffix{Unit::SECONDS, "s", 1},
                              Suffix{Unit::SECONDS, "ms", 1e-3},
                              Suffix{Unit::SECONDS, "us", 1e-6},
                              Suffix{Unit::SECONDS, "ns", 1e-9},
                              Suffix{Unit::SECONDS, "min", 60},
                              Suffix{Unit::SECONDS, "h", 3600},
                              Suffix{Unit::BITS_PER_SECOND, "bps", 1},
                              Suffix{Unit::BITS_PER_SECOND, "kbps", 1e3},
                              Suffix{Unit::BITS_PER_SECOND, "Mbps", 1e6},
                              Suffix{Unit::BITS_PER_SECOND, "Gbps", 1e9},
                              Suffix{Unit::BITS_PER_SECOND, "Tbps", 1e12}};

} // namespace

std::string_view
UnitName(Unit unit)
{
    constexpr std::array<std::string_view, 7> NAMES{"", "", "bytes", "s", "bit/s", "", ""};
    return NAMES[static_cast<std::size_t>(unit)];
}

std::optional<double>
ParseQuantity(std::string_view text, Unit unit)
{
    if (unit == Unit::FLAG)
    {
        return text == "true"    ? std::optional(1.0)
               : text == "false" ? std::optional(0.0)
                                 : std::nullopt;
    }
    if (const std::size_t slash = text.find('/');
        unit == Unit::NUMBER && slash != std::string_view::npos)
    {
        const auto above = ParseNumber(text.substr(0, slash));
        const auto below = ParseNumber(text.substr(slash + 1));
        return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
    }
    // The suffix begins after the last digit or point. No suffix begins with e or E, so an exponent
    // is not cut.
    const std::size_t end = text.find_last_of("0123456789.");
    const std::size_t digits = end == std::string_view::npos ? 0 : end + 1;
    const std::string_view suffix = text.substr(digits);
    std::optional<double> value = ParseNumber(text.substr(0, digits));
    if (!value || (unit == Unit::COUNT && *value != std::trunc(*value)))
    {
        return std::nullopt;
    }
    if (suffix.empty())
    {
        // A user who writes linkRate=10 hardly means 10 bit/s, so a unit is required.
        constexpr double LEAST_RATE = 1000;
        const bool lacksUnit = unit == Unit::BITS_PER_SECOND && *value > 0 && *value < LEAST_RATE;
        return lacksUnit ? std::nullopt : value;
    }
    for (const Suffix& known : SUFFIXES)
    {
        if (known.unit == unit && known.text == suffix)
        {
            // The product may miss a whole number by a rounding error: 32.3MB are 32,300,000 bytes,
            // but 32.3 * 1e6 is slightly less.
            const double product = *value * known.factor;
            const double whole = std::round(product);
            const bool rounded = unit != Unit::SECONDS && std::abs(product - whole) < 1e-15 * whole;
            return rounded ? whole : product;
        }
    }
    return std::nullopt;
}

std::string_view
QuantityHelp(Unit unit)
{
    constexpr std::array<std::string_view, 7> HELP{
        "a number, such as 0.5 or 1/250",
        "a whole number",
        "a number of bytes, such as 1500, 5MB or 64KiB",
        "a time, such as 0.5, 20ms or 10s",
        "a rate with its unit, such as 100Mbps or 10Gbps (or bit/s from "
        "1000 on, such as 1e9)",
        "true or false",
        "a name"};
    return HELP[static_cast<std::size_t>(unit)];
}

} // namespace coflow
