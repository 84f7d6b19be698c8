/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-column.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-text.h"

#include <cmath>
#include <limits>

namespace coflow
{

double
ColumnTime::Seconds() const
{
    using Limits = std::numeric_limits<double>;
    if (!time)
    {
        return Limits::quiet_NaN();
    }
    return *time == NEVER ? Limits::infinity() : static_cast<double>(*time) / 1e9;
}

std::string
ToField(std::optional<std::uint64_t> value)
{
    return value ? std::to_string(*value) : "";
}

std::string
ToField(std::optional<double> value)
{
    if (!value)
    {
        return "";
    }
    return std::isinf(*value) ? "inf" : FormatNumber(*value);
}

std::string
ToField(ColumnTime value)
{
    if (!value.time)
    {
        return "";
    }
    return *value.time == NEVER ? "inf" : FormatSeconds(*value.time);
}

std::string
ToField(bool value)
{
    return value ? "1" : "0";
}

std::string
ToField(std::optional<bool> value)
{
    return value ? ToField(*value) : "";
}

std::string
ToField(Bin value)
{
    return std::string(BinName(value));
}

} // namespace coflow
