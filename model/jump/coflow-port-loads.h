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

/// The ports that packets pass on their way from one host to another, and the band that they have
/// at these.
struct PortPath
{
    std::array<LinkPort, MAX_PATH_PORTS> ports{};
    uint32_t n{0};                         ///< used entries; 0: there is no path
    uint8_t band{PacketPriority::NO_BAND}; ///< class of service
};

/// What flows that send at their rates bring to the ports of an express fabric. While time is
/// jumped over, ports count these packets as any others.
class PortLoads
{
  public:
    /// A flow's packets.
    struct Load
    {
        PortPath path;      ///< of its data
        PortPath ackPath;   ///< of the acknowledgements
        double payload{0};  ///< bytes per ns; 0: it brings nothing
        double acksPerByte; ///< number of acknowledgements for a byte
    };

    /// @param channel the network; outlives this
    /// @param topology of the network
    /// @param segment payload of a full segment, bytes
    /// @param dsField the DS field of packets that have no band
    PortLoads(FabricChannel& channel, const Topology& topology, uint32_t segment, uint8_t dsField);

    /// No flow brings anything.
    void Clear();

    /// A flow brings packets.
    void Add(const Load& load)
    {
        AddTimes(load, 1);
    }

    /// A flow that was added brings packets no longer.
    void Remove(const Load& load)
    {
        AddTimes(load, -1);
    }

    /// @return the largest load of a port, as a part of what the port carries
    double GetLargest() const;

    /// All flows go on for a while without packets: ports count what they would have carried.
    /// @param duration how long, ns
    void Advance(int64_t duration);

    /// A flow has sent bytes besides without packets.
    /// @param load the flow's
    /// @param bytes payload
    void Count(const Load& load, uint64_t bytes);

    /// @return payload that flows have sent without packets, bytes
    uint64_t GetPayload() const
    {
        return static_cast<uint64_t>(m_payload);
    }

    /// @return packets and acknowledgements that ports have counted, each at each port
    uint64_t GetPacketHops() const
    {
        return m_hops;
    }

  private:
    /// Packets of one band at one port.
    struct Entry
    {
        double packets{0};        ///< per ns
        double payload{0};        ///< bytes per ns
        double packetsToCount{0}; ///< that the port has not counted, a fraction included
        double payloadToCount{0}; ///< bytes, likewise
        bool isUsed{false};       ///< it is in m_used
    };

    static constexpr uint32_t N_BANDS = 9; ///< those of ports, and none

    Entry& At(LinkPort port, uint8_t band)
    {
        return m_entries[port * N_BANDS + (band == PacketPriority::NO_BAND ? N_BANDS - 1 : band)];
    }

    void AddTimes(const Load& load, double sign);
    void AddTo(const PortPath& path, double packets, double payload);
    void CountAt(const PortPath& path, double packets, double payload);
    /// Has a port count whole packets.
    void Settle(LinkPort port, uint32_t band, Entry& entry);

    FabricChannel& m_channel;
    const Topology& m_topology;
    const double m_segment;
    const uint8_t m_dsField;
    std::vector<Entry> m_entries; ///< by port and band
    std::vector<uint32_t> m_used; ///< numbers of entries that some flow has brought packets to
    double m_payloadRate{0};      ///< bytes per ns
    double m_payload{0};          ///< bytes
    uint64_t m_hops{0};
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_LOADS_H
