/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CLAIRVOYANT_DAEMON_H
#define COFLOW_CLAIRVOYANT_DAEMON_H

#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-size-access.h"

#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// A CentralDaemon of a scheduler that may know sizes. It reports the size of every flow to the
/// coordinator. Coflows that are small at their bottleneck bypass the coordinator, because the
/// coordinator would take longer than the transfer. The daemon sends their flows at once as plain
/// TCP (Varys, section 5.3).
class ClairvoyantDaemon : public CentralDaemon
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the access to sizes; to be called once, before the start.
    /// @param sizes the policy's access to sizes
    void SetSizeAccess(const SizeAccess& sizes);

    bool Bypasses(const CoflowOptions& options) const override;

  private:
    std::optional<uint64_t> GetSizeToReport(OpaqueSize size) const override;

    double m_bypassBytes; ///< attribute BypassBytes
    /// The policy's access to sizes; always set while the daemon runs.
    std::optional<SizeAccess> m_sizes;
};

} // namespace ns3::coflow

#endif // COFLOW_CLAIRVOYANT_DAEMON_H
