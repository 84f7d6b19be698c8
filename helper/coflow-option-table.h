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
/// ns3::CommandLine exits with status 1 and a page of help where an option is wrong. Programs of
/// this module print one line and exit with status 2. They return options that the table does not
/// know, such as attributes and global values, to the caller.
class OptionTable
{
  public:
    /// Sets an option from the text of a value. Throws ::coflow::InputError where the value is not
    /// allowed.
    using Setter = std::function<void(const std::string& value)>;

    /// An option that the table does not know.
    struct Unknown
    {
        std::string name;                 ///< name without dashes
        std::optional<std::string> value; ///< value; none: the option was given without '='
    };

    /// Starts a new section of the help text.
    void AddSection(std::string title);

    /// Adds an option with a value.
    /// @param name name without dashes
    /// @param placeholder name of the value in the help text, such as SECONDS
    /// @param help one or more lines, with units and default
    /// @param repeatable whether the option may be given several times
    void Add(std::string name,
             std::string placeholder,
             std::string help,
             Setter set,
             bool repeatable = false);

    /// Adds an option without a value. Where the option is given, @p flag becomes true.
    void AddFlag(std::string name, std::string help, bool& flag);

    /// Reads all arguments, in order.
    /// @param arguments arguments of the program, without its name
    /// @return the options that the table does not know, in order
    /// @throws ::coflow::InputError for an argument that is no option, for a missing or empty
    ///         value, for a value of a flag, for a value that the option's setter refuses, and for
    ///         a repeated option that is not repeatable
    std::vector<Unknown> Parse(const std::vector<std::string>& arguments) const;

    /// An option, for help texts and tools.
    struct Info
    {
        std::string section;
        std::string name;        ///< name without dashes
        std::string placeholder; ///< name of the value; empty: a flag
        std::string help;
    };

    /// @return all options, in the order in which they were added
    std::vector<Info> GetOptions() const;

    /// @return the help text: the options by section, one or more lines for each
    std::string GetHelp() const;

    /// @return the known option that is most similar to @p name, for an error message; empty where
    ///         no option is similar
    std::string GetNearest(const std::string& name) const;

  private:
    struct Option
    {
        std::string name;
        std::string placeholder; ///< name of the value; empty: a flag
        std::string help;
        Setter set; ///< sets the option; null: a section, whose title is `help`
        bool repeatable{false};
    };

    std::vector<Option> m_options;
};

/// @return the number in @p text
/// @throws ::coflow::InputError where the text is no number of the range; the error names @p option
///         and the range
double ParseNumber(const std::string& option, const std::string& text, double min, double max);

/// Does the same as ParseNumber(), for whole numbers. Forms such as 1e6 are allowed.
std::uint64_t ParseCount(const std::string& option,
                         const std::string& text,
                         std::uint64_t min,
                         std::uint64_t max);

} // namespace ns3::coflow

#endif // COFLOW_OPTION_TABLE_H
