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

/// What was simulated packet by packet, by the reason for which time was not jumped over.
class JumpAccount
{
  public:
    /// Why a look ends without a jump.
    enum Reason : uint32_t
    {
        JUMPED,
        HELD,        ///< a message or another packet is on its way
        SETTLING,    ///< a rate has changed lately
        OPENING,     ///< a connection is not open yet, or nothing of a flow has come
        STOPPING,    ///< a flow that was paused has segments under way
        UNLIMITED,   ///< a flow has no rate
        SHORT,       ///< a flow has fewer segments than FewestSegments
        ENDING,      ///< the last segments of a flow are on their way
        CATCHING_UP, ///< TCP has ever more of a flow
        BEHIND,      ///< a flow does not get what its rate is
        RECOVERING,  ///< something is lost
        OVERLOADED,  ///< a port is given more than it carries
        N_REASONS
    };

    /// A look begins: what was simulated since the last one is of that one's reason.
    void Close();

    /// A look ends.
    void Open(Reason reason)
    {
        m_lastReason = reason;
    }

    /// Counts a look.
    void CountLook(Reason reason)
    {
        ++m_entries[reason].looks;
    }

    /// @return what was simulated, by reason
    std::vector<JumpTotals::Simulated> Get() const;

  private:
    /// Of one reason.
    struct Entry
    {
        uint64_t looks{0};
        int64_t time{0}; ///< packet time until the next look, ns
        uint64_t events{0};
    };

    std::array<Entry, N_REASONS> m_entries{};
    Reason m_lastReason{JUMPED};
    int64_t m_lastTime{0}; ///< packet time of the last look
    uint64_t m_lastEvents{0};
};

} // namespace ns3::coflow

#endif // COFLOW_JUMP_ACCOUNT_H
