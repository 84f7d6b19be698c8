/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TELL_CHANGES_H
#define COFLOW_TELL_CHANGES_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Tells hosts whose list of records differs from what they know.
/// @tparam Message what they are told; has a number `schedule`
/// @param lists what hosts are to know; those of hosts that were told are moved from
/// @param known what hosts know, by what they were told; hosts that were reached are noted
/// @param unknownIsEmpty whether a host of which nothing is known is as one with an empty list;
///        otherwise it is told in any case
/// @param nextSchedule gives the number of all these messages; asked where any host is told
/// @param make makes the message for a host of what it knows, if that is known, and is to know
/// @param send sends a message; returns whether the host can be reached
/// @return number of hosts that were told
template <class Message, class Record>
std::size_t
TellChanges(
    std::map<::coflow::HostId, std::vector<Record>>& lists,
    std::map<::coflow::HostId, std::vector<Record>>& known,
    bool unknownIsEmpty,
    const std::function<uint64_t()>& nextSchedule,
    const std::function<
        Message(::coflow::HostId, const std::vector<Record>*, const std::vector<Record>&)>& make,
    const std::function<bool(::coflow::HostId, const Message&)>& send)
{
    std::size_t told = 0;
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
            ++told;
        }
    }
    return told;
}

} // namespace ns3::coflow

#endif // COFLOW_TELL_CHANGES_H
