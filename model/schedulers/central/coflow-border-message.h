/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BORDER_MESSAGE_H
#define COFLOW_BORDER_MESSAGE_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-types.h"

#include <cstdint>

namespace ns3::coflow
{

/// A flow that may be of another coflow than the one that it is taken for.
struct BorderRecord
{
    static constexpr uint32_t SIZE = 32;

    FlowKey key{};                ///< the flow, as one of the coflow that it is taken for
    ::coflow::CoflowId next{0};   ///< the coflow that it is likeliest to be of otherwise
    uint64_t marginBillionths{0}; ///< by how much that is farther, see Identification::margin

    bool operator==(const BorderRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Sending daemon to coordinator, before it tells of the puts: which flows of its host may be of
/// another coflow. 8 bytes and 32 a flow. Sent where the policy asks for that.
class BorderFlowsMessage : public ControlRecordsMessage<BorderFlowsMessage, BorderRecord, EventHead>
{
  public:
    static constexpr uint16_t TYPE = 13;
    static constexpr const char* NAME = "BorderFlows";
    using ControlRecordsMessage::ControlRecordsMessage;
};

} // namespace ns3::coflow

#endif // COFLOW_BORDER_MESSAGE_H
