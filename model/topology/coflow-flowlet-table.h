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

/// What a switch remembers that chooses paths by flowlets, the parts of a flow between which it has
/// seen no packet of the flow for long (Vanini et al., Let It Flow, NSDI 2017). Every flowlet of a
/// flow has a hash of its own; that of the first one is the flow's.
///
/// The table has a fixed number of entries, as in a switch. Flows that share an entry begin a
/// flowlet together, after a gap in all of them, so that no packet can overtake another.
class FlowletTable
{
  public:
    static constexpr std::size_t ENTRIES = 4096;

    /// A packet has come.
    /// @param flowHash hash of its flow
    /// @param now the time, in any unit
    /// @param timeout the shortest gap between flowlets, in the same unit, > 0
    /// @return hash of its flowlet
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
        int64_t last{NEVER}; ///< when the last packet came
        uint32_t flowlet{0}; ///< number of the flowlet
    };

    std::vector<Entry> m_entries; ///< by hash; empty until the first packet
};

} // namespace ns3::coflow

#endif // COFLOW_FLOWLET_TABLE_H
