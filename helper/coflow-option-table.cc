/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-option-table.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

namespace ns3::coflow
{

using ::coflow::InputError;

namespace
{

/// @return a name in the form for comparisons: the first letter of the attribute is lower case
std::string
Normalised(std::string name)
{
    const auto place = name.find_last_of(":.");
    auto& first = name[place == std::string::npos ? 0 : place + 1];
    first = static_cast<char>(std::tolower(static_cast<unsigned char>(first)));
    return name;
}

} // namespace

void
OptionTable::AddSection(std::string title)
{
    m_options.push_back({"", "", std::move(title), nullptr, false});
}

void
OptionTable::Add(std::string name,
                 std::string placeholder,
                 std::string help,
                 Setter set,
                 bool repeatable)
{
    m_options.push_back(
        {std::move(name), std::move(placeholder), std::move(help), std::move(set), repeatable});
}

void
OptionTable::AddFlag(std::string name, std::string help, bool& flag)
{
    m_options.push_back(
        {std::move(name), "", std::move(help), [&flag](const std::string&) { flag = true; }, true});
}

std::vector<OptionTable::Unknown>
OptionTable::Parse(const std::vector<std::string>& arguments) const
{
    std::vector<Unknown> unknown;
    std::set<std::string> given;
    std::string before; // the argument before, where it has no value
    for (const auto& argument : arguments)
    {
        if (!argument.starts_with("--") || argument.size() == 2)
        {
            if (!before.empty())
            {
                throw InputError("argument '" + argument + "' is no option; allowed: " + before +
                                 "=" + argument + ", with = in place of the space");
            }
            throw InputError("argument '" + argument +
                             "' is no option; allowed: --name=value or --flag (see --help)");
        }
        const auto equals = argument.find('=');
        const auto name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
        const auto value =
            equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1));
        const auto option =
            std::ranges::find_if(m_options, [&](const auto& o) { return o.set && o.name == name; });
        before.clear();
        if (option == m_options.end())
        {
            before = value ? "" : argument;
            if (!given.insert(Normalised(name)).second)
            {
                throw InputError("option --" + name + " is given twice; allowed: once");
            }
            unknown.push_back({name, value});
            continue;
        }
        if (option->placeholder.empty() && value)
        {
            throw InputError("option --" + name + " takes no value; allowed: --" + name);
        }
        if (!option->placeholder.empty() && value.value_or("").empty())
        {
            throw InputError("option --" + name + " needs a value; allowed: --" + name + "=" +
                             option->placeholder + ", without a space");
        }
        if (!given.insert(Normalised(name)).second && !option->repeatable)
        {
            throw InputError("option --" + name + " is given twice; allowed: once");
        }
        option->set(value.value_or(""));
    }
    return unknown;
}

std::vector<OptionTable::Info>
OptionTable::GetOptions() const
{
    std::vector<Info> options;
    std::string section;
    for (const auto& option : m_options)
    {
        if (!option.set)
        {
            section = option.help;
            continue;
        }
        options.push_back({section, option.name, option.placeholder, option.help});
    }
    return options;
}

std::string
OptionTable::GetHelp() const
{
    constexpr std::size_t COLUMN = 29;
    std::string help;
    for (const auto& option : m_options)
    {
        if (!option.set)
        {
            help += "\n" + option.help + "\n";
            continue;
        }
        auto line = "  --" + option.name;
        if (!option.placeholder.empty())
        {
            line += "=" + option.placeholder;
        }
        std::istringstream text(option.help);
        for (std::string part; std::getline(text, part);)
        {
            line.resize(std::max(COLUMN, line.size() + 2), ' ');
            help += line + part + "\n";
            line.clear();
        }
    }
    return help;
}

std::string
OptionTable::GetNearest(const std::string& name) const
{
    std::vector<std::string> known;
    for (const auto& option : m_options)
    {
        if (option.set)
        {
            known.push_back(option.name);
        }
    }
    return ::coflow::FindNearest(name, known);
}

double
ParseNumber(const std::string& option, const std::string& text, double min, double max)
{
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !(value >= min && value <= max))
    {
        throw InputError("option --" + option + " is '" + text + "'; allowed: a number from " +
                         ::coflow::FormatNumber(min) +
                         (std::isinf(max) ? " on" : " to " + ::coflow::FormatNumber(max)));
    }
    return value;
}

std::uint64_t
ParseCount(const std::string& option, const std::string& text, std::uint64_t min, std::uint64_t max)
{
    const auto value =
        ParseNumber(option, text, static_cast<double>(min), static_cast<double>(max));
    if (value != std::floor(value) || value > 9007199254740992.0)
    {
        throw InputError("option --" + option + " is '" + text + "'; allowed: a whole number");
    }
    return static_cast<std::uint64_t>(value);
}

} // namespace ns3::coflow
