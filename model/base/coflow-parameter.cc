/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-parameter.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace coflow
{

namespace
{

constexpr double LARGEST = 1e300; // larger upper limits are not shown to users

std::string
Names(const std::vector<ParameterSpec>& specs)
{
    std::string names;
    for (const ParameterSpec& spec : specs)
    {
        names += names.empty() ? "" : ", ";
        names += spec.name;
    }
    return names.empty() ? "no parameter" : names;
}

} // namespace

ParameterSpec
ParameterSpec::Flag(std::string name, bool defaultValue, std::string help, std::string source)
{
    return {std::move(name),
            Unit::FLAG,
            defaultValue ? 1.0 : 0.0,
            0,
            1,
            std::move(help),
            std::move(source)};
}

ParameterSpec
ParameterSpec::Choice(std::string name,
                      std::vector<std::string> choices,
                      std::string help,
                      std::string source)
{
    const auto last = static_cast<double>(choices.size() - 1);
    return {std::move(name),
            Unit::CHOICE,
            0,
            0,
            last,
            std::move(help),
            std::move(source),
            Scaling::FIXED,
            std::move(choices)};
}

ParameterSpec
ParameterSpec::AsControlPeriod() const
{
    auto spec = *this;
    spec.isControlPeriod = true;
    return spec;
}

std::string
ParameterSpec::Default() const
{
    return Format(defaultValue);
}

double
ParameterSpec::Scaled(double value, double scale) const
{
    if (scaling == Scaling::FIXED || value == 0 || std::isinf(value))
    {
        return value;
    }
    const bool whole = unit == Unit::BYTES || unit == Unit::COUNT;
    const double product = whole ? std::round(value * scale) : value * scale;
    return std::clamp(product, std::max(least, whole ? 1.0 : least), most);
}

std::string
ParameterSpec::Allowed() const
{
    if (unit == Unit::CHOICE)
    {
        return JoinNames(choices);
    }
    std::string text(QuantityHelp(unit));
    if (unit == Unit::FLAG)
    {
        return text;
    }
    const std::string inUnit(UnitName(unit));
    text += ", from " + FormatNumber(least);
    text += most > LARGEST ? " on" : " to " + FormatNumber(most);
    text += inUnit.empty() ? "" : " " + inUnit;
    text += std::isinf(most) ? ", or inf" : "";
    return text;
}

std::optional<double>
ParameterSpec::Parse(const std::string& text) const
{
    if (unit == Unit::CHOICE)
    {
        const auto choice = std::ranges::find(choices, text);
        return choice == choices.end()
                   ? std::nullopt
                   : std::optional(static_cast<double>(choice - choices.begin()));
    }
    const auto value = text == "inf" ? std::optional(std::numeric_limits<double>::infinity())
                                     : ParseQuantity(text, unit);
    return value && *value >= least && *value <= most ? value : std::nullopt;
}

std::string
ParameterSpec::Format(double value) const
{
    switch (unit)
    {
    case Unit::FLAG:
        return value != 0 ? "true" : "false";
    case Unit::CHOICE:
        return choices.at(static_cast<std::size_t>(value));
    case Unit::BITS_PER_SECOND:
        return FormatNumber(value) +
               (std::isinf(value) || ParseQuantity(FormatNumber(value), unit) ? "" : "bps");
    default:
        return FormatNumber(value);
    }
}

std::vector<ParameterSpec>
ScaleDefaults(std::vector<ParameterSpec> specs, double scale)
{
    for (ParameterSpec& spec : specs)
    {
        spec.defaultValue = spec.Scaled(spec.defaultValue, scale);
    }
    return specs;
}

Parameters::Parameters(const std::string& owner,
                       std::vector<ParameterSpec> specs,
                       const std::vector<std::string>& assignments)
    : m_owner(owner),
      m_specs(std::move(specs))
{
    for (const std::string& assignment : assignments)
    {
        const std::size_t equals = assignment.find('=');
        const std::string name = assignment.substr(0, equals);
        const auto spec = std::ranges::find(m_specs, name, &ParameterSpec::name);
        if (equals == std::string::npos || spec == m_specs.end())
        {
            throw InputError(owner + ": parameter is '" + assignment +
                             "'; allowed: NAME=VALUE with NAME one of " + Names(m_specs));
        }
        const std::string text = assignment.substr(equals + 1);
        const auto value = spec->Parse(text);
        if (!value)
        {
            throw InputError(owner + ": " + name + " is '" + text +
                             "'; allowed: " + spec->Allowed());
        }
        if (!m_values.emplace(name, *value).second)
        {
            throw InputError(owner + ": " + name + " is given twice; allowed: once");
        }
        m_given.emplace_back(name, text);
    }
    for (const ParameterSpec& spec : m_specs)
    {
        m_values.emplace(spec.name, spec.defaultValue);
    }
}

bool
Parameters::IsGiven(const std::string& name) const
{
    return std::ranges::any_of(m_given, [&name](const auto& given) { return given.first == name; });
}

void
Parameters::SetDefault(const std::string& name, double value)
{
    for (ParameterSpec& spec : m_specs)
    {
        spec.defaultValue = spec.name == name ? value : spec.defaultValue;
    }
    if (!IsGiven(name))
    {
        m_values[name] = value;
    }
}

double
Parameters::operator[](const std::string& name) const
{
    return m_values.at(name);
}

bool
Parameters::Flag(const std::string& name) const
{
    return m_values.at(name) != 0;
}

bool
Parameters::Is(const std::string& name, const std::string& choice) const
{
    const auto spec = std::ranges::find(m_specs, name, &ParameterSpec::name);
    return spec->Format(m_values.at(name)) == choice;
}

Nanoseconds
Parameters::Time(const std::string& name) const
{
    const double nanoseconds = m_values.at(name) * 1e9;
    return nanoseconds < 9e18 ? std::llround(nanoseconds) : NEVER;
}

std::uint64_t
Parameters::Count(const std::string& name) const
{
    return static_cast<std::uint64_t>(m_values.at(name));
}

HostId
Parameters::Host(const std::string& name) const
{
    return static_cast<HostId>(m_values.at(name));
}

Bytes
Parameters::Size(const std::string& name) const
{
    return std::llround(m_values.at(name));
}

std::string
Parameters::Text() const
{
    std::string text;
    for (const ParameterSpec& spec : m_specs)
    {
        text += text.empty() ? "" : " ";
        text += spec.name + '=' + spec.Format(m_values.at(spec.name));
    }
    return text;
}

void
Parameters::Fail(const std::string& name, const std::string& allowed) const
{
    throw InputError(m_owner + ": " + name + " is '" + FormatNumber(m_values.at(name)) +
                     "'; allowed: " + allowed);
}

} // namespace coflow
