/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ORDER_MESSAGE_H
#define COFLOW_ORDER_MESSAGE_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-types.h"

#include <cstdint>

namespace ns3::coflow
{

/// The place of a coflow in the order.
struct PlaceRecord
{
    static constexpr uint32_t SIZE = 12;

    ::coflow::CoflowId coflow{0}; ///< the coflow
    uint32_t place{0};            ///< number of coflows that are more urgent

    bool operator==(const PlaceRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Coordinator to daemon, where ports serve classes and nobody has a rate: the places of the
/// coflows that the daemon sends for. One that is not named is behind all. 8 bytes and 12 a coflow.
class CoflowOrderMessage
    : public ControlRecordsMessage<CoflowOrderMessage, PlaceRecord, ScheduleHead>
{
  public:
    static constexpr uint16_t TYPE = 11;
    static constexpr const char* NAME = "CoflowOrder";
    using ControlRecordsMessage::ControlRecordsMessage;

    /// @return true: it is the whole truth for its host
    bool Renews() const override
    {
        return true;
    }
};

} // namespace ns3::coflow

#endif // COFLOW_ORDER_MESSAGE_H
