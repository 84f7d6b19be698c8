/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_REPORTER_H
#define COFLOW_PORT_REPORTER_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// Reports the share of a host's port that coflows may use.
class PortReporter
{
  public:
    /// Sets the source of the share.
    /// @param share returns the share of the port's rate that coflows may use now, as
    ///        HostNetwork::GetPortShare(); none: no reports
    void Watch(std::function<double()> share);

    /// The coordinator assumes that coflows may use the whole port, as after every hello.
    void Reset();

    /// Sends a PortShareMessage if the coordinator knows another share.
    /// @param host host of the port
    /// @param send sends the message; returns whether there is a connection
    void Report(::coflow::HostId host, const std::function<bool(const ControlMessage&)>& send);

  private:
    static constexpr uint64_t WHOLE = 1'000'000'000; ///< whole share, in billionths

    std::function<double()> m_share; ///< function that returns the share; or none
    uint64_t m_known{WHOLE};         ///< share that the coordinator knows, in billionths
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_REPORTER_H
