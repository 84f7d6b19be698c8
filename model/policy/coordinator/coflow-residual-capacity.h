/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RESIDUAL_CAPACITY_H
#define COFLOW_RESIDUAL_CAPACITY_H

#include "ns3/coflow-types.h"

namespace coflow
{

/// The capacity of ports for a scheduler, beside traffic that the scheduler does not control
/// (Varys, SIGCOMM 2014, section 5.2): the usable rate less a moving average of measurements, and
/// at least a twentieth of the usable rate, so that every port has some capacity.
class ResidualCapacity
{
  public:
    /// @param usable largest usable rates of the ports
    explicit ResidualCapacity(PortRates usable);

    /// A host has measured traffic that the scheduler does not control, in bytes per second.
    void Report(HostId host, double sent, double received);

    /// The usable share of a host's ports has changed.
    /// @param share share of the constructor's rates, >= 0. A share below a thousandth, as for a
    ///        link that is down, counts as a thousandth, because policies divide by rates
    void SetShare(HostId host, double share);

    /// The residual capacity.
    const PortRates& Get() const
    {
        return m_left;
    }

  private:
    /// Computes the residual capacity of a host's ports.
    void Update(HostId host);

    PortRates m_usable;           ///< largest usable rates
    std::vector<double> m_shares; ///< share of m_usable by host: SetShare()
    PortRates m_measured;         ///< moving averages of the measurements
    PortRates m_left;             ///< residual capacity
};

} // namespace coflow

#endif // COFLOW_RESIDUAL_CAPACITY_H
