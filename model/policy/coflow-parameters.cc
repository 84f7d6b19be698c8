/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-parameters.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace coflow
{

namespace
{

/// The shortest text that reads back as the number.
std::string ToText(double number)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof(text), number);
    return {text, end.ptr};
}

/// The number that a text stands for; none if it is anything else.
std::optional<double> ToNumber(const std::string& text)
{
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size() || std::isnan(number))
    {
        return std::nullopt;
    }
    return number;
}

/// The error that a value is not allowed.
[[noreturn]] void Refuse(const std::string& owner,
                         const ParameterSpec& spec,
                         const std::string& text)
{
    throw InputError(owner + ": " + spec.name + " is '" + text + "'; allowed: " + spec.Allowed());
}

/// The number or flag that a text stands for.
double ReadNumber(const std::string& owner, const ParameterSpec& spec, const std::string& text)
{
    if (spec.kind == ParameterSpec::Kind::FLAG)
    {
        if (text != "true" && text != "false")
        {
            Refuse(owner, spec, text);
        }
        return text == "true" ? 1 : 0;
    }
    const auto number = ToNumber(text);
    if (!number || *number < spec.min || *number > spec.max)
    {
        Refuse(owner, spec, text);
    }
    return *number;
}

} // namespace

ParameterSpec ParameterSpec::Number(std::string name,
                                    double initial,
                                    double min,
                                    double max,
                                    std::string unit,
                                    std::string help,
                                    std::string source)
{
    return {std::move(name),
            Kind::NUMBER,
            initial,
            min,
            max,
            std::move(unit),
            {},
            std::move(help),
            std::move(source)};
}

ParameterSpec ParameterSpec::Flag(std::string name,
                                  bool initial,
                                  std::string help,
                                  std::string source)
{
    return {std::move(name),
            Kind::FLAG,
            initial ? 1.0 : 0.0,
            0,
            1,
            "",
            {},
            std::move(help),
            std::move(source)};
}

ParameterSpec ParameterSpec::Choice(std::string name,
                                    std::vector<std::string> choices,
                                    std::string help,
                                    std::string source)
{
    return {std::move(name),
            Kind::CHOICE,
            0,
            0,
            static_cast<double>(choices.size() - 1),
            "",
            std::move(choices),
            std::move(help),
            std::move(source)};
}

std::string ParameterSpec::Default() const
{
    if (kind == Kind::FLAG)
    {
        return initial != 0 ? "true" : "false";
    }
    return kind == Kind::CHOICE ? choices[static_cast<std::size_t>(initial)] : ToText(initial);
}

std::string ParameterSpec::Allowed() const
{
    if (kind == Kind::FLAG)
    {
        return "true or false";
    }
    if (kind == Kind::CHOICE)
    {
        std::string names;
        for (const std::string& choice : choices)
        {
            names += (names.empty() ? "" : ", ") + choice;
        }
        return names;
    }
    return "a number from " + ToText(min) + " to " + ToText(max) + (unit.empty() ? "" : " " + unit);
}

Parameters::Parameters(const std::string& owner,
                       const std::vector<ParameterSpec>& specs,
                       const ParameterTexts& texts)
{
    for (const auto& [name, text] : texts)
    {
        const auto same = [&](const ParameterSpec& spec) { return spec.name == name; };
        if (std::none_of(specs.begin(), specs.end(), same))
        {
            std::string names;
            for (const ParameterSpec& spec : specs)
            {
                names += (names.empty() ? "" : ", ") + spec.name;
            }
            throw InputError(owner + ": unknown parameter '" + name +
                             "'; allowed: " + (names.empty() ? "none" : names));
        }
    }
    for (const ParameterSpec& spec : specs)
    {
        const auto given = texts.find(spec.name);
        const std::string text = given == texts.end() ? spec.Default() : given->second;
        if (spec.kind != ParameterSpec::Kind::CHOICE)
        {
            m_numbers[spec.name] = ReadNumber(owner, spec, text);
            continue;
        }
        if (std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end())
        {
            Refuse(owner, spec, text);
        }
        m_choices[spec.name] = text;
    }
}

double Parameters::Number(const std::string& name) const
{
    return m_numbers.at(name);
}

Nanoseconds Parameters::Time(const std::string& name) const
{
    const double nanoseconds = m_numbers.at(name) * 1e9;
    return nanoseconds < 9e18 ? static_cast<Nanoseconds>(std::llround(nanoseconds)) : NEVER;
}

bool Parameters::Flag(const std::string& name) const
{
    return m_numbers.at(name) != 0;
}

bool Parameters::Is(const std::string& name, const std::string& choice) const
{
    return m_choices.at(name) == choice;
}

} // namespace coflow
