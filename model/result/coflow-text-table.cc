/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-text-table.h"

#include <algorithm>
#include <cstddef>

namespace coflow
{

TextTable::TextTable(std::vector<std::string> titles)
    : m_rows{std::move(titles)}
{
}

void
TextTable::AddRow(std::vector<std::string> cells)
{
    cells.resize(m_rows.front().size());
    m_rows.push_back(std::move(cells));
}

std::string
TextTable::ToString() const
{
    std::vector<std::size_t> widths(m_rows.front().size());
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    std::string text;
    for (const auto& row : m_rows)
    {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            const std::string padding(widths[column] - row[column].size(), ' ');
            line += column == 0 ? row[column] + padding : "  " + padding + row[column];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace coflow
