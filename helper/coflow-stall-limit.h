/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STALL_LIMIT_H
#define COFLOW_STALL_LIMIT_H

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// How long nothing may bring a coflow nearer to its end before a run counts as stalled, where the
/// user does not say: four times the sum of all times that the run's parts are set with (timeouts,
/// heartbeats, periods, delays) and of what a thousand full segments take on the slowest link. Each
/// is the longest for which a process that is alive may wait for something; a sum covers those that
/// follow one another. The longest deadline counts as well: a policy may give a coflow a rate with
/// which its few bytes arrive only then. Where control packets are lost, the time comes in addition
/// in which a message gets through, but in one case of a million.
class StallLimit
{
  public:
    /// @param workload what is played
    /// @param cluster what it is played on
    StallLimit(const ::coflow::Workload& workload, const PacketCluster& cluster);

    /// @param cluster the same
    /// @return the limit as it is now. For a coordinator that needs time for every message it is
    ///         longer: how long messages wait there is no timer, and may depend on how many come at
    ///         the same time
    Time Get(const PacketCluster& cluster) const;

    /// @return what the limit is made of, for a person
    std::string Describe() const;

  private:
    std::vector<std::pair<std::string, double>> m_timers; ///< by name, in seconds, longest first
    double m_sum{0};                                      ///< of them, in seconds
    double m_lossSeconds{0}; ///< until a message gets through where packets are lost
};

} // namespace ns3::coflow

#endif // COFLOW_STALL_LIMIT_H
