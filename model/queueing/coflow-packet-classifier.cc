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

PacketClassifier::Entry&
PacketClassifier::Insert(const ConnectionName& connection, const Entry& entry)
{
    CheckBand(entry.packetClass.priority);
    const auto [position, isNew] = m_entries.try_emplace(connection, entry);
    if (!isNew)
    {
        const uint32_t label = position->second.label;
        position->second = entry;
        position->second.label = label;
    }
    else
    {
        m_services += IsService(connection);
        ChangeVersion();
    }
    return position->second;
}

PacketPriority&
PacketClassifier::Set(const ConnectionName& connection, const PacketClass& packetClass)
{
    return Insert(connection, {.packetClass = packetClass}).packetClass.priority;
}

void
PacketClassifier::SetAcknowledging(const ConnectionName& connection, const FlowKey& flow)
{
    Insert(connection, {.packetClass = {flow, m_acknowledgement.priority}, .acknowledges = true});
}

void
PacketClassifier::SetLabel(const ConnectionName& connection, uint32_t label)
{
    if (label == 0 && m_labels == 0)
    {
        return;
    }
    const auto entry = m_entries.find(connection);
    if (entry != m_entries.end() && entry->second.label != label)
    {
        m_labels += (label != 0) - (entry->second.label != 0);
        entry->second.label = label;
        ChangeVersion();
    }
}

uint32_t
PacketClassifier::LookupLabel(const ConnectionName& connection) const
{
    const auto entry = m_entries.find(connection);
    return entry == m_entries.end() ? 0 : entry->second.label;
}

void
PacketClassifier::Remove(const ConnectionName& connection)
{
    const auto entry = m_entries.find(connection);
    if (entry != m_entries.end())
    {
        m_labels -= entry->second.label != 0;
        m_entries.erase(entry);
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
