/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-spec-attribute.h"

#include "ns3/abort.h"
#include "ns3/coflow-attribute-spec.h"

#include <cctype>
#include <cmath>
#include <cstdint>

namespace ns3::coflow
{

using ::coflow::ParameterSpec;
using ::coflow::Unit;

namespace
{

Time
ToTime(double seconds)
{
    // Seconds(double) may differ from the nearest nanosecond by one.
    return NanoSeconds(std::llround(seconds * 1e9));
}

} // namespace

std::string
SpecAttribute::GetHelp(const ParameterSpec& spec, const std::string& more)
{
    std::string help = spec.help;
    help.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(help.front())));
    help += more.empty() ? "" : "; " + more;
    return help;
}

TimeValue
SpecAttribute::GetTime(const ParameterSpec& spec)
{
    NS_ABORT_MSG_UNLESS(spec.unit == Unit::SECONDS, spec.name << " is no time");
    return TimeValue(ToTime(spec.defaultValue));
}

Ptr<const AttributeChecker>
SpecAttribute::MakeTimeChecker(const ParameterSpec& spec)
{
    NS_ABORT_MSG_UNLESS(spec.unit == Unit::SECONDS, spec.name << " is no time");
    return Declared(ns3::MakeTimeChecker(ToTime(spec.least), ToTime(spec.most)), spec);
}

UintegerValue
SpecAttribute::GetBytes(const ParameterSpec& spec)
{
    NS_ABORT_MSG_UNLESS(spec.unit == Unit::BYTES, spec.name << " is no number of bytes");
    return UintegerValue(static_cast<uint64_t>(spec.defaultValue));
}

Ptr<const AttributeChecker>
SpecAttribute::MakeBytesChecker(const ParameterSpec& spec)
{
    NS_ABORT_MSG_UNLESS(spec.unit == Unit::BYTES, spec.name << " is no number of bytes");
    return Declared(MakeUintegerChecker<uint64_t>(static_cast<uint64_t>(spec.least),
                                                  static_cast<uint64_t>(spec.most)),
                    spec);
}

} // namespace ns3::coflow
