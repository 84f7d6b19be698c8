/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-message.h"

#include "ns3/abort.h"

#include <cstring>
#include <map>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(ControlMessage);

namespace
{

/// Names by type. Written only while the program and its libraries are loaded.
std::map<uint16_t, std::string>&
Names()
{
    static std::map<uint16_t, std::string> names;
    return names;
}

} // namespace

double
ControlReader::ReadDouble()
{
    const uint64_t bits = ReadU64();
    double value = 0;
    static_assert(sizeof(value) == sizeof(bits));
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

std::string
ControlReader::ReadText()
{
    std::string text(m_left, '\0');
    m_next.Read(reinterpret_cast<uint8_t*>(text.data()), m_left);
    m_left = 0;
    return text;
}

void
WriteDouble(Buffer::Iterator& to, double value)
{
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    to.WriteHtonU64(bits);
}

TypeId
ControlMessage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ControlMessage").SetParent<Header>().SetGroupName("Coflow");
    return tid;
}

std::string
ControlMessage::GetName(uint16_t messageType)
{
    const auto found = Names().find(messageType);
    if (found != Names().end())
    {
        return found->second;
    }
    std::string name("type ");
    name.append(std::to_string(messageType));
    return name;
}

uint32_t
ControlMessage::Deserialize(Buffer::Iterator start)
{
    ControlReader reader(start);
    m_valid = DoDeserialize(reader) && reader.IsGood() && reader.GetLeft() == 0;
    return start.GetRemainingSize();
}

ControlMessageRegistration::ControlMessageRegistration(uint16_t messageType, const char* name)
{
    NS_ABORT_MSG_IF(messageType == 0, "Type 0 of control messages is none");
    NS_ABORT_MSG_UNLESS(Names().emplace(messageType, name).second,
                        "Control messages " << name << " and " << Names()[messageType]
                                            << " both have the type " << messageType);
}

} // namespace ns3::coflow
