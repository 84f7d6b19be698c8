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

/// A text file, line by line. Lines may end in LF or CR LF. Blank lines at the end of the file are
/// ignored. Lines are views of the text and are not copied.
class TextLines
{
  public:
    /// Reads the whole text.
    /// @param in the stream of the text
    /// @param name name of the file for messages
    TextLines(std::istream& in, std::string name);

    /// Goes to the next line.
    /// @return false at the end of the file; the current line is then empty
    bool Next();

    /// The current line without its ending.
    std::string_view Line() const;

    /// Number of the current line, counted from 1; at the end of the file, the number of the last
    /// line.
    std::size_t Number() const;

    /// Name of the file.
    const std::string& Name() const;

    /// Throws InputError that names the file and the current line.
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

/// Removes the text up to the next separator, and the separator, from the front of `rest`.
/// @return the text before the separator; none where `rest` is used up
std::optional<std::string_view> TakeField(std::optional<std::string_view>& rest, char separator);

/// @return the texts between separators, without blanks at both ends; one empty text where `text`
///         is empty
std::vector<std::string> SplitText(std::string_view text, char separator);

/// Removes the next word from the front of `rest`. Words are separated by spaces and tabs.
/// @return the word; empty where there is no word
std::string_view TakeWord(std::string_view& rest);

/// @return the whole number >= 0, without a sign, in a text; none where the text is malformed
std::optional<std::uint64_t> ParseUnsigned(std::string_view text);

/// @return the finite number in a text; none where the text is malformed
std::optional<double> ParseNumber(std::string_view text);

/// Reads a decimal number >= 0 without an exponent exactly, in units of 10^-decimals: `1.25` with
/// three decimals is 1250. None where the text is malformed, has more decimals, or does not fit
/// into the type.
std::optional<std::int64_t> ParseFixedPoint(std::string_view text, int decimals);

/// Writes `value` * 10^-decimals without superfluous zeros: 1250 with three decimals is `1.25`.
std::string FormatFixedPoint(std::int64_t value, int decimals);

/// The shortest text from which ParseNumber() reads the same number.
std::string FormatNumber(double value);

/// A word as an argument for a shell. The word is in quotes where it has characters with a meaning
/// for the shell.
std::string ShellQuote(const std::string& word);

/// The known name that is most similar to a misspelt name, by the Levenshtein distance without
/// case; empty where every distance is 3 or more.
std::string FindNearest(const std::string& name, const std::vector<std::string>& known);

/// The suggestion in a message about an unknown name: ` (perhaps varys)`; empty where no name is
/// similar.
std::string SuggestName(const std::string& name, const std::vector<std::string>& known);

/// Names separated by commas, for messages.
std::string JoinNames(const std::vector<std::string>& names);

} // namespace coflow

#endif // COFLOW_TEXT_H
