/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COLUMN_H
#define COFLOW_COLUMN_H

#include "ns3/coflow-json.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-types.h"

#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coflow
{

/// A time in a column. An empty optional is an unknown time; NEVER is an infinite time.
struct ColumnTime
{
    std::optional<Nanoseconds> time; ///< the time, in nanoseconds

    /// @param time nanoseconds; NEVER: unknown
    static ColumnTime Known(Nanoseconds time)
    {
        return {time == NEVER ? std::nullopt : std::optional(time)};
    }

    /// @return seconds, the double nearest to the decimal number in the file; NaN where unknown
    double Seconds() const;
};

/// A column of a result file. The list of a file's columns is the source of the file, of the arrays
/// in the Python package and of the documentation.
/// @tparam Record the record of a row
template <typename Record>
struct Column
{
    /// Reads the value of a row.
    template <typename Value>
    using Read = Value (*)(const Record&);

    std::string_view name;    ///< name in the header of the file
    std::string_view unit;    ///< `s` or `bytes`; empty: none
    std::string_view meaning; ///< text for the documentation

    /// Reads the value of a row. The type of the value is the type of the column. An empty optional
    /// is an unknown value.
    std::variant<Read<std::uint64_t>,
                 Read<std::uint32_t>,
                 Read<Bytes>,
                 Read<std::optional<std::uint64_t>>,
                 Read<std::optional<double>>,
                 Read<ColumnTime>,
                 Read<bool>,
                 Read<std::optional<bool>>,
                 Read<Bin>>
        read;
};

/// @return a value as text for a CSV file: an unknown value is empty, an infinite value `inf`
std::string
ToField(std::integral auto value)
{
    return std::to_string(value);
}

std::string ToField(std::optional<std::uint64_t> value);
std::string ToField(std::optional<double> value);
std::string ToField(ColumnTime value);
std::string ToField(bool value);
std::string ToField(std::optional<bool> value);
std::string ToField(Bin value);

/// @param columns columns of a file
/// @param records one per row
/// @return the text of the file
template <typename Record>
std::string
ToCsv(const std::vector<Column<Record>>& columns, const std::vector<Record>& records)
{
    std::string out;
    for (const auto& column : columns)
    {
        out += column.name;
        out += ',';
    }
    out.back() = '\n';
    for (const auto& record : records)
    {
        for (const auto& column : columns)
        {
            // No value of a column needs quotes.
            out += std::visit([&](auto read) { return ToField(read(record)); }, column.read);
            out += ',';
        }
        out.back() = '\n';
    }
    return out;
}

/// The names of the types of columns, in the order of the variant `Column::read`.
inline constexpr std::string_view COLUMN_TYPES[] = {"uint64",
                                                    "uint32",
                                                    "int64",
                                                    "optional uint64",
                                                    "optional double",
                                                    "time",
                                                    "bool",
                                                    "optional bool",
                                                    "bin"};
static_assert(std::size(COLUMN_TYPES) == std::variant_size_v<decltype(Column<int>::read)>);

/// @param columns columns of a file
/// @return a JSON array with name, type, unit and meaning of each column
template <typename Record>
Json
DescribeColumns(const std::vector<Column<Record>>& columns)
{
    auto described = Json::Array();
    for (const auto& column : columns)
    {
        described.Add(Json::Object()
                          .Set("name", std::string(column.name))
                          .Set("type", std::string(COLUMN_TYPES[column.read.index()]))
                          .Set("unit", std::string(column.unit))
                          .Set("meaning", std::string(column.meaning)));
    }
    return described;
}

} // namespace coflow

#endif // COFLOW_COLUMN_H
