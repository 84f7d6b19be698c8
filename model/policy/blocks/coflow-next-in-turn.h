/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NEXT_IN_TURN_H
#define COFLOW_NEXT_IN_TURN_H

#include "ns3/coflow-types.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

namespace coflow
{

/// Chooses the coflow of a host that sends next when one of the host's receivers has become free,
/// under D-CLAS: the first coflow that waits for the receiver. With all-or-none, it is the first
/// coflow whose receivers are all unused on this host, and it may then send to all its receivers.
///
/// The fluid engine and the daemons of hosts at packet level use the same object.
/// @tparam Place position of a coflow; smaller positions are first. All positions are different.
template <typename Place>
class NextInTurn
{
  public:
    /// @param freed the receiver that has become free
    /// @param allOrNone whether a coflow sends to all of its receivers, or to none
    NextInTurn(HostId freed, bool allOrNone)
        : m_freed(freed),
          m_allOrNone(allOrNone)
    {
    }

    /// Offers a coflow that waits for the receiver.
    /// @param place position of the coflow
    /// @param receivers a range of all receivers of the coflow's flows from this host
    /// @param isUsed called with a host; returns whether any coflow may send from this host to it
    /// @returns whether the coflow is the first one of all offers so far
    template <std::ranges::input_range Receivers, typename IsUsed>
    bool Offer(const Place& place, Receivers&& receivers, const IsUsed& isUsed)
    {
        if (m_any && !(place < m_place))
        {
            return false;
        }
        if (m_allOrNone && std::ranges::any_of(receivers, isUsed))
        {
            return false;
        }
        m_any = true;
        m_place = place;
        m_opened.clear();
        for (const HostId to : receivers)
        {
            if (m_allOrNone || to == m_freed)
            {
                m_opened.push_back(to);
            }
        }
        return true;
    }

    /// Position of the next coflow; none: no coflow can send.
    std::optional<Place> First() const
    {
        return m_any ? std::optional<Place>(m_place) : std::nullopt;
    }

    /// The receivers to which the next coflow may send from now on.
    const std::vector<HostId>& Opened() const
    {
        return m_opened;
    }

  private:
    HostId m_freed;
    bool m_allOrNone;
    bool m_any{false}; ///< a coflow can send
    Place m_place{};   ///< its position
    std::vector<HostId> m_opened;
};

} // namespace coflow

#endif // COFLOW_NEXT_IN_TURN_H
