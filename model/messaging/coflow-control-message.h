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

/// The body of a control message. It does not tell its own length: it reaches to the end of its
/// packet, as ControlHeader says where it ends.
///
/// The set of messages is open. One more is a class derived from ControlMessageOf that declares its
/// fields, and COFLOW_REGISTER_MESSAGE(TheClass) in a source file; counters then know its name, and
/// ControlEndpoint::On<TheClass>() receives it. Types below 100 belong to this module.
class ControlMessage : public Header
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return number of this type of message in ControlHeader
    virtual uint16_t GetMessageType() const = 0;

    /// @return whether it says all that earlier messages of its type to the same peer have said
    ///         which return the same: one of these that has not left the host yet need not leave
    virtual bool Renews() const
    {
        return false;
    }

    /// @return false after a body was deserialized that is not one: cut off, too long, or with
    ///         a value that is not allowed
    bool IsValid() const
    {
        return m_valid;
    }

    /// @param messageType number of a type of message
    /// @return the name it was registered with, or "type N"
    static std::string GetName(uint16_t messageType);

    /// Reads a body that reaches to the end of the buffer.
    /// @param start its first byte
    /// @return its length
    uint32_t Deserialize(Buffer::Iterator start) final;

  private:
    /// @param reader gives the body
    /// @return whether the values are allowed; that all bytes were there and nothing is left
    ///         over is checked elsewhere
    virtual bool DoDeserialize(ControlReader& reader) = 0;

    bool m_valid{true}; ///< makes sense
};

/// What every concrete message has in common: all that follows from its fields.
/// @tparam Self the concrete class. It has the static constants TYPE (uint16_t) and NAME (const
///         char*), VisitFields() as coflow-message-fields.h says, and a default constructor that
///         makes a body to be deserialized into; its ns-3 type is ns3::coflow::<NAME>Message
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

/// A message that has a list of records, which may be empty, as its last field: its only one, where
/// the concrete class declares no fields.
/// @tparam Self the concrete class, see ControlMessageOf
/// @tparam Record a copyable struct with fields
template <class Self, class Record>
class ControlRecordsMessage : public ControlMessageOf<Self>
{
  public:
    std::vector<Record> records; ///< what the message says

    /// An empty message.
    ControlRecordsMessage() = default;

    /// @param list what the message says
    explicit ControlRecordsMessage(std::vector<Record> list)
        : records(std::move(list))
    {
    }

    /// The fields, as coflow-message-fields.h says.
    /// @tparam Message Self, or const Self
    /// @tparam Visitor is called with each field's name and the field
    /// @param message has the fields
    /// @param visit the visitor
    template <class Message, class Visitor>
    static void VisitFields(Message& message, Visitor& visit)
    {
        visit("records", message.records);
    }
};

/// Enters a type of message while the program is loaded; see COFLOW_REGISTER_MESSAGE.
class ControlMessageRegistration
{
  public:
    /// Ends the program where the type is taken, or 0.
    /// @param messageType number of the type
    /// @param name its name
    ControlMessageRegistration(uint16_t messageType, const char* name);
};

/// Makes a type of message known. Stands in its source file, in its namespace.
/// @param type the class
#define COFLOW_REGISTER_MESSAGE(type)                                                              \
    NS_OBJECT_ENSURE_REGISTERED(type);                                                             \
    static const ::ns3::coflow::ControlMessageRegistration g_registration##type(type::TYPE,        \
                                                                                type::NAME)

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_MESSAGE_H
