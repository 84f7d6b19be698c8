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

/// Places of the coflows that every host sends, sorted by coflow. Coflows that come last are left
/// out.
using PlaceMaps = std::map<::coflow::HostId, std::vector<PlaceRecord>>;

/// @param table flows
/// @param order coflows, most urgent first; other coflows come last
/// @param classes number of classes; all places from the last class on are equal
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

    /// @param send function that sends places
    /// @param nextSchedule function that returns a number larger than all earlier numbers
    OrderDispatcher(Send send, std::function<uint64_t()> nextSchedule);

    /// Sends messages to hosts with a changed place. A host without coflows gets none.
    /// @param maps the new places
    /// @return number of hosts that were reached
    std::size_t Dispatch(PlaceMaps maps);

    /// The coordinator does not know the places at a host any more. The next Dispatch() sends all
    /// places to the host.
    /// @param host the host
    void Forget(::coflow::HostId host);

  private:
    Send m_send;                              ///< function that sends places
    std::function<uint64_t()> m_nextSchedule; ///< function that returns numbers
    PlaceMaps m_known;                        ///< places that hosts know; no entry: none
};

} // namespace ns3::coflow

#endif // COFLOW_ORDER_DISPATCHER_H
