/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RESIDUAL_CAPACITY_H
#define COFLOW_RESIDUAL_CAPACITY_H

#include "ns3/coflow-types.h"

namespace coflow
{

/// What ports have left for a scheduler, beside traffic that it does not control (Varys, SIGCOMM
/// 2014, section 5.2): the usable rate less a moving average of measurements, but never less than
/// a twentieth, so that no port is ever shut.
class ResidualCapacity
{
  public:
    /// @param usable rates of the ports that may be handed out at all
    /// @param newWeight weight of a new measurement in the average, 0 to 1
    explicit ResidualCapacity(PortRates usable, double newWeight = 0.8);

    /// A host measured traffic that the scheduler does not control, in bytes per second.
    void Report(HostId host, double sent, double received);

    /// What may be handed out at a host's ports has changed.
    /// @param share of the rates that the constructor was given, >= 0. Less than a thousandth, as
    ///        where a link is down, counts as a thousandth: policies divide by rates
    void SetShare(HostId host, double share);

    /// What is left.
    const PortRates& Get() const
    {
        return m_left;
    }

  private:
    /// Computes anew what is left at a host's ports.
    void Update(HostId host);

    PortRates m_usable;           ///< what may be handed out at all
    std::vector<double> m_shares; ///< of it, by host: SetShare()
    PortRates m_measured;         ///< averages
    PortRates m_left;             ///< what is left
    double m_newWeight;           ///< of a measurement
};

} // namespace coflow

#endif // COFLOW_RESIDUAL_CAPACITY_H
