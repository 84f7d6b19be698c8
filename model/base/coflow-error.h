/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ERROR_H
#define COFLOW_ERROR_H

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace coflow
{

/// An error of input or usage. The message has one line: the wrong value, its place, and the
/// allowed values. Programs print what() and exit with status 2.
class InputError : public std::runtime_error
{
  public:
    /// @param message the whole line
    explicit InputError(const std::string& message);

    /// An error at a position in a text file: `FILE:LINE: FIELD is 'VALUE'; allowed: ALLOWED`.
    /// @param file name of the file, as the user gave it
    /// @param line line number, counted from 1
    /// @param field name of the value
    /// @param value the text in the file; the message shows at most 40 characters of it
    /// @param allowed the allowed values
    InputError(const std::string& file,
               std::size_t line,
               std::string_view field,
               std::string_view value,
               std::string_view allowed);
};

} // namespace coflow

#endif // COFLOW_ERROR_H
