/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRACE_ARGUMENTS_H
#define COFLOW_TRACE_ARGUMENTS_H

#include "ns3/coflow-error.h"
#include "ns3/coflow-quantity.h"

#include <map>
#include <string>
#include <vector>

namespace coflow
{

/// The command line of coflow-trace, taken apart.
class Arguments
{
  public:
    /// @param begin,end the arguments after the subcommand
    Arguments(char** begin, char** end)
    {
        for (char** argument = begin; argument != end; ++argument)
        {
            const std::string text = *argument;
            if (text.rfind("--", 0) != 0)
            {
                m_plain.push_back(text);
                continue;
            }
            const std::size_t equals = text.find('=');
            const std::string name = text.substr(0, equals);
            auto& values = m_options[name];
            values.push_back(equals == std::string::npos ? "" : text.substr(equals + 1));
        }
    }

    /// Takes an option that may be given once.
    std::string Take(const std::string& name, const std::string& otherwise)
    {
        const auto values = TakeAll(name);
        if (values.size() > 1)
        {
            throw InputError(name + " is given twice; allowed: once");
        }
        return values.empty() ? otherwise : values.front();
    }

    /// Takes an option that may be repeated.
    std::vector<std::string> TakeAll(const std::string& name)
    {
        const auto found = m_options.find(name);
        if (found == m_options.end())
        {
            return {};
        }
        const auto values = found->second;
        m_options.erase(found);
        return values;
    }

    /// Takes an option without value.
    bool TakeFlag(const std::string& name)
    {
        const auto values = TakeAll(name);
        for (const std::string& value : values)
        {
            if (!value.empty())
            {
                throw InputError(name + " is '" + value + "'; allowed: no value");
            }
        }
        return !values.empty();
    }

    /// Whether an option is given that nobody has taken.
    bool Has(const std::string& name) const
    {
        return m_options.contains(name);
    }

    /// Takes an option that is a quantity.
    double TakeQuantity(const std::string& name, const std::string& otherwise, Unit unit)
    {
        const std::string text = Take(name, otherwise);
        const auto value = ParseQuantity(text, unit);
        if (!value || *value <= 0)
        {
            throw InputError(name + " is '" + text +
                             "'; allowed: " + std::string(QuantityHelp(unit)) + ", more than 0");
        }
        return *value;
    }

    /// Arguments that are no options.
    const std::vector<std::string>& Plain() const
    {
        return m_plain;
    }

    /// Throws InputError where an option is left that nobody took.
    void ExpectNoMore() const
    {
        if (!m_options.empty())
        {
            throw InputError("option is '" + m_options.begin()->first +
                             "'; allowed: what coflow-trace --help lists");
        }
    }

  private:
    std::vector<std::string> m_plain;
    std::map<std::string, std::vector<std::string>> m_options;
};

} // namespace coflow

#endif // COFLOW_TRACE_ARGUMENTS_H
