/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-classifier.h"

#include "ns3/abort.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(PacketClassifier);

namespace
{

bool
IsService(const ConnectionName& connection)
{
    return connection.remoteAddress == 0;
}

void
CheckBand(const PacketPriority& priority)
{
    NS_ABORT_MSG_UNLESS(priority.band < PacketPriority::BANDS ||
                            priority.band == PacketPriority::NO_BAND,
                        "band " << +priority.band << "; allowed: 0 to 7, or NO_BAND");
}

} // namespace

TypeId
PacketClassifier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::PacketClassifier")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<PacketClassifier>();
    return tid;
}

PacketClassifier::PacketClassifier()
{
}

PacketClassifier::~PacketClassifier()
{
}

PacketClassifier::Entry&
PacketClassifier::Insert(const ConnectionName& connection, const Entry& entry)
{
    CheckBand(entry.packetClass.priority);
    const auto [position, isNew] = m_entries.insert_or_assign(connection, entry);
    if (isNew)
    {
        m_services += IsService(connection);
        ChangeVersion();
    }
    return position->second;
}

PacketPriority&
PacketClassifier::Set(const ConnectionName& connection, const PacketClass& packetClass)
{
    return Insert(connection, {packetClass, false}).packetClass.priority;
}

void
PacketClassifier::SetAcknowledging(const ConnectionName& connection, const FlowKey& flow)
{
    Insert(connection, {{flow, m_acknowledgement.priority}, true});
}

void
PacketClassifier::Remove(const ConnectionName& connection)
{
    if (m_entries.erase(connection) > 0)
    {
        m_services -= IsService(connection);
        ChangeVersion();
    }
}

void
PacketClassifier::ChangeVersion()
{
    ++m_version;
    m_version += m_version == 0;
}

void
PacketClassifier::SetAcknowledgementPriority(const PacketPriority& priority)
{
    CheckBand(priority);
    m_acknowledgement.priority = priority;
    for (auto& [connection, entry] : m_entries)
    {
        if (entry.acknowledges)
        {
            entry.packetClass.priority = priority;
        }
    }
}

const PacketClass*
PacketClassifier::Lookup(const ConnectionName& connection) const
{
    auto entry = m_entries.find(connection);
    if (entry == m_entries.end() && m_services > 0)
    {
        entry = m_entries.find(ConnectionName::FromPort(connection.protocol, connection.localPort));
        if (entry == m_entries.end())
        {
            entry =
                m_entries.find(ConnectionName::ToPort(connection.protocol, connection.remotePort));
        }
    }
    return entry == m_entries.end() ? nullptr : &entry->second.packetClass;
}

} // namespace ns3::coflow
