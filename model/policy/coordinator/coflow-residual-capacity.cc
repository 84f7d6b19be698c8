/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-residual-capacity.h"

#include <algorithm>
#include <utility>

namespace coflow
{

ResidualCapacity::ResidualCapacity(PortRates usable)
    : m_usable(std::move(usable)),
      m_shares(m_usable.ingress.size(), 1),
      m_measured{std::vector<double>(m_usable.ingress.size()),
                 std::vector<double>(m_usable.egress.size())},
      m_left(m_usable)
{
}

void
ResidualCapacity::Report(HostId host, double sent, double received)
{
    constexpr double NEW_WEIGHT = 0.8; // of a new measurement in the average
    const auto average = [](double& before, double measured) {
        before = NEW_WEIGHT * measured + (1 - NEW_WEIGHT) * before;
    };
    average(m_measured.ingress[host], sent);
    average(m_measured.egress[host], received);
    Update(host);
}

void
ResidualCapacity::SetShare(HostId host, double share)
{
    constexpr double LEAST_SHARE = 1e-3;
    m_shares[host] = std::max(LEAST_SHARE, share);
    Update(host);
}

void
ResidualCapacity::Update(HostId host)
{
    constexpr double LEAST = 0.05;
    const auto left = [share = m_shares[host]](double usable, double measured) {
        return std::max(LEAST * usable * share, usable * share - measured);
    };
    m_left.ingress[host] = left(m_usable.ingress[host], m_measured.ingress[host]);
    m_left.egress[host] = left(m_usable.egress[host], m_measured.egress[host]);
}

} // namespace coflow
