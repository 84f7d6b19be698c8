/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OPTION_TABLE_H
#define COFLOW_OPTION_TABLE_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The options of a program: `--name=value` and `--flag`.
///
/// ns3::CommandLine exits with status 1 and a page of help where an option is
/// wrong; our programs promise one line and status 2, and hand on what they do
/// not know (attributes, global values) to code that does.
class OptionTable
{
  public:
    /// Takes the text of a value; throws ::coflow::InputError where it is not allowed.
    using Setter = std::function<void(const std::string& value)>;

    /// An option that the table does not know.
    struct Unknown
    {
        std::string name;                 ///< without the dashes
        std::optional<std::string> value; ///< none: given without '='
    };

    /// Starts a new section of the help text.
    void AddSection(std::string title);

    /// Adds an option with a value.
    /// @param name without dashes
    /// @param placeholder stands for the value in the help text, such as SECONDS
    /// @param help one or more lines, with units and default
    /// @param repeatable whether it may be given several times
    void Add(std::string name,
             std::string placeholder,
             std::string help,
             Setter set,
             bool repeatable = false);

    /// Adds an option without a value; given, it sets @p flag.
    void AddFlag(std::string name, std::string help, bool& flag);

    /// Reads all arguments, in order.
    /// @param arguments of the program, without its name
    /// @return the options that the table does not know, in order
    /// @throws ::coflow::InputError for what is no option, a missing or empty value, a value too
    ///         much or one that the option's setter refuses, and for an option that is repeated
    std::vector<Unknown> Parse(const std::vector<std::string>& arguments) const;

    /// An option as shown to people and tools.
    struct Info
    {
        std::string section;
        std::string name;        ///< without dashes
        std::string placeholder; ///< stands for the value; empty: a flag
        std::string help;
    };

    /// @return all options, in the order in which they were added
    std::vector<Info> GetOptions() const;

    /// @return the options by section, a line or more each
    std::string GetHelp() const;

    /// @return the known option most like @p name, for an error message; empty where none is near
    std::string GetNearest(const std::string& name) const;

  private:
    struct Option
    {
        std::string name;
        std::string placeholder; ///< empty: a flag
        std::string help;
        Setter set; ///< none: a section's title stands in help
        bool repeatable{false};
    };

    std::vector<Option> m_options;
};

/// @return the number in @p text
/// @throws ::coflow::InputError naming @p option and the range where it is no number in it
double ParseNumber(const std::string& option, const std::string& text, double min, double max);

/// As ParseNumber, for whole numbers; accepts forms such as 1e6 too.
std::uint64_t ParseCount(const std::string& option,
                         const std::string& text,
                         std::uint64_t min,
                         std::uint64_t max);

} // namespace ns3::coflow

#endif // COFLOW_OPTION_TABLE_H
