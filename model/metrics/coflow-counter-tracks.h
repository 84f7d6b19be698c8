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

/// Counters of a network for a Timeline: bytes in all queues and in the longest queue, utilisation
/// of the hosts' uplinks, and packets that were marked and dropped.
class CounterTracks
{
  public:
    /// @param fabric the fabric, whose queues and counters are sampled
    explicit CounterTracks(Ptr<const Fabric> fabric);

    /// Takes a sample of the network.
    /// @param arrivedBytes bytes that have arrived at receivers since the last sample
    void Take(uint64_t arrivedBytes);

    /// Writes the trace events of all samples.
    /// @param out the stream, after other events
    /// @param process number of the group of tracks
    void Write(std::ostream& out, uint64_t process) const;

  private:
    struct Sample
    {
        int64_t time{0}; ///< nanoseconds
        uint64_t queuedBytes{0};
        uint64_t fullestBytes{0};
        double utilisation{0}; ///< utilisation of the uplinks since the last sample, in per cent
        uint64_t marked{0};    ///< packets marked since the last sample
        uint64_t dropped{0};
    };

    Ptr<const Fabric> m_fabric;
    double m_bytesPerSecond; ///< rate of all uplinks
    NetworkCounts m_counts;  ///< counters at the last sample
    std::vector<Sample> m_samples;
};

} // namespace ns3::coflow

#endif // COFLOW_COUNTER_TRACKS_H
