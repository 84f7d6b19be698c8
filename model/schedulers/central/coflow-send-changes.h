/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEND_CHANGES_H
#define COFLOW_SEND_CHANGES_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Sends messages to hosts whose list of records differs from the list that the host knows.
/// @tparam Message the message, with a number `schedule`
/// @tparam Record a record of the lists
/// @param lists the new lists; the lists of hosts that were reached are moved from
/// @param known the lists that hosts know; updated for hosts that were reached
/// @param unknownIsEmpty whether a host whose list is not known counts as a host with an empty
///        list; otherwise the host gets a message in any case
/// @param nextSchedule returns the number of all these messages; called if there is any message
/// @param make makes the message for a host from its old list (null: not known) and its new list
/// @param send sends a message; returns whether the host can be reached
/// @return number of hosts that were reached
template <class Message, class Record>
std::size_t
SendChanges(
    std::map<::coflow::HostId, std::vector<Record>>& lists,
    std::map<::coflow::HostId, std::vector<Record>>& known,
    bool unknownIsEmpty,
    const std::function<uint64_t()>& nextSchedule,
    const std::function<
        Message(::coflow::HostId, const std::vector<Record>*, const std::vector<Record>&)>& make,
    const std::function<bool(::coflow::HostId, const Message&)>& send)
{
    std::size_t reached = 0;
    uint64_t schedule = 0;
    for (auto& [host, list] : lists)
    {
        const auto before = known.find(host);
        if (before == known.end() ? unknownIsEmpty && list.empty() : before->second == list)
        {
            continue;
        }
        schedule = schedule == 0 ? nextSchedule() : schedule;
        Message message = make(host, before == known.end() ? nullptr : &before->second, list);
        message.schedule = schedule;
        if (send(host, message))
        {
            known[host] = std::move(list);
            ++reached;
        }
    }
    return reached;
}

} // namespace ns3::coflow

#endif // COFLOW_SEND_CHANGES_H
