/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-text.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace coflow
{

namespace
{

constexpr std::size_t LOOKED_AT = 100; // characters in which a NUL shows that the text is not UTF-8

/// Reads a stream in large pieces.
std::string
ReadAll(std::istream& in)
{
    std::string text;
    std::array<char, 1 << 16> piece;
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0)
    {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    return text;
}

} // namespace

TextLines::TextLines(std::istream& in, std::string name)
    : m_name(std::move(name)),
      m_text(ReadAll(in))
{
    if (m_text.starts_with("\xFF\xFE") || m_text.starts_with("\xFE\xFF") ||
        m_text.substr(0, LOOKED_AT).find('\0') != std::string::npos)
    {
        throw InputError(m_name + " is no text in UTF-8 (perhaps UTF-16); allowed: UTF-8");
    }
    const std::size_t last = m_text.find_last_not_of(" \t\r\n");
    m_text.resize(last == std::string::npos ? 0 : last + 1);
}

bool
TextLines::Next()
{
    if (m_position >= m_text.size())
    {
        m_line = {};
        return false;
    }
    const std::size_t end = std::min(m_text.find('\n', m_position), m_text.size());
    m_line = std::string_view(m_text).substr(m_position, end - m_position);
    if (!m_line.empty() && m_line.back() == '\r')
    {
        m_line.remove_suffix(1);
    }
    m_position = end + 1;
    ++m_number;
    return true;
}

std::string_view
TextLines::Line() const
{
    return m_line;
}

std::size_t
TextLines::Number() const
{
    return m_number > 0 ? m_number : 1;
}

const std::string&
TextLines::Name() const
{
    return m_name;
}

void
TextLines::Fail(std::string_view field, std::string_view value, std::string_view allowed) const
{
    throw InputError(m_name, Number(), field, value, allowed);
}

std::string_view
Trim(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::string_view>
TakeField(std::optional<std::string_view>& rest, char separator)
{
    if (!rest)
    {
        return std::nullopt;
    }
    const std::size_t end = rest->find(separator);
    const std::string_view field = rest->substr(0, end);
    if (end == std::string_view::npos)
    {
        rest.reset();
    }
    else
    {
        rest->remove_prefix(end + 1);
    }
    return field;
}

std::vector<std::string>
SplitText(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t end = 0;
    while ((end = text.find(separator)) != std::string_view::npos)
    {
        parts.emplace_back(Trim(text.substr(0, end)));
        text.remove_prefix(end + 1);
    }
    parts.emplace_back(Trim(text));
    return parts;
}

std::string_view
TakeWord(std::string_view& rest)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    std::size_t start = 0;
    while (start < rest.size() && isBlank(rest[start]))
    {
        ++start;
    }
    std::size_t end = start;
    while (end < rest.size() && !isBlank(rest[end]))
    {
        ++end;
    }
    const std::string_view word = rest.substr(start, end - start);
    rest.remove_prefix(end);
    return word;
}

std::optional<std::uint64_t>
ParseUnsigned(std::string_view text)
{
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<double>
ParseNumber(std::string_view text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end && std::isfinite(value) ? std::optional(value)
                                                                       : std::nullopt;
}

std::optional<std::int64_t>
ParseFixedPoint(std::string_view text, int decimals)
{
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
    if (whole.empty() || fraction.size() > static_cast<std::size_t>(decimals) ||
        (point != std::string_view::npos && fraction.empty()))
    {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto append = [&value](char digit) {
        return digit >= '0' && digit <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, digit - '0', &value);
    };
    for (const std::string_view digits : {whole, fraction})
    {
        for (const char digit : digits)
        {
            if (!append(digit))
            {
                return std::nullopt;
            }
        }
    }
    for (auto missing = static_cast<int>(fraction.size()); missing < decimals; ++missing)
    {
        if (!append('0'))
        {
            return std::nullopt;
        }
    }
    return value;
}

std::string
FormatFixedPoint(std::int64_t value, int decimals)
{
    const std::string digits = std::to_string(value);
    const auto places = static_cast<std::size_t>(decimals);
    // Leading zeros, so that at least one digit is before the decimal point.
    const std::size_t zeros = digits.size() > places ? 0 : places + 1 - digits.size();
    std::string text = std::string(zeros, '0') + digits;
    text.insert(text.end() - decimals, '.');
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
    {
        text.pop_back();
    }
    return text;
}

std::string
FormatNumber(double value)
{
    std::array<char, 32> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), end);
}

std::string
ShellQuote(const std::string& word)
{
    const auto isPlain = [](unsigned char c) {
        return c < 128 &&
               (std::isalnum(c) || std::string_view("@%+=:,./-_").find(static_cast<char>(c)) !=
                                       std::string_view::npos);
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
    {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word)
    {
        quoted += c == '\'' ? "'\"'\"'" : std::string(1, c);
    }
    return quoted + "'";
}

namespace
{

/// The Levenshtein distance: the smallest number of letters to change, add or remove. Case is
/// ignored.
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
            const auto changed = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row[b.size()];
}

} // namespace

std::string
FindNearest(const std::string& name, const std::vector<std::string>& known)
{
    std::string nearest;
    std::size_t least = 3;
    for (const auto& other : known)
    {
        if (const auto distance = EditDistance(name, other); distance < least)
        {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

std::string
SuggestName(const std::string& name, const std::vector<std::string>& known)
{
    const auto nearest = FindNearest(name, known);
    return nearest.empty() ? "" : " (perhaps " + nearest + ")";
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string list;
    for (const auto& name : names)
    {
        list += list.empty() ? "" : ", ";
        list += name;
    }
    return list;
}

} // namespace coflow
