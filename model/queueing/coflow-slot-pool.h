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

/// Objects for reuse, for what a discipline keeps about each waiting packet: after a while,
/// packets come and go without allocation.
/// @tparam Slot default-constructible; may hold links to other slots, as its address never changes
template <typename Slot>
class SlotPool
{
  public:
    /// @return a slot, as it was returned or new
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
