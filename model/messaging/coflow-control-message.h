/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_MESSAGE_H
#define COFLOW_CONTROL_MESSAGE_H

#include "ns3/buffer.h"
#include "ns3/coflow-message-fields.h"
#include "ns3/header.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The body of a control message. The body has no length field, because ControlHeader has the
/// length of the body. The body ends at the end of its packet.
///
/// To add a message, derive a class from ControlMessageOf, declare its fields, and write
/// COFLOW_REGISTER_MESSAGE(TheClass) in a source file. Counters then show the name of the message,
/// and ControlEndpoint::On<TheClass>() sets its handler. Numbers of types below 100 are reserved
/// for this module.
class ControlMessage : public Header
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return number of this message type in ControlHeader
    virtual uint16_t GetMessageType() const = 0;

    /// @return true where this message contains all information of those earlier messages of its
    ///         type to the same peer that also return true. This message then replaces such an
    ///         earlier message that has not left the host yet
    virtual bool Renews() const
    {
        return false;
    }

    /// @return false after an invalid body was deserialized: a body that is too short, too long, or
    ///         has a value that is not allowed
    bool IsValid() const
    {
        return m_valid;
    }

    /// @param messageType number of a type of message
    /// @return the registered name of the type, or "type N"
    static std::string GetName(uint16_t messageType);

    /// Reads a body that ends at the end of the buffer.
    /// @param start first byte of the body
    /// @return length of the body
    uint32_t Deserialize(Buffer::Iterator start) final;

  private:
    /// @param reader reads the body
    /// @return whether the values are allowed. The caller checks that the body has the right length
    virtual bool DoDeserialize(ControlReader& reader) = 0;

    bool m_valid{true}; ///< IsValid()
};

/// Base class of concrete messages. It implements all methods that follow from the message's
/// fields.
/// @tparam Self the concrete class. It has the static constants TYPE (uint16_t) and NAME (const
///         char*), VisitFields() as described in coflow-message-fields.h, and a default constructor
///         for deserialization. The name of its ns-3 TypeId is ns3::coflow::<NAME>Message
template <class Self>
class ControlMessageOf : public ControlMessage
{
  public:
    /// @return the type
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(std::string("ns3::coflow::").append(Self::NAME) + "Message")
                                .SetParent<ControlMessage>()
                                .SetGroupName("Coflow")
                                .template AddConstructor<Self>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint16_t GetMessageType() const override
    {
        return Self::TYPE;
    }

    uint32_t GetSerializedSize() const override
    {
        return Wire<Self>::Size(static_cast<const Self&>(*this));
    }

    void Serialize(Buffer::Iterator start) const override
    {
        Wire<Self>::Write(start, static_cast<const Self&>(*this));
    }

    void Print(std::ostream& os) const override
    {
        Wire<Self>::Print(os, static_cast<const Self&>(*this));
    }

  private:
    bool DoDeserialize(ControlReader& reader) override
    {
        return Wire<Self>::Read(reader, static_cast<Self&>(*this));
    }
};

/// A message whose last field is a list of records, which may be empty. The list is the only field,
/// unless the concrete class declares more fields.
/// @tparam Self the concrete class, see ControlMessageOf
/// @tparam Record a copyable struct with fields
template <class Self, class Record>
struct ControlRecordsMessage : ControlMessageOf<Self>
{
    std::vector<Record> records; ///< records of the message

    /// An empty message.
    ControlRecordsMessage() = default;

    /// @param list records of the message
    explicit ControlRecordsMessage(std::vector<Record> list)
        : records(std::move(list))
    {
    }

    /// The fields, as described in coflow-message-fields.h.
    /// @tparam Message Self, or const Self
    /// @tparam Visitor callable with each field's name and the field
    /// @param message the message with the fields
    /// @param visit the visitor
    template <class Message, class Visitor>
    static void VisitFields(Message& message, Visitor& visit)
    {
        visit("records", message.records);
    }
};

/// Registers a message type when the program is loaded; see COFLOW_REGISTER_MESSAGE.
class ControlMessageRegistration
{
  public:
    /// Ends the program where the number is 0 or already used.
    /// @param messageType number of the type
    /// @param name name of the type
    ControlMessageRegistration(uint16_t messageType, const char* name);
};

/// Registers a message type. To be used in the source file of the type, in its namespace.
/// @param type the class
#define COFLOW_REGISTER_MESSAGE(type)                                                              \
    NS_OBJECT_ENSURE_REGISTERED(type);                                                             \
    static const ::ns3::coflow::ControlMessageRegistration g_registration##type(type::TYPE,        \
                                                                                type::NAME)

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_MESSAGE_H
