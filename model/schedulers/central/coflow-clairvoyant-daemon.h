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

/// A CentralDaemon of a scheduler that may know sizes. It tells the coordinator the size of every
/// flow. Coflows that are small at their bottleneck bypass the coordinator, for it would take
/// longer than they do: their flows are sent at once as plain TCP (Varys, section 5.3).
class ClairvoyantDaemon : public CentralDaemon
{
  public:
    static TypeId GetTypeId();

    /// To be called once, before it starts.
    /// @param sizes the policy's
    void SetSizeAccess(const SizeAccess& sizes);

    bool Bypasses(const CoflowOptions& options) const override;

  private:
    std::optional<uint64_t> GetSizeToReport(OpaqueSize size) const override;

    double m_bypassBytes;              ///< attribute BypassBytes
    std::optional<SizeAccess> m_sizes; ///< the policy's; always there while it runs
};

} // namespace ns3::coflow

#endif // COFLOW_CLAIRVOYANT_DAEMON_H
