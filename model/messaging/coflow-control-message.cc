/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-message.h"

#include "ns3/abort.h"

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
