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
      m_shares(m_usable.ingress.size(), 1),
      m_measured{std::vector<double>(m_usable.ingress.size()),
                 std::vector<double>(m_usable.egress.size())},
      m_left(m_usable),
      m_newWeight(newWeight)
{
}

void
ResidualCapacity::Report(HostId host, double sent, double received)
{
    const auto average = [this](double& before, double measured) {
        before = m_newWeight * measured + (1 - m_newWeight) * before;
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
