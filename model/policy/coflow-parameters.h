/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PARAMETERS_H
#define COFLOW_PARAMETERS_H

#include "ns3/coflow-types.h"

#include <map>
#include <string>
#include <vector>

namespace coflow
{

/// One parameter of a policy, as data: command line, attributes of the simulator,
/// Python and documentation are generated from it.
struct ParameterSpec
{
    /// What kind of value it takes.
    enum class Kind
    {
        NUMBER, ///< a number in [min, max]
        FLAG,   ///< true or false
        CHOICE  ///< one of `choices`
    };

    std::string name;                 ///< lowerCamelCase
    Kind kind{Kind::NUMBER};          ///< kind of value
    double initial{0};                ///< default; FLAG: 0 or 1; CHOICE: position in `choices`
    double min{0};                    ///< smallest number allowed
    double max{0};                    ///< largest number allowed
    std::string unit{};               ///< "s", "B", ...; empty: none
    std::vector<std::string> choices; ///< names of the alternatives
    std::string help;                 ///< what it does
    std::string source;               ///< where the default comes from

    /// A number in [min, max].
    static ParameterSpec Number(std::string name,
                                double initial,
                                double min,
                                double max,
                                std::string unit,
                                std::string help,
                                std::string source);

    /// True or false.
    static ParameterSpec Flag(std::string name, bool initial, std::string help, std::string source);

    /// One of several names; the first is the default.
    static ParameterSpec Choice(std::string name,
                                std::vector<std::string> choices,
                                std::string help,
                                std::string source);

    /// The default as text, as it would be given.
    std::string Default() const;

    /// The values allowed, as text.
    std::string Allowed() const;
};

/// Values given by name, as text.
using ParameterTexts = std::map<std::string, std::string>;

/// The values of all parameters of one policy.
class Parameters
{
  public:
    /// @param owner name of the policy, for errors
    /// @param specs what there is
    /// @param texts values that differ from the default
    /// @throws InputError for an unknown name or a value outside what is allowed
    Parameters(const std::string& owner,
               const std::vector<ParameterSpec>& specs,
               const ParameterTexts& texts = {});

    /// The value of a number.
    double Number(const std::string& name) const;

    /// The value of a number of seconds, in nanoseconds; NEVER where it is infinite.
    Nanoseconds Time(const std::string& name) const;

    /// The value of a flag.
    bool Flag(const std::string& name) const;

    /// Whether the choice `name` stands at `choice`.
    bool Is(const std::string& name, const std::string& choice) const;

  private:
    std::map<std::string, double> m_numbers;      ///< numbers and flags
    std::map<std::string, std::string> m_choices; ///< choices
};

} // namespace coflow

#endif // COFLOW_PARAMETERS_H
