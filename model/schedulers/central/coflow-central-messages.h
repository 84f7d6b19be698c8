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

/// @file
/// The messages of centralized coflow schedulers: of drivers of coflows, of daemons of hosts, and
/// of the coordinator. Their kinds are those of Varys (Chowdhury et al., SIGCOMM 2014, section 5
/// and its published code). The connection identifies the host of a daemon. Only the first message
/// of a connection names the sender's host.

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
struct RegisterCoflowMessage : ControlMessageOf<RegisterCoflowMessage>
{
    static constexpr uint16_t TYPE = 1;
    static constexpr const char* NAME = "RegisterCoflow";

    Time happened;                         ///< time of the registration
    ::coflow::CoflowId id{0};              ///< the coflow
    uint32_t numFlows{0};                  ///< number of flows that the coordinator waits for
    ::coflow::CoflowAttributes attributes; ///< attributes of the coflow
    std::optional<Time> deadline; ///< deadline, relative to `happened`, > 0; none: no deadline

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("happened", self.happened);
        visit("id", self.id);
        visit("flows", self.numFlows);
        ::coflow::CoflowAttributes::VisitFields(self.attributes, visit);
        visit("deadline", self.deadline);
    }

    /// @return whether all values are allowed
    bool IsAllowed() const
    {
        return attributes.IsAllowed();
    }
};

/// Coordinator to driver: confirms the registration. 8 bytes.
struct RegisteredCoflowMessage : ControlMessageOf<RegisteredCoflowMessage>
{
    static constexpr uint16_t TYPE = 2;
    static constexpr const char* NAME = "RegisteredCoflow";

    ::coflow::CoflowId id{0}; ///< the coflow

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("id", self.id);
    }
};

/// A message with one record per event.
/// @tparam Self the message
/// @tparam Record the record
template <class Self, class Record>
class EventRecordsMessage : public ControlRecordsMessage<Self, Record>
{
  public:
    using ControlRecordsMessage<Self, Record>::ControlRecordsMessage;

    Time happened; ///< time of the oldest event

    template <class Message, class Visitor>
    static void VisitFields(Message& message, Visitor& visit)
    {
        visit("happened", message.happened);
        visit("records", message.records);
    }
};

/// A put: data that a host has to send.
struct PutRecord
{
    FlowKey key{};                   ///< the flow
    std::optional<uint64_t> bytes{}; ///< size; none: unknown, as with non-clairvoyant schedulers
    bool done{false};                ///< the flow has no bytes left to send
    bool again{false};               ///< the task was started again: bytes that were sent are void

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

/// Sending daemon to coordinator: puts of its host. 8 bytes and 24 per flow. A flow from a host to
/// itself, or without bytes, is done when it is put. A daemon that repeats all its puts also names
/// flows that it has sent meanwhile.
class AddFlowsMessage : public EventRecordsMessage<AddFlowsMessage, PutRecord>
{
  public:
    static constexpr uint16_t TYPE = 4;
    static constexpr const char* NAME = "AddFlows";
    using EventRecordsMessage::EventRecordsMessage;
};

/// A get: data that a host wants.
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

/// Receiving daemon to coordinator: gets of its host. 8 bytes and 16 per flow.
class GetFlowsMessage : public EventRecordsMessage<GetFlowsMessage, GetRecord>
{
  public:
    static constexpr uint16_t TYPE = 5;
    static constexpr const char* NAME = "GetFlows";
    using EventRecordsMessage::EventRecordsMessage;
};

/// The place of data, for the host that wants the data.
struct FlowDescription
{
    FlowKey key;                   ///< the flow
    ::coflow::HostId src{0};       ///< host that has the data
    ::coflow::HostId dst{0};       ///< host that wants the data
    std::optional<uint64_t> bytes; ///< size; none: unknown
    Ipv4Address address;           ///< address of the service that has the data
    uint32_t port{0};              ///< TCP port of this service

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

    /// @return whether the port is allowed
    bool IsAllowed() const
    {
        return port <= UINT16_MAX;
    }
};

/// Coordinator to daemon: the places of flows that were put and got, as in Varys. The bytes of the
/// message count, but no daemon acts on the message, because senders push. 40 bytes per flow.
class GotFlowDescsMessage : public ControlRecordsMessage<GotFlowDescsMessage, FlowDescription>
{
  public:
    static constexpr uint16_t TYPE = 6;
    static constexpr const char* NAME = "GotFlowDescs";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// The progress of a flow.
struct ProgressRecord
{
    FlowKey key;            ///< the flow
    uint64_t bytesSince{0}; ///< bytes sent since the last record of this flow
    bool done{false};       ///< the flow is done

    bool operator==(const ProgressRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("key", self.key);
        visit("bytes_since", self.bytesSince);
        visit("flags", std::array{NamedFlag{"done", self.done}});
    }
};

/// Daemon to coordinator: progress of flows. 8 bytes and 28 per flow.
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
    uint64_t bitsPerSecond{0}; ///< rate of application bytes
    uint32_t label{0};         ///< label of its packets, by which switches choose a path; 0: none

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

    /// @return whether the label is allowed
    bool IsAllowed() const
    {
        return label <= MOST_LABEL;
    }
};

/// Coordinator to daemon: rates of flows that the daemon has. 16 bytes and 24 per flow.
class UpdatedRatesMessage : public ControlRecordsMessage<UpdatedRatesMessage, RateRecord>
{
  public:
    static constexpr uint16_t TYPE = 8;
    static constexpr const char* NAME = "UpdatedRates";
    using ControlRecordsMessage::ControlRecordsMessage;

    uint64_t schedule{0}; ///< number of the decision, larger than all earlier numbers
    /// 0: the message has the rates of all flows of the daemon, and a flow that is not named has
    /// rate 0. Otherwise the message changes the rates of the decision with this number
    uint64_t since{0};

    /// @return whether the message replaces all earlier rates of its host
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

/// The outcome of a coflow that is not scheduled.
enum class Outcome : uint64_t
{
    DROPPED = 0,     ///< its flows are not sent
    BEST_EFFORT = 1, ///< its flows are sent, without a guarantee
    RELEASED = 2     ///< its flows are sent without a limit, and not scheduled any more
};

/// @param outcome an outcome
/// @return its name, for a log
const char* ToString(Outcome outcome);

/// Coordinator to driver and daemons: a coflow is not scheduled. 16 bytes and the text.
struct RejectedCoflowMessage : ControlMessageOf<RejectedCoflowMessage>
{
    static constexpr uint16_t TYPE = 9;
    static constexpr const char* NAME = "RejectedCoflow";

    ::coflow::CoflowId id{0};          ///< the coflow
    Outcome outcome{Outcome::DROPPED}; ///< outcome of the coflow
    std::string reason;                ///< cause, for a person

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("id", self.id);
        visit("outcome", self.outcome);
        visit("reason", self.reason);
    }

    /// @return whether the outcome is allowed
    bool IsAllowed() const
    {
        return outcome <= Outcome::RELEASED;
    }
};

/// The place of a coflow in the order.
struct PlaceRecord
{
    ::coflow::CoflowId coflow{0}; ///< the coflow
    uint32_t place{0};            ///< place in the order: number of coflows that are more urgent

    bool operator==(const PlaceRecord&) const = default;

    template <class Self, class Visitor>
    static void VisitFields(Self& self, Visitor& visit)
    {
        visit("coflow", self.coflow);
        visit("place", self.place);
    }
};

/// Coordinator to daemon, where ports serve classes and no flow has a rate: the places of the
/// coflows that the daemon sends for. A coflow that is not named comes last. 8 bytes and 12 per
/// coflow.
class CoflowOrderMessage : public ControlRecordsMessage<CoflowOrderMessage, PlaceRecord>
{
  public:
    static constexpr uint16_t TYPE = 11;
    static constexpr const char* NAME = "CoflowOrder";
    using ControlRecordsMessage::ControlRecordsMessage;

    uint64_t schedule{0}; ///< number of the decision, larger than all earlier numbers

    /// @return true: the message replaces all earlier places of its host
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

/// Daemon to coordinator: the share of its host's port that coflows may use, relative to the port's
/// rate when the scheduler was installed. 8 bytes. The daemon sends the message when the share has
/// changed, and after a hello where the share is not 1.
struct PortShareMessage : ControlMessageOf<PortShareMessage>
{
    static constexpr uint16_t TYPE = 12;
    static constexpr const char* NAME = "PortShare";

    uint64_t billionths{1'000'000'000}; ///< share of the rate, in billionths; 0: the link is down

    /// @return true: a later message replaces one that still waits
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
