/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMPLEX_H
#define SIMPLEX_H

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace coflow::test
{

/// A small dense linear program: minimise cost . x subject to rows . x <= limits, x >= 0.
/// Two phases, Bland's rule; for tests with at most some hundred variables.
class LinearProgram
{
  public:
    explicit LinearProgram(std::size_t variables)
        : m_cost(variables, 0.0)
    {
    }

    /// Cost of a variable.
    double& Cost(std::size_t variable)
    {
        return m_cost[variable];
    }

    /// Adds row . x <= limit.
    void AtMost(std::vector<double> row, double limit)
    {
        m_rows.push_back(std::move(row));
        m_limits.push_back(limit);
    }

    /// Adds row . x == value.
    void Equal(const std::vector<double>& row, double value)
    {
        AtMost(row, value);
        std::vector<double> negative(row);
        for (double& factor : negative)
        {
            factor = -factor;
        }
        AtMost(negative, -value);
    }

    /// The smallest cost; infinite if there is no solution.
    double Minimum()
    {
        // Tableau: one row per constraint with its slack, an artificial variable where the
        // limit is negative, and last the right-hand side.
        const std::size_t n = m_cost.size();
        const std::size_t m = m_rows.size();
        const std::size_t width = n + m + m + 1;
        m_table.assign(m, std::vector<double>(width, 0.0));
        m_basis.assign(m, 0);
        std::vector<double> artificial(width, 0.0);
        for (std::size_t i = 0; i < m; ++i)
        {
            const double sign = m_limits[i] < 0 ? -1 : 1;
            for (std::size_t j = 0; j < n; ++j)
            {
                m_table[i][j] = sign * m_rows[i][j];
            }
            m_table[i][n + i] = sign;
            m_table[i][width - 1] = sign * m_limits[i];
            m_basis[i] = n + i;
            if (sign < 0)
            {
                m_table[i][n + m + i] = 1;
                m_basis[i] = n + m + i;
                artificial[n + m + i] = 1;
            }
        }
        if (Optimise(artificial, width - 1) > 1e-7)
        {
            return std::numeric_limits<double>::infinity();
        }
        // An artificial variable that stays in the basis at 0 must not grow again.
        for (std::size_t i = 0; i < m; ++i)
        {
            for (std::size_t j = 0; j < n + m && m_basis[i] >= n + m; ++j)
            {
                if (std::abs(m_table[i][j]) > 1e-7)
                {
                    Pivot(i, j);
                }
            }
        }
        std::vector<double> cost(m_cost);
        cost.resize(width, 0.0);
        return Optimise(cost, n + m);
    }

  private:
    /// Pivots until the cost cannot fall; only columns below `columns` may enter.
    double Optimise(const std::vector<double>& cost, std::size_t columns)
    {
        constexpr double EPSILON = 1e-9;
        while (true)
        {
            std::size_t entering = columns;
            for (std::size_t j = 0; j < columns && entering == columns; ++j)
            {
                double reduced = cost[j];
                for (std::size_t i = 0; i < m_table.size(); ++i)
                {
                    reduced -= cost[m_basis[i]] * m_table[i][j];
                }
                entering = reduced < -EPSILON ? j : entering;
            }
            double value = 0;
            for (std::size_t i = 0; i < m_table.size(); ++i)
            {
                value += cost[m_basis[i]] * m_table[i].back();
            }
            if (entering == columns)
            {
                return value;
            }
            std::size_t leaving = m_table.size();
            double ratio = 0;
            for (std::size_t i = 0; i < m_table.size(); ++i)
            {
                if (m_table[i][entering] > EPSILON)
                {
                    const double r = m_table[i].back() / m_table[i][entering];
                    if (leaving == m_table.size() || r < ratio - EPSILON ||
                        (r < ratio + EPSILON && m_basis[i] < m_basis[leaving]))
                    {
                        leaving = i;
                        ratio = r;
                    }
                }
            }
            if (leaving == m_table.size())
            {
                return -std::numeric_limits<double>::infinity();
            }
            Pivot(leaving, entering);
        }
    }

    void Pivot(std::size_t row, std::size_t column)
    {
        const double divisor = m_table[row][column];
        for (double& value : m_table[row])
        {
            value /= divisor;
        }
        for (std::size_t i = 0; i < m_table.size(); ++i)
        {
            const double factor = m_table[i][column];
            if (i != row && factor != 0)
            {
                for (std::size_t j = 0; j < m_table[i].size(); ++j)
                {
                    m_table[i][j] -= factor * m_table[row][j];
                }
            }
        }
        m_basis[row] = column;
    }

    std::vector<double> m_cost;
    std::vector<std::vector<double>> m_rows;
    std::vector<double> m_limits;
    std::vector<std::vector<double>> m_table;
    std::vector<std::size_t> m_basis;
};

} // namespace coflow::test

#endif // SIMPLEX_H
