/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEXT_TABLE_H
#define COFLOW_TEXT_TABLE_H

#include <string>
#include <vector>

namespace coflow
{

/// A table as text. Columns have the width of their longest cell. The first column is aligned left,
/// the others right.
class TextTable
{
  public:
    explicit TextTable(std::vector<std::string> titles);

    /// @param cells at most one per title; missing cells are empty
    void AddRow(std::vector<std::string> cells);

    /// @return all lines, each ending with a line break and without trailing spaces
    std::string ToString() const;

  private:
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace coflow

#endif // COFLOW_TEXT_TABLE_H
