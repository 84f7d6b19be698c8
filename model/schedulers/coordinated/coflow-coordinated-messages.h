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
/// daemon is alive. Identifiers, sizes, rates, times and flags have 8 bytes, hosts 4.

namespace ns3::coflow
{

/// What messages begin with that tell of events on their host. 8 bytes.
struct EventHead
{
    static constexpr uint32_t SIZE = 8; ///< bytes

    Time happened; ///< when the oldest event happened, by the clock that all hosts share

    void Write(Buffer::Iterator& to) const;
    void Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// What messages begin with that tell a decision of the coordinator. 8 bytes.
struct ScheduleHead
{
    static constexpr uint32_t SIZE = 8; ///< bytes

    uint64_t schedule{0}; ///< number of the decision, larger than those of all before

    void Write(Buffer::Iterator& to) const;
    void Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Driver to coordinator: a coflow is over. 16 bytes.
class UnregisterCoflowMessage : public ControlMessageOf<UnregisterCoflowMessage>, public EventHead
{
  public:
    static constexpr uint16_t TYPE = 3;
    static constexpr const char* NAME = "UnregisterCoflow";

    ::coflow::CoflowId id{0}; ///< the coflow

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

/// Daemon to coordinator: the daemon is alive, and what its host receives and sends. 28 bytes.
/// Coordinator to daemon, as the answer: the coflows that are over since the last answer, of which
/// the daemon need not remember anything. 8 bytes a coflow more.
///
/// While no coflow is registered, nobody expects to hear of the other: daemons may rest.
class HeartbeatMessage : public ControlMessageOf<HeartbeatMessage>
{
  public:
    static constexpr uint16_t TYPE = 10;
    static constexpr const char* NAME = "Heartbeat";

    ::coflow::HostId host{0};    ///< the daemon's host
    uint64_t rxBitsPerSecond{0}; ///< received since the last heartbeat
    uint64_t txBitsPerSecond{0}; ///< sent since the last heartbeat
    bool rest{false}; ///< of a daemon: it rests from now on; of a coordinator: the daemon may
    std::vector<::coflow::CoflowId> over; ///< coflows that the daemon may forget

    /// @return whether it tells of nothing that an earlier or later one does not tell of
    bool Renews() const override
    {
        return over.empty();
    }

    /// @return whether nothing changes by it: nobody rests, and no coflow is over
    bool IsRoutine() const override
    {
        return over.empty() && !rest;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_MESSAGES_H
