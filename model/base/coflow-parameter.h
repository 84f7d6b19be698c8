/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PARAMETER_H
#define COFLOW_PARAMETER_H

#include "ns3/coflow-quantity.h"
#include "ns3/coflow-units.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coflow
{

/// Whether a default is meant for workloads of full size.
enum class Scaling
{
    FIXED,   ///< the default holds for any workload: counts, ratios, what the network sets
    WORKLOAD ///< the default grows with the workload: it is multiplied by Workload::scale
};

/// A parameter as data: what lists, messages, attributes and bindings show of it. Every part of a
/// run declares its parameters as such: engines, policies and generators directly, ns-3 classes
/// through their attributes (see Declared() and GetSpec() in coflow-attribute-spec.h).
struct ParameterSpec
{
    std::string name;                   ///< as it is given: NAME=VALUE
    Unit unit{Unit::COUNT};             ///< of the following values
    double defaultValue{0};             ///< where it is not given
    double least{0};                    ///< smallest allowed value
    double most{0};                     ///< largest allowed value; may be infinite
    std::string help;                   ///< one line
    std::string source{};               ///< where the default comes from; empty: nowhere special
    Scaling scaling{Scaling::FIXED};    ///< whether the default grows with the workload
    std::vector<std::string> choices{}; ///< of Unit::CHOICE: the names
    /// Of a time: how often a scheduler's control acts, or how late. A run tells where coflows are
    /// shorter than that (coflow-diagnosis.h).
    bool isControlPeriod{false};

    /// @return the same parameter, as a control period
    ParameterSpec AsControlPeriod() const;

    /// True or false.
    static ParameterSpec Flag(std::string name,
                              bool defaultValue,
                              std::string help,
                              std::string source);

    /// One of several names; the first is the default.
    static ParameterSpec Choice(std::string name,
                                std::vector<std::string> choices,
                                std::string help,
                                std::string source);

    /// The default as text, as it would be given.
    std::string Default() const;

    /// A value that was meant for a workload of full size, for a scaled one.
    /// @param value in the unit, such as the default
    /// @param scale of the workload; see Workload::scale
    /// @return the value times the scale, but at least the smallest allowed value; the value itself
    ///         where the parameter does not scale, and where the value is 0 or infinite. Counts and
    ///         bytes are whole.
    double Scaled(double value, double scale) const;

    /// The values allowed, as text.
    std::string Allowed() const;

    /// The value that a text stands for; none where it is not allowed.
    std::optional<double> Parse(const std::string& text) const;

    /// A value as text, as it would be given.
    std::string Format(double value) const;
};

/// @param specs parameters
/// @param scale of a workload
/// @return the same with the defaults that hold for a workload of this scale
std::vector<ParameterSpec> ScaleDefaults(std::vector<ParameterSpec> specs, double scale);

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
               std::vector<ParameterSpec> specs,
               const std::vector<std::string>& assignments);

    /// The value of a declared parameter in its unit.
    double operator[](const std::string& name) const;

    /// The value of a declared flag.
    bool Flag(const std::string& name) const;

    /// Whether a declared choice stands at one of its names.
    bool Is(const std::string& name, const std::string& choice) const;

    /// The value of a declared parameter in seconds, as nanoseconds; NEVER where it is infinite.
    Nanoseconds Time(const std::string& name) const;

    /// The value of a declared parameter as a whole number.
    std::uint64_t Count(const std::string& name) const;

    /// The value of a declared parameter as a number of hosts or a host.
    HostId Host(const std::string& name) const;

    /// The value of a declared parameter as bytes.
    Bytes Size(const std::string& name) const;

    /// What is declared, with the defaults that hold.
    const std::vector<ParameterSpec>& Specs() const
    {
        return m_specs;
    }

    /// What was given, in that order: names, and values as they were written.
    const std::vector<std::pair<std::string, std::string>>& Given() const
    {
        return m_given;
    }

    /// Whether a declared parameter was given.
    bool IsGiven(const std::string& name) const;

    /// Declares another default.
    void SetDefault(const std::string& name, double value);

    /// Every parameter as NAME=VALUE in the order of declaration, separated by spaces.
    std::string Text() const;

    /// Throws InputError about a value that does not suit another parameter's.
    [[noreturn]] void Fail(const std::string& name, const std::string& allowed) const;

  private:
    /// The declaration of a parameter.
    const ParameterSpec& SpecOf(const std::string& name) const;

    std::string m_owner;
    std::vector<ParameterSpec> m_specs;
    std::vector<std::pair<std::string, std::string>> m_given; ///< see Given()
    std::map<std::string, double> m_values;                   ///< of all that are declared
};

} // namespace coflow

#endif // COFLOW_PARAMETER_H
