/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_MESSAGES_H
#define COFLOW_CENTRAL_MESSAGES_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-types.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/// @file
/// The messages of centralized coflow schedulers: of the driver of a coflow, of the daemons of
/// the hosts, and of the coordinator. Their kinds are those of Varys (Chowdhury et al., SIGCOMM
/// 2014, section 5 and its published code). The connection identifies the host of a daemon, so no
/// message names the sender's host but the first.

namespace ns3::coflow
{

/// A flow in 16 bytes: 8 for its coflow, and 8 for its number there, which is below 2^32.
template <>
struct Wire<FlowKey>
{
    static uint32_t Size(const FlowKey& key);
    static void Write(Buffer::Iterator& to, const FlowKey& key);
    static bool Read(ControlReader& from, FlowKey& key);
    static void Print(std::ostream& os, const FlowKey& key);
};

/// Driver to coordinator: a new coflow. 32 bytes.
class RegisterCoflowMessage : public ControlMessageOf<RegisterCoflowMessage>
{
  public:
    static constexpr uint16_t TYPE = 1;
    static constexpr const char* NAME = "RegisterCoflow";

    Time happened;                         ///< the registration
    ::coflow::CoflowId id{0};              ///< the coflow
    uint32_t numFlows{0};                  ///< the coflow is ready when so many flows are known
    ::coflow::CoflowAttributes attributes; ///< that its job gives it
    std::optional<Time> deadline;          ///< after it happened, > 0

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("happened", self.happened);
        visit("id", self.id);
        visit("flows", self.numFlows);
        ::coflow::CoflowAttributes::VisitFields(self.attributes, visit);
        visit("deadline", self.deadline);
    }

    /// @return whether the values make sense together
    bool IsAllowed() const
    {
        return attributes.IsAllowed();
    }
};

/// Coordinator to driver: the coflow that was registered. 8 bytes.
class RegisteredCoflowMessage : public ControlMessageOf<RegisteredCoflowMessage>
{
  public:
    static constexpr uint16_t TYPE = 2;
    static constexpr const char* NAME = "RegisteredCoflow";

    ::coflow::CoflowId id{0}; ///< the coflow

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("id", self.id);
    }
};

/// A message that tells of events, one a record.
template <class Self, class Record>
class EventRecordsMessage : public ControlRecordsMessage<Self, Record>
{
  public:
    using ControlRecordsMessage<Self, Record>::ControlRecordsMessage;

    Time happened; ///< the oldest of the events

    template <class Message, class Visitor>
    static void VisitFields(Message& message, Visitor& visit)
    {
        visit("happened", message.happened);
        visit("records", message.records);
    }
};

/// Data that a host has to offer.
struct PutRecord
{
    FlowKey key{};                   ///< the flow
    std::optional<uint64_t> bytes{}; ///< size; none: not said, as with non-clairvoyant schedulers
    bool done{false};                ///< nothing of it is left to send
    bool again{false}; ///< put again by a task that was started again: what was sent is void

    bool operator==(const PutRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        // Flags are in the upper half of the 8 bytes that the flow has in other records.
        visit("coflow", self.key.coflowId);
        visit("flags", std::array{NamedFlag{"done", self.done}, NamedFlag{"again", self.again}});
        visit("flow", self.key.flowId);
        visit("bytes", self.bytes);
    }
};

/// Sending daemon to coordinator: puts of its host. 8 bytes and 24 a flow. What a host sends to
/// itself, and what has no bytes, is done when it is put. A daemon that tells everything anew also
/// names flows that it has sent meanwhile.
class AddFlowsMessage : public EventRecordsMessage<AddFlowsMessage, PutRecord>
{
  public:
    static constexpr uint16_t TYPE = 4;
    static constexpr const char* NAME = "AddFlows";
    using EventRecordsMessage::EventRecordsMessage;
};

/// Data that a host wants.
struct GetRecord
{
    FlowKey key; ///< the flow

    bool operator==(const GetRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("key", self.key);
    }
};

/// Receiving daemon to coordinator: gets of its host. 8 bytes and 16 a flow.
class GetFlowsMessage : public EventRecordsMessage<GetFlowsMessage, GetRecord>
{
  public:
    static constexpr uint16_t TYPE = 5;
    static constexpr const char* NAME = "GetFlows";
    using EventRecordsMessage::EventRecordsMessage;
};

/// Where data is, for a host that asked.
struct FlowDescription
{
    FlowKey key;                   ///< the flow
    ::coflow::HostId src{0};       ///< the host that has the data
    ::coflow::HostId dst{0};       ///< the host that asked
    std::optional<uint64_t> bytes; ///< size, if it was said
    Ipv4Address address;           ///< of the service that has the data
    uint32_t port{0};              ///< of the same service

    bool operator==(const FlowDescription&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("key", self.key);
        visit("bytes", self.bytes);
        visit("src", self.src);
        visit("dst", self.dst);
        visit("at", self.address);
        visit("port", self.port);
    }

    /// @return whether there can be such a port
    bool IsAllowed() const
    {
        return port <= UINT16_MAX;
    }
};

/// Coordinator to daemon: answers to puts and gets. 40 bytes a flow.
class GotFlowDescsMessage : public ControlRecordsMessage<GotFlowDescsMessage, FlowDescription>
{
  public:
    static constexpr uint16_t TYPE = 6;
    static constexpr const char* NAME = "GotFlowDescs";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// How far a flow is.
struct ProgressRecord
{
    FlowKey key;            ///< the flow
    uint64_t bytesSince{0}; ///< bytes moved since the last such record
    bool done{false};       ///< the flow is over

    bool operator==(const ProgressRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("key", self.key);
        visit("bytes_since", self.bytesSince);
        visit("flags", std::array{NamedFlag{"done", self.done}});
    }
};

/// Daemon to coordinator: progress of flows. 8 bytes and 28 a flow.
class FlowProgressMessage : public EventRecordsMessage<FlowProgressMessage, ProgressRecord>
{
  public:
    static constexpr uint16_t TYPE = 7;
    static constexpr const char* NAME = "FlowProgress";
    using EventRecordsMessage::EventRecordsMessage;
};

/// The rate of a flow, and its path.
struct RateRecord
{
    FlowKey key;               ///< the flow
    uint64_t bitsPerSecond{0}; ///< of application bytes
    uint32_t label{0};         ///< of its packets; 0: none

    bool operator==(const RateRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        // The label is in the upper half of the 8 bytes that the flow has in other records.
        visit("coflow", self.key.coflowId);
        visit("label", self.label);
        visit("flow", self.key.flowId);
        visit("bps", self.bitsPerSecond);
    }

    /// @return whether there can be such a label
    bool IsAllowed() const
    {
        return label <= MOST_LABEL;
    }
};

/// Coordinator to daemon: rates of flows that the daemon has. 16 bytes and 24 a flow.
class UpdatedRatesMessage : public ControlRecordsMessage<UpdatedRatesMessage, RateRecord>
{
  public:
    static constexpr uint16_t TYPE = 8;
    static constexpr const char* NAME = "UpdatedRates";
    using ControlRecordsMessage::ControlRecordsMessage;

    uint64_t schedule{0}; ///< number of the decision, larger than those of all before
    /// 0: the message has the rates of all flows that the daemon has, and a flow that is not named
    /// has rate 0. Otherwise the rates are those of the decision with this number, except for
    /// flows that are named
    uint64_t since{0};

    /// @return whether it is the whole truth for its host
    bool Renews() const override
    {
        return since == 0;
    }

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("schedule", self.schedule);
        visit("since", self.since);
        visit("records", self.records);
    }
};

/// What becomes of a coflow that is not scheduled.
enum class Outcome : uint64_t
{
    DROPPED = 0,     ///< its flows are not sent
    BEST_EFFORT = 1, ///< they are sent, but nothing is owed to them
    RELEASED = 2     ///< they are sent without a limit, and not scheduled any more
};

/// @return its name, for a log
const char* ToString(Outcome outcome);

/// Coordinator to driver and daemons: a coflow is not scheduled. 16 bytes and the text.
class RejectedCoflowMessage : public ControlMessageOf<RejectedCoflowMessage>
{
  public:
    static constexpr uint16_t TYPE = 9;
    static constexpr const char* NAME = "RejectedCoflow";

    ::coflow::CoflowId id{0};          ///< the coflow
    Outcome outcome{Outcome::DROPPED}; ///< what becomes of it
    std::string reason;                ///< why, for a person

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("id", self.id);
        visit("outcome", self.outcome);
        visit("reason", self.reason);
    }

    /// @return whether there is such an outcome
    bool IsAllowed() const
    {
        return outcome <= Outcome::RELEASED;
    }
};

/// The place of a coflow in the order.
struct PlaceRecord
{
    ::coflow::CoflowId coflow{0}; ///< the coflow
    uint32_t place{0};            ///< number of coflows that are more urgent

    bool operator==(const PlaceRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.coflow);
        visit("place", self.place);
    }
};

/// Coordinator to daemon, where ports serve classes and no flow has a rate: the places of the
/// coflows that the daemon sends for. One that is not named is behind all. 8 bytes and 12 a coflow.
class CoflowOrderMessage : public ControlRecordsMessage<CoflowOrderMessage, PlaceRecord>
{
  public:
    static constexpr uint16_t TYPE = 11;
    static constexpr const char* NAME = "CoflowOrder";
    using ControlRecordsMessage::ControlRecordsMessage;

    uint64_t schedule{0}; ///< number of the decision, larger than those of all before

    /// @return true: it is the whole truth for its host
    bool Renews() const override
    {
        return true;
    }

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("schedule", self.schedule);
        visit("records", self.records);
    }
};

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

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("billionths", self.billionths);
    }
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_MESSAGES_H
