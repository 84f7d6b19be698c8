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
/// daemon is alive.

namespace ns3::coflow
{

/// Driver to coordinator: a coflow is over. 8 bytes.
class UnregisterCoflowMessage : public ControlMessageOf<UnregisterCoflowMessage>
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

/// Daemon to coordinator: the daemon is alive, and what its host receives and sends. 20 bytes.
/// Coordinator to daemon, as the answer: the coflows that are over since the last answer, of which
/// the daemon need not remember anything. 8 bytes a coflow more.
class HeartbeatMessage : public ControlMessageOf<HeartbeatMessage>
{
  public:
    static constexpr uint16_t TYPE = 10;
    static constexpr const char* NAME = "Heartbeat";

    ::coflow::HostId host{0};             ///< the daemon's host
    uint64_t rxBitsPerSecond{0};          ///< received since the last heartbeat
    uint64_t txBitsPerSecond{0};          ///< sent since the last heartbeat
    std::vector<::coflow::CoflowId> over; ///< coflows that the daemon may forget

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_MESSAGES_H
