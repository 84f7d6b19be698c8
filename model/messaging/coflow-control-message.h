/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_MESSAGE_H
#define COFLOW_CONTROL_MESSAGE_H

#include "ns3/buffer.h"
#include "ns3/header.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Reads the body of a message, and never beyond its end: what is missing reads as zero, and
/// IsGood() tells of it.
class ControlReader
{
  public:
    /// @param start first byte of the body, which reaches to the end of its buffer
    explicit ControlReader(Buffer::Iterator start)
        : m_next(start),
          m_left(start.GetRemainingSize())
    {
    }

    /// @return one byte
    uint8_t ReadU8()
    {
        return Take(1) ? m_next.ReadU8() : 0;
    }

    /// @return four bytes, network order
    uint32_t ReadU32()
    {
        return Take(4) ? m_next.ReadNtohU32() : 0;
    }

    /// @return eight bytes, network order
    uint64_t ReadU64()
    {
        return Take(8) ? m_next.ReadNtohU64() : 0;
    }

    /// @return a time of eight bytes, nanoseconds; one that is below 0 is not good
    Time ReadTime();

    /// @return a flag of eight bytes; one that is neither 0 nor 1 is not good
    bool ReadFlag();

    /// @return all that is left, as text
    std::string ReadText();

    /// @return bytes that were not read yet
    uint32_t GetLeft() const
    {
        return m_left;
    }

    /// @return whether everything that was read was there
    bool IsGood() const
    {
        return m_good;
    }

  private:
    /// @return whether so many bytes are left; if so they count as read
    bool Take(uint32_t bytes)
    {
        m_good = m_good && bytes <= m_left;
        m_left -= m_good ? bytes : m_left;
        return m_good;
    }

    Buffer::Iterator m_next; ///< next byte
    uint32_t m_left;         ///< bytes that were not read yet
    bool m_good{true};       ///< nothing was missing
};

/// Writes a time, as ControlReader::ReadTime() reads it.
/// @param to where to
/// @param time at least 0
void WriteTime(Buffer::Iterator& to, Time time);

/// The body of a control message. It does not tell its own length: it reaches to the end of its
/// packet, as ControlHeader says where it ends.
///
/// The set of messages is open. One more is a class derived from ControlMessageOf in a file of
/// its own, and COFLOW_REGISTER_MESSAGE(TheClass) in its source file; counters then know its
/// name, and ControlEndpoint::On<TheClass>() receives it. Types below 100 belong to this module.
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

    /// @return whether it is one of those that a control loop sends all the time. Where time is
    ///         jumped over, such a message arrives after the time that its path takes, without
    ///         packets (see TimeJumper)
    virtual bool IsRoutine() const
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

/// What every concrete message has in common.
/// @tparam Self the concrete class, which has the static constants TYPE (uint16_t) and NAME
///         (const char*), and whose default constructor makes a body to be deserialized into;
///         its ns-3 type is ns3::coflow::<NAME>Message
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
};

/// The head of a list of records that has none.
struct NoHead
{
    static constexpr uint32_t SIZE = 0; ///< bytes

    /// Writes nothing.
    void Write(Buffer::Iterator&) const
    {
    }

    /// Reads nothing.
    void Read(ControlReader&)
    {
    }

    /// Prints nothing.
    void Print(std::ostream&) const
    {
    }
};

/// A message that is a list of records of the same size, which may be empty, behind a head.
/// @tparam Self the concrete class, see ControlMessageOf
/// @tparam Record a copyable struct with the static constant SIZE in bytes and the members
///         void Write(Buffer::Iterator&) const, bool Read(ControlReader&) and
///         void Print(std::ostream&) const
/// @tparam Head what the message says besides, a struct as NoHead, whose members are the message's
template <class Self, class Record, class Head = NoHead>
class ControlRecordsMessage : public ControlMessageOf<Self>, public Head
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

    uint32_t GetSerializedSize() const override
    {
        return Head::SIZE + static_cast<uint32_t>(records.size()) * Record::SIZE;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        Head::Write(start);
        for (const auto& record : records)
        {
            record.Write(start);
        }
    }

    void Print(std::ostream& os) const override
    {
        Head::Print(os);
        os << records.size() << " records";
        for (const auto& record : records)
        {
            os << "; ";
            record.Print(os);
        }
    }

  private:
    bool DoDeserialize(ControlReader& reader) override
    {
        Head::Read(reader);
        records.assign(reader.GetLeft() / Record::SIZE, Record());
        for (auto& record : records)
        {
            if (!record.Read(reader))
            {
                return false;
            }
        }
        return true;
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
