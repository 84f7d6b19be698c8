/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JSON_H
#define COFLOW_JSON_H

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coflow
{

/// A JSON value for output. Members keep the order in which they were added. Numbers are written
/// with the fewest digits from which the same number is read. So equal values give equal text.
class Json
{
  public:
    /// Makes the value null.
    Json() = default;

    Json(bool value);

    Json(std::signed_integral auto value)
        : m_value(std::int64_t{value})
    {
    }

    Json(std::unsigned_integral auto value)
        : m_value(std::uint64_t{value})
    {
    }

    /// @param value a number; a number that is not finite is written as null, because JSON has no
    ///        such numbers
    Json(double value);
    Json(std::string value);
    Json(const char* value);

    static Json Object();
    static Json Array();

    /// Adds a member to an object.
    /// @return this object, for chaining
    Json& Set(std::string name, Json value);

    /// Adds an element to an array.
    /// @return this array, for chaining
    Json& Add(Json value);

    /// Adds all elements of another array to an array.
    /// @return this array, for chaining
    Json& Append(Json array);

    /// @return the text, indented by two spaces per level
    std::string ToString() const;

  private:
    using Members = std::vector<std::pair<std::string, Json>>;
    using Elements = std::vector<Json>;

    void Write(std::string& out, int level) const;

    std::variant<std::monostate,
                 bool,
                 std::int64_t,
                 std::uint64_t,
                 double,
                 std::string,
                 Members,
                 Elements>
        m_value;
};

} // namespace coflow

#endif // COFLOW_JSON_H
