/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-residual-capacity.h"

#include <algorithm>
#include <utility>

namespace coflow
{

ResidualCapacity::ResidualCapacity(PortRates usable, double newWeight)
    : m_usable(std::move(usable)),
      m_measured{std::vector<double>(m_usable.ingress.size()),
                 std::vector<double>(m_usable.egress.size())},
      m_left(m_usable),
      m_newWeight(newWeight)
{
}

void
ResidualCapacity::Report(HostId host, double sent, double received)
{
    constexpr double LEAST = 0.05;
    const auto update = [&](double measured, double usable, double& average, double& left) {
        average = m_newWeight * measured + (1 - m_newWeight) * average;
        left = std::max(LEAST * usable, usable - average);
    };
    update(sent, m_usable.ingress[host], m_measured.ingress[host], m_left.ingress[host]);
    update(received, m_usable.egress[host], m_measured.egress[host], m_left.egress[host]);
}

} // namespace coflow
