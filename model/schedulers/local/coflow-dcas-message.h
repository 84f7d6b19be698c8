/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_MESSAGE_H
#define COFLOW_DCAS_MESSAGE_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::coflow
{

/// A message between a sender and a receiver of D-CAS, in one UDP datagram.
///
/// 40 bytes (announcement) or 32 bytes (feedback). The IPv4 address of a datagram identifies its
/// sender. A datagram has no ControlHeader, so TYPE is not on the wire.
struct DcasMessage : ControlMessageOf<DcasMessage>
{
    static constexpr uint16_t TYPE = 31;
    static constexpr const char* NAME = "Dcas";
    static constexpr uint8_t VERSION = 1; ///< version of the message format

    enum class Kind : uint8_t
    {
        ANNOUNCEMENT = 1, ///< from sender to receiver
        FEEDBACK = 2      ///< answer from receiver to sender
    };

    Kind kind{Kind::ANNOUNCEMENT};
    uint8_t version{VERSION};     ///< version of the message's format
    uint16_t count{0};            ///< announcement: number of unfinished flows to the receiver;
                                  ///< feedback: number of stored announcements; at most 65535
    uint32_t round{0};            ///< number of the sender's round
    ::coflow::CoflowId coflow{0}; ///< the coflow
    Time value{0};                ///< announcement: wanted time of the subcoflow, 0: no flow is
                                  ///< left; feedback: answer of the receiver
    Time sent{0};                 ///< time of the announcement, by the sender's clock; feedback
                                  ///< repeats this time
    uint64_t remaining{0};        ///< announcement: bytes left of the subcoflow

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("kind", self.kind);
        visit("version", self.version);
        visit("count", self.count);
        visit("round", self.round);
        visit("coflow", self.coflow);
        visit("value", self.value);
        visit("sent", self.sent);
        if (self.kind == Kind::ANNOUNCEMENT)
        {
            visit("remaining", self.remaining);
        }
    }

    /// @return whether kind and version are known
    bool IsAllowed() const
    {
        return (kind == Kind::ANNOUNCEMENT || kind == Kind::FEEDBACK) && version == VERSION;
    }
};

/// @param kind a kind
/// @return name of the kind, for a log
const char* ToString(DcasMessage::Kind kind);

} // namespace ns3::coflow

#endif // COFLOW_DCAS_MESSAGE_H
