/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_MESSAGES_H
#define COFLOW_CENTRAL_MESSAGES_H

#include "ns3/coflow-control-message.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-types.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// @file
/// The messages of centralized coflow schedulers: of the driver of a coflow, of the daemons of
/// the hosts, and of the coordinator. Their kinds are those of Varys (Chowdhury et al., SIGCOMM
/// 2014, section 5 and its published code). Which host a daemon is on, its connection says, so no
/// message names the sender's host but the first.

namespace ns3::coflow
{

/// Driver to coordinator: a new coflow. 32 bytes.
class RegisterCoflowMessage : public ControlMessageOf<RegisterCoflowMessage>, public EventHead
{
  public:
    static constexpr uint16_t TYPE = 1;
    static constexpr const char* NAME = "RegisterCoflow";

    ::coflow::CoflowId id{0};     ///< the coflow
    uint32_t numFlows{0};         ///< the coflow is ready when so many flows are known
    uint32_t weight{1};           ///< what it is worth that the deadline is met; > 0
    std::optional<Time> deadline; ///< after it happened, > 0

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

/// Coordinator to driver: the coflow that was registered. 8 bytes.
class RegisteredCoflowMessage : public ControlMessageOf<RegisteredCoflowMessage>
{
  public:
    static constexpr uint16_t TYPE = 2;
    static constexpr const char* NAME = "RegisteredCoflow";

    ::coflow::CoflowId id{0}; ///< the coflow

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

/// Data that a host has to offer.
struct PutRecord
{
    static constexpr uint32_t SIZE = 24;

    FlowKey key{};                   ///< the flow
    std::optional<uint64_t> bytes{}; ///< size; none: not said, as with non-clairvoyant schedulers
    bool done{false};                ///< nothing of it is left to send
    bool again{false}; ///< put again by a task that was started again: what was sent is void

    bool operator==(const PutRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Sending daemon to coordinator: puts of its host. 8 bytes and 24 a flow. What a host sends to
/// itself, and what has no bytes, is done when it is put. A daemon that tells everything anew also
/// names flows that it has sent meanwhile.
class AddFlowsMessage : public ControlRecordsMessage<AddFlowsMessage, PutRecord, EventHead>
{
  public:
    static constexpr uint16_t TYPE = 4;
    static constexpr const char* NAME = "AddFlows";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// Data that a host wants.
struct GetRecord
{
    static constexpr uint32_t SIZE = 16;

    FlowKey key; ///< the flow

    bool operator==(const GetRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Receiving daemon to coordinator: gets of its host. 8 bytes and 16 a flow.
class GetFlowsMessage : public ControlRecordsMessage<GetFlowsMessage, GetRecord, EventHead>
{
  public:
    static constexpr uint16_t TYPE = 5;
    static constexpr const char* NAME = "GetFlows";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// Where data is, for a host that asked.
struct FlowDescription
{
    static constexpr uint32_t SIZE = 40;

    FlowKey key;                   ///< the flow
    ::coflow::HostId src{0};       ///< the host that has the data
    ::coflow::HostId dst{0};       ///< the host that asked
    std::optional<uint64_t> bytes; ///< size, if it was said
    Ipv4Address address;           ///< of the service that has the data
    uint16_t port{0};              ///< of the same service

    bool operator==(const FlowDescription&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
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
    static constexpr uint32_t SIZE = 28;

    FlowKey key;            ///< the flow
    uint64_t bytesSince{0}; ///< bytes moved since the last such record
    bool done{false};       ///< the flow is over

    bool operator==(const ProgressRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Daemon to coordinator: progress of flows. 8 bytes and 28 a flow.
class FlowProgressMessage
    : public ControlRecordsMessage<FlowProgressMessage, ProgressRecord, EventHead>
{
  public:
    static constexpr uint16_t TYPE = 7;
    static constexpr const char* NAME = "FlowProgress";
    using ControlRecordsMessage::ControlRecordsMessage;
};

/// The rate of a flow, and its path.
struct RateRecord
{
    static constexpr uint32_t SIZE = 24;

    FlowKey key;               ///< the flow
    uint64_t bitsPerSecond{0}; ///< of application bytes
    uint32_t label{0};         ///< of its packets; 0: none

    bool operator==(const RateRecord&) const = default;
    void Write(Buffer::Iterator& to) const;
    bool Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// What rates begin with. 16 bytes.
struct RatesHead : ScheduleHead
{
    static constexpr uint32_t SIZE = 16; ///< bytes

    /// 0: the message has the rates of all flows that the daemon has, and a flow that is not named
    /// has rate 0. Otherwise the rates are those of the decision with this number, except for
    /// flows that are named
    uint64_t since{0};

    void Write(Buffer::Iterator& to) const;
    void Read(ControlReader& reader);
    void Print(std::ostream& os) const;
};

/// Coordinator to daemon: rates of flows that the daemon has. 16 bytes and 24 a flow.
class UpdatedRatesMessage : public ControlRecordsMessage<UpdatedRatesMessage, RateRecord, RatesHead>
{
  public:
    static constexpr uint16_t TYPE = 8;
    static constexpr const char* NAME = "UpdatedRates";
    using ControlRecordsMessage::ControlRecordsMessage;

    /// @return whether it is the whole truth for its host
    bool Renews() const override
    {
        return since == 0;
    }
};

/// What becomes of a coflow that is not scheduled.
enum class Verdict : uint64_t
{
    DROPPED = 0,     ///< its flows are not sent
    BEST_EFFORT = 1, ///< they are sent, but nothing is owed to them
    RELEASED = 2     ///< they are sent without a limit: nobody schedules them any more
};

/// Coordinator to driver and daemons: a coflow is not scheduled. 16 bytes and the text.
class RejectedCoflowMessage : public ControlMessageOf<RejectedCoflowMessage>
{
  public:
    static constexpr uint16_t TYPE = 9;
    static constexpr const char* NAME = "RejectedCoflow";

    ::coflow::CoflowId id{0};          ///< the coflow
    Verdict verdict{Verdict::DROPPED}; ///< what becomes of it
    std::string reason;                ///< why, for a person

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    void Print(std::ostream& os) const override;

  private:
    bool DoDeserialize(ControlReader& reader) override;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_MESSAGES_H
