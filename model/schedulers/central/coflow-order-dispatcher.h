/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ORDER_DISPATCHER_H
#define COFLOW_ORDER_DISPATCHER_H

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-flow-table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace ns3::coflow
{

/// Places of the coflows of every host that sends, sorted by coflow; those that are behind
/// all are left out.
using PlaceMaps = std::map<::coflow::HostId, std::vector<PlaceRecord>>;

/// @param table flows
/// @param order coflows, most urgent first; others are behind them
/// @param classes that hosts map places to: from the last of them on, places are all alike
/// @return the places for the senders
PlaceMaps MakePlaceMaps(const ::coflow::FlowTable& table,
                        std::span<const ::coflow::CoflowId> order,
                        uint32_t classes);

/// Sends hosts the places of their coflows: all places to every host for which one has changed.
class OrderDispatcher
{
  public:
    /// Sends places to a host; returns whether the host can be reached.
    using Send = std::function<bool(::coflow::HostId, const CoflowOrderMessage&)>;

    /// @param send sends places
    /// @param nextSchedule gives a number larger than all before
    OrderDispatcher(Send send, std::function<uint64_t()> nextSchedule);

    /// Sends messages to hosts with a changed place. A host without coflows gets none.
    /// @return number of hosts that were reached
    std::size_t Dispatch(PlaceMaps maps);

    /// The coordinator does not know any more what a host knows. The next Dispatch() sends it all.
    void Forget(::coflow::HostId host);

  private:
    Send m_send;                              ///< sends places
    std::function<uint64_t()> m_nextSchedule; ///< gives numbers
    PlaceMaps m_known;                        ///< what hosts know; none: nothing
};

} // namespace ns3::coflow

#endif // COFLOW_ORDER_DISPATCHER_H
