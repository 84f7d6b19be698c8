/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SLOT_POOL_H
#define COFLOW_SLOT_POOL_H

#include "ns3/coflow-arena.h"

#include <deque>
#include <vector>

namespace ns3::coflow
{

/// A pool of objects for reuse, for a discipline's state of each waiting packet. Once the pool is
/// large enough, packets arrive and leave without allocation.
/// @tparam Slot a default-constructible class. It may have pointers to other slots, because
///         addresses do not change
template <typename Slot>
class SlotPool
{
  public:
    /// @return a returned slot, unchanged, or a new slot
    Slot& Take()
    {
        if (m_free.empty())
        {
            return m_all.emplace_back();
        }
        Slot& slot = *m_free.back();
        m_free.pop_back();
        return slot;
    }

    /// @param slot a slot of this pool that is no longer used
    void Return(Slot& slot)
    {
        m_free.push_back(&slot);
    }

  private:
    std::deque<Slot, ::coflow::ArenaAllocator<Slot>> m_all;
    std::vector<Slot*> m_free;
};

} // namespace ns3::coflow

#endif // COFLOW_SLOT_POOL_H
