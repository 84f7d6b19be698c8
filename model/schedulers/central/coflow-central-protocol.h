/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_PROTOCOL_H
#define COFLOW_CENTRAL_PROTOCOL_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::coflow
{

/// What a daemon says in the epoch field of the frames of RegisterCoflow, UnregisterCoflow,
/// AddFlows, GetFlows and FlowProgress: when the oldest event that the message tells of happened
/// on its host, and whether the message is special: its flows are put again, by tasks that were
/// started again.
struct EventStamp
{
    Time at;            ///< by the clock that all hosts share
    bool marked{false}; ///< special

    /// @return the epoch field
    uint64_t Encode() const
    {
        return static_cast<uint64_t>(at.GetNanoSeconds()) | (marked ? MARK : 0);
    }

    /// @param field an epoch field
    static EventStamp Decode(uint64_t field)
    {
        return {NanoSeconds(static_cast<int64_t>(field & ~MARK)), (field & MARK) != 0};
    }

  private:
    static constexpr uint64_t MARK = uint64_t{1} << 63;
};

/// What daemon and coordinator say in the epoch field of Heartbeat about rest: while no coflow is
/// registered, nobody expects to hear of the other.
enum class Rest : uint64_t
{
    NONE = 0,   ///< of a coordinator: coflows are registered, or are about to be
    ALLOWED = 1 ///< of a coordinator: the daemon may rest; of a daemon: it does from now on
};

/// What a coordinator says in the epoch field of RejectedCoflow.
enum class Verdict : uint64_t
{
    DROPPED = 0,     ///< flows of the coflow are not sent
    BEST_EFFORT = 1, ///< they are sent, but nothing is owed to them
    RELEASED = 2     ///< they are sent without a limit: nobody schedules them any more
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_PROTOCOL_H
