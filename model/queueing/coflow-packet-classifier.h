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

/// Names a connection as its own host sees it, or all connections of a service: 0 is a wildcard.
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

/// For hash tables of connections.
struct ConnectionNameHash
{
    std::size_t operator()(const ConnectionName& connection) const
    {
        const uint64_t ports = uint64_t{connection.localPort} << 16 | connection.remotePort;
        return MixBits((uint64_t{connection.remoteAddress} << 32 | ports) + connection.protocol);
    }
};

/// A host's table of what its connections carry, aggregated to the host's node by a Fabric. The
/// host's port to the fabric asks it for every packet that leaves the host, so that a change takes
/// effect on the next packet; what waits at the port already is not changed. Packets of which the
/// table knows nothing are best effort, but for pure acknowledgements and resets of TCP, which have
/// the priority of acknowledgements: the last ones of a connection come when its flow has finished,
/// and where they starve, the peer says again and again that it has finished too.
///
/// CoflowSource and CoflowSink enter their connections here. Others may enter theirs, for
/// instance to give control messages a band.
class PacketClassifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Says what a connection carries, or changes it.
    /// @param connection the connection; an exact name goes before those of services, and one
    ///        with a local port before one with a remote port
    /// @param packetClass what it carries; the band is below PacketPriority::BANDS or NO_BAND
    /// @return its priority, which the caller may change in place until the connection is removed
    PacketPriority& Set(const ConnectionName& connection, const PacketClass& packetClass);

    /// Gives the packets of a connection a label, by which switches choose their path in place of
    /// the hash of the flow. It stays until the connection is removed.
    /// @param connection the connection, named as before; no effect where it is not known
    /// @param label from 1 on; 0: none
    void SetLabel(const ConnectionName& connection, uint32_t label);

    /// @param connection a connection without wildcards
    /// @return label of its packets; 0: none
    uint32_t GetLabel(const ConnectionName& connection) const
    {
        return m_labels == 0 ? 0 : LookupLabel(connection);
    }

    /// Says that a connection carries acknowledgements, which have a priority of their own.
    /// @param connection the connection
    /// @param flow the flow that is acknowledged
    void SetAcknowledging(const ConnectionName& connection, const FlowKey& flow);

    /// Forgets a connection; no effect where it is not known.
    /// @param connection the connection, named as before
    void Remove(const ConnectionName& connection);

    /// Changes the priority of all acknowledgements. To begin with, they have key 0, the most
    /// urgent, and no band: those who use bands set one.
    void SetAcknowledgementPriority(const PacketPriority& priority);

    /// @return a number that is another one after every change by which Find() may give another
    ///         place, or a place where there was none, and after every change of a label; not 0
    uint32_t GetVersion() const
    {
        return m_version;
    }

    /// Brings GetVersion() to the cache.
    void PrefetchVersion() const
    {
        ::coflow::Prefetch(&m_version);
    }

    /// @return number of connections known
    std::size_t GetN() const
    {
        return m_entries.size();
    }

    /// @param connection a connection without wildcards
    /// @return what it carries, in a place that follows changes until GetVersion() is another one;
    ///         null: best effort
    const PacketClass* Find(const ConnectionName& connection) const
    {
        return m_entries.empty() ? nullptr : Lookup(connection);
    }

    /// @param connection a connection without wildcards; a fragment's ports are 0
    /// @param packet a packet of it
    /// @param offset where its transport header begins
    /// @return what it carries, until the next change of the table; null: best effort
    const PacketClass* Find(const ConnectionName& connection,
                            const Packet& packet,
                            uint32_t offset) const
    {
        const PacketClass* known = Find(connection);
        const bool answers = !known && connection.protocol == ConnectionName::TCP &&
                             connection.localPort != 0 && IsPureAcknowledgement(packet, offset);
        return answers ? &m_acknowledgement : known;
    }

    /// @return the class of pure acknowledgements of which the table knows nothing
    const PacketClass& GetAcknowledgement() const
    {
        return m_acknowledgement;
    }

  private:
    struct Entry
    {
        PacketClass packetClass;
        bool acknowledges{false}; ///< the priority is that of acknowledgements
        uint32_t label{0};        ///< see SetLabel()
    };

    const PacketClass* Lookup(const ConnectionName& connection) const;
    uint32_t LookupLabel(const ConnectionName& connection) const;
    void ChangeVersion();
    Entry& Insert(const ConnectionName& connection, const Entry& entry);

    std::unordered_map<ConnectionName, Entry, ConnectionNameHash>
        m_entries;             ///< never iterated to decide
    std::size_t m_services{0}; ///< number of entries that name a service
    std::size_t m_labels{0};   ///< number of entries with a label
    uint32_t m_version{1};
    PacketClass m_acknowledgement{{PacketClass::NO_COFLOW, 0}, {0, PacketPriority::NO_BAND}};
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLASSIFIER_H
