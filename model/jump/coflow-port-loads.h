/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_LOADS_H
#define COFLOW_PORT_LOADS_H

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-topology.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// The ports on the path of packets between two hosts, and the band of these packets.
struct PortPath
{
    std::array<LinkPort, MAX_PATH_PORTS> ports{}; ///< ports in the order of the path
    uint32_t n{0};                                ///< number of ports; 0: there is no path
    uint8_t band{PacketPriority::NO_BAND};        ///< band of the packets at these ports
};

/// The loads of the ports of an express fabric by flows that send at their rates. While time is
/// jumped over, ports count the packets of these flows as any other packets.
class PortLoads
{
  public:
    /// The load of one flow.
    struct Load
    {
        PortPath path;      ///< path of the data
        PortPath ackPath;   ///< path of the acknowledgements
        double payload{0};  ///< payload bytes per ns; 0: no load
        double acksPerByte; ///< acknowledgements per byte
    };

    /// @param channel the network; must outlive this object
    /// @param topology topology of the network
    /// @param segment payload of a full segment, in bytes
    /// @param dsField DS field of packets without a band
    PortLoads(FabricChannel& channel, const Topology& topology, uint32_t segment, uint8_t dsField);

    /// Removes all flows.
    void Clear();

    /// Adds a flow.
    /// @param load the flow's load
    void Add(const Load& load)
    {
        AddTimes(load, 1);
    }

    /// Removes a flow.
    /// @param load the load with which the flow was added
    void Remove(const Load& load)
    {
        AddTimes(load, -1);
    }

    /// @return the largest load of a port, relative to its capacity
    double GetLargest() const;

    /// Counts at the ports what all flows send in a duration.
    /// @param duration the duration, in ns
    void Advance(int64_t duration);

    /// Counts more bytes that a flow has sent without packets.
    /// @param load the flow's load
    /// @param bytes payload
    void Count(const Load& load, uint64_t bytes);

    /// @return payload that flows have sent without packets, in bytes
    uint64_t GetPayload() const
    {
        return static_cast<uint64_t>(m_payload);
    }

    /// @return number of packets and acknowledgements that ports have counted; each counts once per
    ///         port
    uint64_t GetPacketHops() const
    {
        return m_hops;
    }

  private:
    /// The load of one band at one port.
    struct Entry
    {
        double packets{0};        ///< packets per ns
        double payload{0};        ///< payload bytes per ns
        double packetsToCount{0}; ///< packets that the port has not counted yet, with a fraction
        double payloadToCount{0}; ///< payload bytes that the port has not counted yet
        bool isUsed{false};       ///< m_used has this entry
    };

    static constexpr uint32_t N_BANDS = 9; ///< bands of ports, and one for packets without a band

    Entry& At(LinkPort port, uint8_t band)
    {
        return m_entries[port * N_BANDS + (band == PacketPriority::NO_BAND ? N_BANDS - 1 : band)];
    }

    void AddTimes(const Load& load, double sign);
    void AddTo(const PortPath& path, double packets, double payload);
    void CountAt(const PortPath& path, double packets, double payload);
    /// Counts the whole packets of an entry at its port.
    void Settle(LinkPort port, uint32_t band, Entry& entry);

    FabricChannel& m_channel;
    const Topology& m_topology;
    const double m_segment;
    const uint8_t m_dsField;
    std::vector<Entry> m_entries; ///< loads by port and band
    std::vector<uint32_t> m_used; ///< numbers of the entries that have had a load
    double m_payloadRate{0};      ///< payload of all flows, bytes per ns
    double m_payload{0};          ///< payload sent without packets, bytes
    uint64_t m_hops{0};           ///< GetPacketHops()
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_LOADS_H
