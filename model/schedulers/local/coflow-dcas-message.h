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

/// What senders and receivers of D-CAS tell each other, each in a UDP datagram of its own.
///
/// 40 bytes (announcement) or 32 (feedback). The sender of a datagram is told by its IPv4 address.
/// A datagram needs no frame, so that no bytes have the number of this type of message.
struct DcasMessage : ControlMessageOf<DcasMessage>
{
    static constexpr uint16_t TYPE = 31;
    static constexpr const char* NAME = "Dcas";
    static constexpr uint8_t VERSION = 1; ///< of the layout

    enum class Kind : uint8_t
    {
        ANNOUNCEMENT = 1, ///< from sender to receiver
        FEEDBACK = 2      ///< the answer
    };

    Kind kind{Kind::ANNOUNCEMENT};
    uint8_t version{VERSION};     ///< of the message
    uint16_t count{0};            ///< of unfinished flows to the receiver, or of announcements that
                                  ///< the receiver remembers; at most 65535
    uint32_t round{0};            ///< of the sender
    ::coflow::CoflowId coflow{0}; ///< the coflow
    Time value{0};                ///< time that the subcoflow wants, or the receiver's answer; an
                                  ///< announcement of 0 says: no flow is left
    Time sent{0};                 ///< when the announcement was sent, by the sender's clock;
                                  ///< feedback repeats it
    uint64_t remaining{0};        ///< of an announcement: bytes left of the subcoflow

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

    /// @return whether there are such a kind and such a version
    bool IsAllowed() const
    {
        return (kind == Kind::ANNOUNCEMENT || kind == Kind::FEEDBACK) && version == VERSION;
    }
};

/// @return its name, for a log
const char* ToString(DcasMessage::Kind kind);

} // namespace ns3::coflow

#endif // COFLOW_DCAS_MESSAGE_H
