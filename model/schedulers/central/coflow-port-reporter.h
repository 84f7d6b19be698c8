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

/// What a daemon's host has of its port for coflows, and what the coordinator knows of that.
class PortReporter
{
  public:
    /// @param share says what share of the port's rate coflows may have now, as
    ///        HostNetwork::GetPortShare(); none: nothing is reported
    void Watch(std::function<double()> share);

    /// The coordinator takes the whole port for available, as with every hello.
    void Reset();

    /// Sends a PortShareMessage if the coordinator knows another share.
    /// @param host on which it is
    /// @param send sends it, and returns whether there is a connection
    void Report(::coflow::HostId host, const std::function<bool(const ControlMessage&)>& send);

  private:
    static constexpr uint64_t WHOLE = 1'000'000'000; ///< a share, in billionths

    std::function<double()> m_share; ///< Watch(); or none
    uint64_t m_known{WHOLE};         ///< by the coordinator, in billionths
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_REPORTER_H
