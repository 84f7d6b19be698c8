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

/// Whether a default scales with the workload.
enum class Scaling
{
    FIXED,   ///< same default for any workload: counts, ratios, values that follow the network
    WORKLOAD ///< the default is multiplied by Workload::scale
};

/// The declaration of a parameter, for lists, messages, attributes and bindings. Every part of a
/// run declares its parameters: engines, policies and generators directly, ns-3 classes by their
/// attributes (see Declared() and GetSpec() in coflow-attribute-spec.h).
struct ParameterSpec
{
    std::string name;                   ///< NAME in NAME=VALUE
    Unit unit{Unit::COUNT};             ///< unit of the following values
    double defaultValue{0};             ///< value where the parameter is not given
    double least{0};                    ///< smallest allowed value
    double most{0};                     ///< largest allowed value; may be infinite
    std::string help;                   ///< one line
    std::string source{};               ///< source of the default; empty: none
    Scaling scaling{Scaling::FIXED};    ///< whether the default scales with the workload
    std::vector<std::string> choices{}; ///< names, where the unit is Unit::CHOICE
    /// Whether the parameter is a control period: a period or a delay of a scheduler's control. The
    /// diagnosis of a run compares coflow completion times with it (coflow-diagnosis.h).
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

    /// @return the default as text; Parse() reads the same value back
    std::string Default() const;

    /// Scales a value for a workload of full size to a scaled workload.
    /// @param value in the unit, such as the default
    /// @param scale scale of the workload; see Workload::scale
    /// @return the value times the scale, and at least the smallest allowed value. The value itself
    ///         where the parameter does not scale, and where the value is 0 or infinite. Counts and
    ///         bytes are rounded to whole numbers.
    double Scaled(double value, double scale) const;

    /// @return the allowed values, as text for messages
    std::string Allowed() const;

    /// @return the value of a text, in the unit of the parameter; none where the value is not
    ///         allowed, or the value is not allowed
    std::optional<double> Parse(const std::string& text) const;

    /// @return a value as text; Parse() reads the same value back
    std::string Format(double value) const;
};

/// @param specs parameters
/// @param scale scale of a workload
/// @return the parameters with their defaults for a workload of this scale
std::vector<ParameterSpec> ScaleDefaults(std::vector<ParameterSpec> specs, double scale);

/// Values of declared parameters, within their ranges.
class Parameters
{
  public:
    /// Takes values from assignments, and defaults for the rest.
    /// @param owner name of the owner of the parameters; error messages begin with the name
    /// @param specs the declared parameters
    /// @param assignments texts NAME=VALUE
    /// @throws InputError that names the allowed values, for an unknown or repeated name, and for a
    ///         value that is malformed or out of range
    Parameters(const std::string& owner,
               std::vector<ParameterSpec> specs,
               const std::vector<std::string>& assignments);

    /// The value of a declared parameter in its unit.
    double operator[](const std::string& name) const;

    /// The value of a declared flag.
    bool Flag(const std::string& name) const;

    /// Whether a declared choice has a given name as its value.
    bool Is(const std::string& name, const std::string& choice) const;

    /// The value of a declared parameter in seconds, as nanoseconds; NEVER where it is infinite.
    Nanoseconds Time(const std::string& name) const;

    /// The value of a declared parameter as a whole number.
    std::uint64_t Count(const std::string& name) const;

    /// The value of a declared parameter as a number of hosts or as a host.
    HostId Host(const std::string& name) const;

    /// The value of a declared parameter as bytes.
    Bytes Size(const std::string& name) const;

    /// The declared parameters, with the defaults in force.
    const std::vector<ParameterSpec>& Specs() const
    {
        return m_specs;
    }

    /// The given parameters, in the order given: names, and values as the user wrote them.
    const std::vector<std::pair<std::string, std::string>>& Given() const
    {
        return m_given;
    }

    /// Whether a declared parameter was given.
    bool IsGiven(const std::string& name) const;

    /// Changes the default of a declared parameter. A given value stays.
    void SetDefault(const std::string& name, double value);

    /// Every parameter as NAME=VALUE in the order of declaration, separated by spaces.
    std::string Text() const;

    /// Throws InputError for a value that is not allowed together with the value of another
    /// parameter.
    [[noreturn]] void Fail(const std::string& name, const std::string& allowed) const;

  private:
    std::string m_owner;
    std::vector<ParameterSpec> m_specs;
    std::vector<std::pair<std::string, std::string>> m_given; ///< see Given()
    std::map<std::string, double> m_values;                   ///< values of all declared
                                                              ///< parameters, by name
};

} // namespace coflow

#endif // COFLOW_PARAMETER_H
