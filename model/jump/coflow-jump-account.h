/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_JUMP_ACCOUNT_H
#define COFLOW_JUMP_ACCOUNT_H

#include "ns3/coflow-jump-totals.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Counts what was simulated packet by packet, for each reason why time was not jumped over.
/// TimeJumper defines a check.
class JumpAccount
{
  public:
    /// The result of a check: a jump, or the reason why there was no jump.
    enum Reason : uint32_t
    {
        JUMPED,     ///< there was a jump, or there is no flow
        HELD,       ///< applications wait for a packet, such as a message
        SETTLING,   ///< less than SettleTime has passed since a flow or a link has changed
        OPENING,    ///< a connection is not open, or its sink does not read the flow yet
        STOPPING,   ///< a paused flow has unacknowledged bytes
        UNLIMITED,  ///< a flow without a rate sends
        SHORT,      ///< a flow has fewer segments than FewestSegments
        ENDING,     ///< the last segments of a flow are on their way
        BEHIND,     ///< TCP does not keep up with the rate of a flow
        RECOVERING, ///< TCP recovers from a loss
        OVERLOADED, ///< the load of a port is larger than its capacity
        N_REASONS   ///< number of reasons
    };

    /// Starts a check. Counts what was simulated since the last check for the reason of the last
    /// check.
    void Close();

    /// Ends a check.
    /// @param reason the reason of this check
    void Open(Reason reason)
    {
        m_lastReason = reason;
    }

    /// Counts a check.
    /// @param reason the reason of the check
    void CountLook(Reason reason)
    {
        ++m_entries[reason].looks;
    }

    /// @return the counts of all reasons
    std::vector<JumpTotals::Simulated> Get() const;

  private:
    /// The counts of one reason.
    struct Entry
    {
        uint64_t looks{0};  ///< number of checks with this reason
        int64_t time{0};    ///< packet time from these checks to the next ones, ns
        uint64_t events{0}; ///< number of events in this time
    };

    std::array<Entry, N_REASONS> m_entries{}; ///< counts by reason
    Reason m_lastReason{JUMPED};              ///< reason of the last check
    int64_t m_lastTime{0};                    ///< packet time of the last check
    uint64_t m_lastEvents{0};                 ///< number of events before the last check
};

} // namespace ns3::coflow

#endif // COFLOW_JUMP_ACCOUNT_H
