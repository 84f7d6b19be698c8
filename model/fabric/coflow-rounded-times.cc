/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-rounded-times.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-text.h"
#include "ns3/nstime.h"

#include <cmath>

namespace ns3::coflow::RoundedTimes
{

namespace
{

double
GetExactSteps(DataRate rate, uint32_t bytes)
{
    const auto perSecond = static_cast<double>(Time::FromInteger(1, Time::S).GetTimeStep());
    return 8.0 * bytes * perSecond / static_cast<double>(rate.GetBitRate());
}

/// @return the name of ns-3's time resolution
const char*
GetStepUnit()
{
    static constexpr const char* NAMES[] =
        {"years", "days", "hours", "minutes", "s", "ms", "us", "ns", "ps", "fs"};
    return NAMES[static_cast<std::size_t>(Time::GetResolution())];
}

/// @return "0.13 % less", or "0.13 % more"
std::string
FormatError(double error)
{
    return ::coflow::FormatRounded(100 * std::abs(error), 2) + " % " +
           (error < 0 ? "less" : "more");
}

} // namespace

double
GetError(DataRate rate, uint32_t bytes)
{
    const auto steps = static_cast<double>(rate.CalculateBytesTxTime(bytes).GetTimeStep());
    return steps / GetExactSteps(rate, bytes) - 1;
}

double
Check(DataRate rate, uint32_t bytes, const std::string& device, const std::string& instead)
{
    const double error = GetError(rate, bytes);
    if (std::abs(error) > MOST)
    {
        throw ::coflow::InputError(
            device + " sends at " +
            ::coflow::FormatNumber(static_cast<double>(rate.GetBitRate()) * 1e-9) +
            " Gbps, where a frame of " + std::to_string(bytes) + " bytes takes " +
            ::coflow::FormatRounded(GetExactSteps(rate, bytes)) + " " + GetStepUnit() +
            ", but ns-3's devices take a whole number, " + FormatError(error) +
            "; allowed: rates at which this is at most " + ::coflow::FormatNumber(100 * MOST) +
            " %, or " + instead);
    }
    return error;
}

std::string
Describe(double error)
{
    if (std::abs(error) <= TOLD)
    {
        return "";
    }
    return std::string("ns-3's devices round times of packets to whole ") + GetStepUnit() +
           ": full segments take up to " + FormatError(error) + " than at the rate of their link";
}

} // namespace ns3::coflow::RoundedTimes
