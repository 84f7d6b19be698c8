/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-parameter.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace coflow
{

namespace
{

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

std::string
Range(const ParameterSpec& spec)
{
    std::string text(QuantityHelp(spec.unit));
    text += ", from " + FormatNumber(spec.least) + " to " + FormatNumber(spec.most);
    text += UnitName(spec.unit).empty() ? "" : " ";
    text += UnitName(spec.unit);
    return text;
}

} // namespace

Parameters::Parameters(const std::string& owner,
                       const std::vector<ParameterSpec>& specs,
                       const std::vector<std::string>& assignments)
    : m_owner(owner)
{
    for (const std::string& assignment : assignments)
    {
        const std::size_t equals = assignment.find('=');
        const std::string name = assignment.substr(0, equals);
        const auto spec =
            std::find_if(specs.begin(), specs.end(), [&name](const ParameterSpec& candidate) {
                return candidate.name == name;
            });
        if (equals == std::string::npos || spec == specs.end())
        {
            throw InputError(owner + ": parameter is '" + assignment +
                             "'; allowed: NAME=VALUE with NAME one of " + Names(specs));
        }
        const std::string text = assignment.substr(equals + 1);
        const auto value = ParseQuantity(text, spec->unit);
        if (!value || *value < spec->least || *value > spec->most)
        {
            throw InputError(owner + ": " + name + " is '" + text + "'; allowed: " + Range(*spec));
        }
        if (!m_values.emplace(name, *value).second)
        {
            throw InputError(owner + ": " + name + " is given twice; allowed: once");
        }
    }
    for (const ParameterSpec& spec : specs)
    {
        const double value = m_values.emplace(spec.name, spec.defaultValue).first->second;
        m_text += m_text.empty() ? "" : " ";
        m_text += spec.name + '=' + FormatNumber(value);
    }
}

double
Parameters::operator[](const std::string& name) const
{
    return m_values.at(name);
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

const std::string&
Parameters::Text() const
{
    return m_text;
}

void
Parameters::Fail(const std::string& name, const std::string& allowed) const
{
    throw InputError(m_owner + ": " + name + " is '" + FormatNumber(m_values.at(name)) +
                     "'; allowed: " + allowed);
}

} // namespace coflow
