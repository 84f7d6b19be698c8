/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COMPLETION_MESSAGE_H
#define COFLOW_COMPLETION_MESSAGE_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// Tasks of a host to the driver of their coflow: all that they get of it has arrived. 12 bytes.
class TasksDoneMessage : public ControlMessageOf<TasksDoneMessage>
{
  public:
    static constexpr uint16_t TYPE = 30;
    static constexpr const char* NAME = "TasksDone";

    ::coflow::CoflowId id{0}; ///< the coflow
    ::coflow::HostId host{0}; ///< the host of the tasks

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

} // namespace ns3::coflow

#endif // COFLOW_COMPLETION_MESSAGE_H
