/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOWLET_TABLE_H
#define COFLOW_FLOWLET_TABLE_H

#include "ns3/coflow-flow-hash.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// The table of a switch that chooses paths by flowlets (Vanini et al., Let It Flow, NSDI 2017).
/// Flowlets are parts of a flow. Between two flowlets the switch has seen no packet of the flow for
/// a given time. Every flowlet has its own hash. The hash of the first flowlet is the hash of the
/// flow.
///
/// The table has a fixed number of entries, as in a switch. Flows that share an entry begin a
/// flowlet together, after a gap in all of these flows. So no packet can overtake another packet of
/// its flow.
class FlowletTable
{
  public:
    static constexpr std::size_t ENTRIES = 4096;

    /// Notes the arrival of a packet.
    /// @param flowHash hash of the packet's flow
    /// @param now the time, in any unit
    /// @param timeout the shortest gap between flowlets, in the same unit, > 0
    /// @return hash of the packet's flowlet
    uint64_t GetHash(uint64_t flowHash, int64_t now, int64_t timeout)
    {
        m_entries.resize(ENTRIES);
        Entry& entry = m_entries[flowHash % ENTRIES];
        entry.flowlet += entry.last != NEVER && now - entry.last >= timeout;
        entry.last = now;
        return entry.flowlet == 0 ? flowHash
                                  : MixBits(flowHash + 0x9e3779b97f4a7c15U * entry.flowlet);
    }

  private:
    static constexpr int64_t NEVER = INT64_MIN;

    struct Entry
    {
        int64_t last{NEVER}; ///< arrival of the last packet
        uint32_t flowlet{0}; ///< number of the flowlet
    };

    std::vector<Entry> m_entries; ///< by hash; empty until the first packet
};

} // namespace ns3::coflow

#endif // COFLOW_FLOWLET_TABLE_H
