/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PARAMETER_H
#define COFLOW_PARAMETER_H

#include "ns3/coflow-quantity.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coflow
{

/// A parameter as data: what lists, messages and bindings show of it.
struct ParameterSpec
{
    std::string name;       ///< as it is given: NAME=VALUE
    Unit unit{Unit::COUNT}; ///< of the following values
    double defaultValue{0}; ///< where it is not given
    double least{0};        ///< smallest allowed value
    double most{0};         ///< largest allowed value
    std::string help;       ///< one line
};

/// Values of declared parameters, within their ranges.
class Parameters
{
  public:
    /// Takes values from assignments, and defaults for the rest.
    /// @param owner what the parameters belong to, the start of messages
    /// @param specs what is declared
    /// @param assignments texts NAME=VALUE
    /// @throws InputError that names what is allowed: for an unknown or repeated name, a
    ///         malformed value and one out of range
    Parameters(const std::string& owner,
               const std::vector<ParameterSpec>& specs,
               const std::vector<std::string>& assignments);

    /// The value of a declared parameter in its unit.
    double operator[](const std::string& name) const;

    /// The value of a declared parameter as a whole number.
    std::uint64_t Count(const std::string& name) const;

    /// The value of a declared parameter as a number of hosts or a host.
    HostId Host(const std::string& name) const;

    /// The value of a declared parameter as bytes.
    Bytes Size(const std::string& name) const;

    /// Every parameter as NAME=VALUE in the order of declaration, separated by spaces.
    const std::string& Text() const;

    /// Throws InputError about a value that does not suit another parameter's.
    [[noreturn]] void Fail(const std::string& name, const std::string& allowed) const;

  private:
    std::string m_owner;
    std::map<std::string, double> m_values;
    std::string m_text;
};

} // namespace coflow

#endif // COFLOW_PARAMETER_H
