/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COLUMN_H
#define COFLOW_COLUMN_H

#include "ns3/coflow-json.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coflow
{

/// A time in a column. None: unknown; NEVER: infinite.
struct ColumnTime
{
    std::optional<Nanoseconds> time; ///< nanoseconds

    /// @param time nanoseconds; NEVER: unknown
    static ColumnTime Known(Nanoseconds time)
    {
        return {time == NEVER ? std::nullopt : std::optional(time)};
    }

    /// @return seconds, the double nearest to the decimal number in the file; NaN where unknown
    double Seconds() const;
};

/// A column of a result file. The file, the arrays of the Python package and the documentation are
/// made from the list of a file's columns.
/// @tparam Record what a row is made from
template <typename Record>
struct Column
{
    /// Reads the value of a row.
    template <typename Value>
    using Read = Value (*)(const Record&);

    std::string_view name;    ///< in the header of the file
    std::string_view unit;    ///< `s` or `bytes`; empty: none
    std::string_view meaning; ///< for the documentation

    /// Reads the value of a row. The type of the value is the type of the column. An optional that
    /// is empty is unknown.
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

/// @return a value as a CSV file has it; what is unknown is empty, what is infinite `inf`
std::string ToField(std::uint64_t value);
std::string ToField(std::uint32_t value);
std::string ToField(Bytes value);
std::string ToField(std::optional<std::uint64_t> value);
std::string ToField(std::optional<double> value);
std::string ToField(ColumnTime value);
std::string ToField(bool value);
std::string ToField(std::optional<bool> value);
std::string ToField(Bin value);

/// @param columns of a file
/// @param records a row each
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
            // None of our values needs quotes.
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

/// @param columns of a file
/// @return an array with name, type, unit and meaning of each
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
