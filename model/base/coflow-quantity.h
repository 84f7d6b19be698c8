/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUANTITY_H
#define COFLOW_QUANTITY_H

#include <optional>
#include <string_view>

namespace coflow
{

/// The unit of a number.
enum class Unit
{
    NUMBER,          ///< a number, or a fraction of two numbers such as 1/250
    COUNT,           ///< a whole number
    BYTES,           ///< bytes, also as kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB
    SECONDS,         ///< seconds, also as ns, us, ms, s, min, h
    BITS_PER_SECOND, ///< bit/s, also as bps, kbps, Mbps, Gbps, Tbps; a number without suffix is 0
                     ///< or at least 1000
    FLAG,            ///< 1 or 0, as true or false
    CHOICE           ///< the position of one of several names
};

/// The unit's name as text; empty for numbers and counts.
std::string_view UnitName(Unit unit);

/// Reads a number with or without one of the unit's suffixes: `5MB`, `1e9`, `10Gbps`.
/// @param unit any unit except CHOICE
/// @return the value in the unit without a suffix: bytes, seconds or bits per second; none where
///         the text is malformed
std::optional<double> ParseQuantity(std::string_view text, Unit unit);

/// The values that ParseQuantity() accepts, for messages: `a number of bytes, such as 1500, 5MB or
/// 64KiB`.
std::string_view QuantityHelp(Unit unit);

} // namespace coflow

#endif // COFLOW_QUANTITY_H
