/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_CLASSIFIER_H
#define COFLOW_PACKET_CLASSIFIER_H

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3::coflow
{

/// Names a connection from the view of its host, or all connections of a service. 0 is a wildcard.
struct ConnectionName
{
    static constexpr uint8_t TCP = 6;  ///< protocol number
    static constexpr uint8_t UDP = 17; ///< protocol number

    uint32_t remoteAddress{0}; ///< IPv4 address in host byte order
    uint16_t localPort{0};
    uint16_t remotePort{0};
    uint8_t protocol{TCP}; ///< TCP or UDP

    bool operator==(const ConnectionName&) const = default;

    /// @param protocol TCP or UDP
    /// @param port a port
    /// @return all connections from that port of this host
    static ConnectionName FromPort(uint8_t protocol, uint16_t port)
    {
        return {0, port, 0, protocol};
    }

    /// @param protocol TCP or UDP
    /// @param port a port
    /// @return all connections to that port of any host
    static ConnectionName ToPort(uint8_t protocol, uint16_t port)
    {
        return {0, 0, port, protocol};
    }
};

/// Hash function for tables of connections.
struct ConnectionNameHash
{
    std::size_t operator()(const ConnectionName& connection) const
    {
        const uint64_t ports = uint64_t{connection.localPort} << 16 | connection.remotePort;
        return MixBits((uint64_t{connection.remoteAddress} << 32 | ports) + connection.protocol);
    }
};

/// A host's table with the class of each connection, aggregated to the host's node by a Fabric. The
/// host's port to the fabric reads the table for every packet that leaves the host, so that a
/// change takes effect on the next packet. Packets that already wait at the port do not change.
/// Packets of connections that the table does not have are best effort, with one exception: pure
/// acknowledgements and resets of TCP have the priority of acknowledgements. The last
/// acknowledgements of a connection come after its flow has finished. Without this priority they
/// could starve, and the peer would retransmit its FIN again and again.
///
/// CoflowSource and CoflowSink add their connections to the table. Other applications may add
/// theirs, for example to give control messages a band.
class PacketClassifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the class of a connection.
    /// @param connection the connection. An exact name precedes names of services, and a service
    ///        with a local port precedes a service with a remote port
    /// @param packetClass the class, whose band is below PacketPriority::BANDS or NO_BAND
    /// @return the priority of the connection, which the caller may change in place until the
    ///         connection is removed
    PacketPriority& Set(const ConnectionName& connection, const PacketClass& packetClass);

    /// Sets the label of a connection's packets. Switches choose the path of a packet by its label,
    /// in place of the hash of its flow. The label stays until the connection is removed.
    /// @param connection the connection, named as in Set(); no effect where the table does not have
    ///        it
    /// @param label label, > 0; 0: none
    void SetLabel(const ConnectionName& connection, uint32_t label);

    /// @param connection a connection without wildcards
    /// @return label of the connection's packets; 0: none
    uint32_t GetLabel(const ConnectionName& connection) const
    {
        return m_labels == 0 ? 0 : LookupLabel(connection);
    }

    /// Gives a connection the class of acknowledgements, which have their own priority.
    /// @param connection the connection
    /// @param flow the flow that is acknowledged
    void SetAcknowledging(const ConnectionName& connection, const FlowKey& flow);

    /// Removes a connection; no effect where the table does not have it.
    /// @param connection the connection, named as in Set()
    void Remove(const ConnectionName& connection);

    /// Changes the priority of all acknowledgements. The initial priority has key 0, the most
    /// urgent key, and no band. A scheduler that uses bands sets a band.
    void SetAcknowledgementPriority(const PacketPriority& priority);

    /// @return a number, not 0, that changes when Find() may return another address than before,
    ///         and when a label changes
    uint32_t GetVersion() const
    {
        return m_version;
    }

    /// Brings GetVersion() to the cache.
    void PrefetchVersion() const
    {
        ::coflow::Prefetch(&m_version);
    }

    /// @return number of connections in the table
    std::size_t GetN() const
    {
        return m_entries.size();
    }

    /// @param connection a connection without wildcards
    /// @return address of the connection's class, which has all changes until GetVersion() changes;
    ///         null: best effort
    const PacketClass* Find(const ConnectionName& connection) const
    {
        return m_entries.empty() ? nullptr : Lookup(connection);
    }

    /// @param connection a connection without wildcards; a fragment's ports are 0
    /// @param packet a packet of the connection
    /// @param offset position of the transport header in the packet
    /// @return class of the packet, valid until the next change of the table; null: best effort
    const PacketClass* Find(const ConnectionName& connection,
                            const Packet& packet,
                            uint32_t offset) const
    {
        const PacketClass* known = Find(connection);
        const bool answers = !known && connection.protocol == ConnectionName::TCP &&
                             connection.localPort != 0 && IsPureAcknowledgement(packet, offset);
        return answers ? &m_acknowledgement : known;
    }

    /// @return the class of pure acknowledgements of connections that the table does not have
    const PacketClass& GetAcknowledgement() const
    {
        return m_acknowledgement;
    }

  private:
    struct Entry
    {
        PacketClass packetClass;
        bool acknowledges{false}; ///< the connection has the priority of acknowledgements
        uint32_t label{0};        ///< label, see SetLabel(); 0: none
    };

    const PacketClass* Lookup(const ConnectionName& connection) const;
    uint32_t LookupLabel(const ConnectionName& connection) const;
    void ChangeVersion();
    Entry& Insert(const ConnectionName& connection, const Entry& entry);

    std::unordered_map<ConnectionName, Entry, ConnectionNameHash>
        m_entries;             ///< classes by connection; iterated in no decision
    std::size_t m_services{0}; ///< number of entries that name a service
    std::size_t m_labels{0};   ///< number of entries with a label
    uint32_t m_version{1};
    PacketClass m_acknowledgement{{PacketClass::NO_COFLOW, 0}, {0, PacketPriority::NO_BAND}};
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLASSIFIER_H
