/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-error.h"

#include <cctype>

namespace coflow
{

namespace
{

/// Shortens a text to 40 characters, and replaces characters that cannot be printed by '?'.
std::string
Printable(std::string_view text)
{
    constexpr std::size_t LONGEST = 40;
    std::string result;
    for (char c : text.substr(0, LONGEST))
    {
        result += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    }
    return text.size() > LONGEST ? result + "..." : result;
}

} // namespace

InputError::InputError(const std::string& message)
    : std::runtime_error(message)
{
}

InputError::InputError(const std::string& file,
                       std::size_t line,
                       std::string_view field,
                       std::string_view value,
                       std::string_view allowed)
    : std::runtime_error(file + ":" + std::to_string(line) + ": " + std::string(field) + " is '" +
                         Printable(value) + "'; allowed: " + std::string(allowed))
{
}

} // namespace coflow
