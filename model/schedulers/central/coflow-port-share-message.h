/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_SHARE_MESSAGE_H
#define COFLOW_PORT_SHARE_MESSAGE_H

#include "ns3/coflow-control-message.h"

#include <cstdint>

namespace ns3::coflow
{

/// Daemon to coordinator: what its host's port has for coflows, as a share of the rate that it had
/// when the scheduler was installed. 8 bytes. Sent when it has changed, and after a hello where it
/// is not 1.
class PortShareMessage : public ControlMessageOf<PortShareMessage>
{
  public:
    static constexpr uint16_t TYPE = 12;
    static constexpr const char* NAME = "PortShare";

    uint64_t billionths{1'000'000'000}; ///< of the rate; 0: the link is down

    /// @return true: an earlier one that still waits says nothing any more
    bool Renews() const override
    {
        return true;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_SHARE_MESSAGE_H
