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

/// The default time without progress of any coflow after which a run counts as stalled. The limit
/// is four times a sum. The sum has all times among the parameters of the run's parts (timeouts,
/// heartbeats, periods, delays), and the time of a thousand full segments on the slowest link. A
/// process that is alive waits no longer than each of these times, and the sum covers waits that
/// follow one another. The sum also has the longest deadline, because a policy may give a coflow a
/// rate with which its last bytes arrive at its deadline. Where control packets are lost, the limit
/// also has the time in which a message arrives with a probability of one minus one millionth.
class StallLimit
{
  public:
    /// @param workload the workload
    /// @param cluster the cluster that plays the workload
    StallLimit(const ::coflow::Workload& workload, const PacketCluster& cluster);

    /// @param cluster the cluster of the constructor
    /// @return the present limit. The limit is longer where a coordinator needs time for every
    ///         message: messages wait at the coordinator, and no parameter says how long they wait
    Time Get(const PacketCluster& cluster) const;

    /// @return the parts of the limit, as text
    std::string Describe() const;

  private:
    std::vector<std::pair<std::string, double>> m_timers; ///< names and times in seconds, longest
                                                          ///< first
    double m_sum{0};                                      ///< sum of the times, in seconds
    double m_lossSeconds{0}; ///< time until a message arrives where packets are lost
};

} // namespace ns3::coflow

#endif // COFLOW_STALL_LIMIT_H
