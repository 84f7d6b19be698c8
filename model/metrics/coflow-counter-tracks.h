/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COUNTER_TRACKS_H
#define COFLOW_COUNTER_TRACKS_H

#include "ns3/coflow-fabric.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3::coflow
{

/// What a network does over time, as counters of a Timeline: bytes in all queues and in the fullest
/// one, how much of the hosts' uplinks is in use, and packets that were marked and dropped.
class CounterTracks
{
  public:
    /// @param fabric whose queues and counts are looked at
    explicit CounterTracks(Ptr<const Fabric> fabric);

    /// Looks at the network.
    /// @param arrivedBytes bytes that arrived at receivers since the last look
    void Take(uint64_t arrivedBytes);

    /// Writes the trace events of all looks.
    /// @param out where they go, after other events
    /// @param process number of their group
    void Write(std::ostream& out, uint64_t process) const;

  private:
    struct Sample
    {
        int64_t time{0}; ///< nanoseconds
        uint64_t queuedBytes{0};
        uint64_t fullestBytes{0};
        double utilisation{0}; ///< of uplinks, since the look before, per cent
        uint64_t marked{0};    ///< packets since the look before
        uint64_t dropped{0};
    };

    Ptr<const Fabric> m_fabric;
    double m_bytesPerSecond; ///< of all uplinks
    NetworkCounts m_counts;  ///< at the last look
    std::vector<Sample> m_samples;
};

} // namespace ns3::coflow

#endif // COFLOW_COUNTER_TRACKS_H
