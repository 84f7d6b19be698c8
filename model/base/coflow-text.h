/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEXT_H
#define COFLOW_TEXT_H

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coflow
{

/// A text file, line by line. Lines may end in LF or CR LF; blank lines at the end of the file
/// are not seen. Lines are views into the text, so lines of any length cost nothing.
class TextLines
{
  public:
    /// Reads everything.
    /// @param in where the text comes from
    /// @param name name of the file for messages
    TextLines(std::istream& in, std::string name);

    /// Goes to the next line.
    /// @return false at the end of the file; the current line is then empty
    bool Next();

    /// The current line without its ending.
    std::string_view Line() const;

    /// Number of the current line, counted from 1; at the end of the file that of the last line.
    std::size_t Number() const;

    /// Name of the file.
    const std::string& Name() const;

    /// Throws InputError at the current line.
    [[noreturn]] void Fail(std::string_view field,
                           std::string_view value,
                           std::string_view allowed) const;

  private:
    std::string m_name;
    std::string m_text;
    std::size_t m_position{0};
    std::size_t m_number{0};
    std::string_view m_line;
};

/// Removes spaces and tabs at both ends.
std::string_view Trim(std::string_view text);

/// Takes the text up to the next separator off the front of `rest`, and the separator.
/// @return the text, or none where `rest` has been used up
std::optional<std::string_view> TakeField(std::optional<std::string_view>& rest, char separator);

/// Takes the next word off the front of `rest`. Words are separated by spaces and tabs.
/// @return the word, or an empty text where there is none
std::string_view TakeWord(std::string_view& rest);

/// A whole number >= 0 without sign, or none.
std::optional<std::uint64_t> ParseUnsigned(std::string_view text);

/// Any finite number, or none.
std::optional<double> ParseNumber(std::string_view text);

/// A decimal number >= 0 without exponent in units of 10^-decimals, exactly: `1.25` with three
/// decimals is 1250. None where it is malformed, has more decimals, or does not fit.
std::optional<std::int64_t> ParseFixedPoint(std::string_view text, int decimals);

/// Writes `value` * 10^-decimals without superfluous zeros: 1250 with three decimals is `1.25`.
std::string FormatFixedPoint(std::int64_t value, int decimals);

/// The shortest text that ParseNumber reads back as the same number.
std::string FormatNumber(double value);

/// A word as a shell reads it back: in quotes where it holds anything that a shell understands.
std::string ShellQuote(const std::string& word);

/// The name that is most like a misspelt one, by the number of letters to change, add or drop, of
/// either case; empty where none is near.
std::string FindNearest(const std::string& name, const std::vector<std::string>& known);

/// What a message says of a name that nobody has: ` (perhaps varys)`; empty where none is near.
std::string SuggestName(const std::string& name, const std::vector<std::string>& known);

/// Names as a message lists them, with commas between.
std::string JoinNames(const std::vector<std::string>& names);

} // namespace coflow

#endif // COFLOW_TEXT_H
