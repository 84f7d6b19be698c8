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

/// Which coflow of a host goes on when one of its receivers has become free, under D-CLAS: the
/// first one that waits there. With all-or-none, the first one none of whose receivers is in use on
/// this host, and that one goes on to all of its receivers.
///
/// The fluid engine and the daemons of hosts at packet level use the same object.
/// @tparam Place where a coflow stands; the smaller one goes first. No two coflows have the same.
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

    /// A coflow waits for the receiver.
    /// @param place where it stands
    /// @param receivers a range of all the hosts to which it has flows from here
    /// @param isUsed called with a host: whether some coflow may send there from here
    /// @returns whether the coflow is the next one, of all so far
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

    /// Where the next coflow stands; none: no coflow can go on.
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
    bool m_any{false}; ///< a coflow can go on
    Place m_place{};   ///< where it stands
    std::vector<HostId> m_opened;
};

} // namespace coflow

#endif // COFLOW_NEXT_IN_TURN_H
