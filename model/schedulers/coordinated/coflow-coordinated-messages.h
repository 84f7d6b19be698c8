/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_MESSAGES_H
#define COFLOW_COORDINATED_MESSAGES_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <vector>

/// @file
/// The messages of all schedulers with a coordinator, central and hybrid: a coflow is over, and a
/// daemon is alive. Identifiers, sizes, rates, times and flags have 8 bytes, hosts 4. A message
/// about events on a host begins with the time of the oldest event, by the clock that all hosts
/// share. A message with a decision of the coordinator begins with the number of the decision.

namespace ns3::coflow
{

/// Driver to coordinator: a coflow is over. 16 bytes.
struct UnregisterCoflowMessage : ControlMessageOf<UnregisterCoflowMessage>
{
    static constexpr uint16_t TYPE = 3;
    static constexpr const char* NAME = "UnregisterCoflow";

    Time happened;            ///< time of the end of the coflow
    ::coflow::CoflowId id{0}; ///< the coflow

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("happened", self.happened);
        visit("id", self.id);
    }
};

/// Daemon to coordinator: the daemon is alive, and the rates at which its host receives and sends.
/// 28 bytes. Coordinator to daemon, as the answer: the coflows that are over since the last answer.
/// The daemon may forget them. 8 bytes per coflow more.
///
/// While no coflow is registered, daemons may be idle. Then neither side expects messages of the
/// other side.
struct HeartbeatMessage : ControlMessageOf<HeartbeatMessage>
{
    static constexpr uint16_t TYPE = 10;
    static constexpr const char* NAME = "Heartbeat";

    ::coflow::HostId host{0};    ///< the daemon's host
    uint64_t rxBitsPerSecond{0}; ///< rate of reception since the last heartbeat
    uint64_t txBitsPerSecond{0}; ///< rate of sending since the last heartbeat
    bool idle{false}; ///< from a daemon: the daemon is idle from now on; from the coordinator: the
                      ///< daemon may be idle
    std::vector<::coflow::CoflowId> over; ///< coflows that the daemon may forget

    /// @return whether a later heartbeat may replace this one: this one names no coflow
    bool Renews() const override
    {
        return over.empty();
    }

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("host", self.host);
        visit("rx_bps", self.rxBitsPerSecond);
        visit("tx_bps", self.txBitsPerSecond);
        visit("idle", self.idle);
        visit("over", self.over);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_MESSAGES_H
