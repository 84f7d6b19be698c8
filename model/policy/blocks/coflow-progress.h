/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_H
#define COFLOW_PROGRESS_H

#include "ns3/coflow-allocators.h"

#include <cstddef>
#include <vector>

namespace coflow
{

/// Dominant resource fairness over ports: every coflow gets the same progress P, and P is as large
/// as possible. The demands c(p) of a coflow at ports p are normalised so that the largest is 1.
/// The coflow then gets P x c(p) of port p.
///
/// Demands are bytes for DRF and flow counts for NC-DRF (Wang and Wang).
class EqualProgress
{
  public:
    /// Computes bottlenecks and progress.
    /// @param rows number of coflows
    /// @param loads demands of the coflows
    /// @param budget the ports, with their full rates
    void Compute(std::size_t rows, const CoflowLoads& loads, const PortBudget& budget);

    /// The progress of all coflows: the share of its bottleneck port that each coflow gets.
    double Progress() const
    {
        return m_progress;
    }

    /// Rate per unit of demand of a coflow.
    double RatePerUnit(std::size_t row) const
    {
        return m_progress / m_bottleneck[row];
    }

    /// Demand of a coflow over rate of the port, at its bottleneck.
    double Bottleneck(std::size_t row) const
    {
        return m_bottleneck[row];
    }

  private:
    double m_progress{0};             ///< progress of all coflows
    std::vector<double> m_bottleneck; ///< Bottleneck() per row
    std::vector<double> m_demand;     ///< working memory: per port, sum of normalised demands
};

} // namespace coflow

#endif // COFLOW_PROGRESS_H
