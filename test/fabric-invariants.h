/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_INVARIANTS_H
#define FABRIC_INVARIANTS_H

#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-nodes-fabric.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Checks on a fabric what must be so in every run, packet by packet, whatever the fabric says in
/// its statistics:
/// - nothing comes from nowhere, and at the end, per port and per coflow, packets that came
///   are those that went on, were dropped, or are still there;
/// - a packet is at one port at a time, and remains what its host said it was;
/// - no port sends faster than its rate;
/// - where queues are first in, first out, packets leave a port as they came.
class FabricInvariants final : public FabricListener
{
  public:
    /// Where packets are that have been seen.
    struct Count
    {
        uint64_t came{0};    ///< received by a port, or injected by hosts
        uint64_t went{0};    ///< arrived at the other end, or delivered to hosts
        uint64_t dropped{0}; ///< by the port, or anywhere

        bool operator==(const Count&) const = default;
    };

    using ByCoflow = std::map<::coflow::CoflowId, Count>;

    /// @param fabric a fabric that has been built and in which nothing has happened
    explicit FabricInvariants(Ptr<Fabric> fabric)
        : m_fabric(fabric),
          m_topology(fabric->GetTopology()),
          m_ports(m_topology->GetNPorts())
    {
        StringValue queueDisc;
        fabric->GetAttribute("QueueDisc", queueDisc);
        m_rounds = DynamicCast<NodesFabric>(fabric) != nullptr;
        m_fifo = queueDisc.Get().starts_with("ns3::coflow::FifoQueueDisc");
        for (LinkPort port = 0; port < m_ports.size(); ++port)
        {
            m_ports[port].rates.emplace_back(Time(0), m_topology->GetPort(port).rate);
        }
        m_topology->TraceConnectWithoutContext("PortChange",
                                               MakeCallback(&FabricInvariants::Follow, this));
        fabric->SetListener(*this);
    }

    ~FabricInvariants()
    {
        if (!m_finished)
        {
            Finish();
        }
    }

    FabricInvariants(const FabricInvariants&) = delete;
    FabricInvariants& operator=(const FabricInvariants&) = delete;

    /// Compares what was seen with the fabric's own statistics; to be called when the simulation
    /// has ended and before it is destroyed.
    void Finish()
    {
        m_finished = true;
        m_topology->TraceDisconnectWithoutContext("PortChange",
                                                  MakeCallback(&FabricInvariants::Follow, this));
        ByCoflow inside;
        for (LinkPort port = 0; port < m_ports.size(); ++port)
        {
            const Port& p = m_ports[port];
            const PortStatistics s = m_fabric->GetPortStatistics(port);
            ByCoflow there;
            for (const Packet& packet : p.packets)
            {
                ++there[packet.packetClass.flow.coflowId].came;
                ++inside[packet.packetClass.flow.coflowId].came;
            }
            Count sum;
            for (const auto& [coflow, count] : p.coflows)
            {
                Expect(count.came == count.went + count.dropped + there[coflow].came,
                       port,
                       "loses sight of packets of a coflow");
                sum.came += count.came;
                sum.went += count.went;
                sum.dropped += count.dropped;
            }
            Expect(sum.came == s.receivedPackets, port, "counts other arrivals");
            Expect(sum.dropped == s.droppedPackets, port, "counts other drops");
            Expect(p.packets.size() == s.queuedPackets + s.packets - sum.went,
                   port,
                   "counts other packets in its queue and on its wire");
        }
        for (const auto& [coflow, count] : m_coflows)
        {
            EXPECT_EQ(count.came, count.went + count.dropped + inside[coflow].came)
                << "injected = delivered + dropped + inside, coflow " << coflow;
        }
        EXPECT_EQ(m_between, 0) << "packets arrive at switches and do not go on";
        EXPECT_EQ(m_violations, 0U) << m_first;
    }

    /// Gives up the fabric, of which only the nodes remain; nothing more is compared.
    void LetGo()
    {
        m_finished = true;
        m_fabric = nullptr;
    }

    /// @return injected, delivered and dropped packets of all coflows; those of none are under
    ///         PacketClass::NO_COFLOW
    const ByCoflow& GetCoflows() const
    {
        return m_coflows;
    }

    void Receive(LinkPort port, const Seen& seen) override
    {
        const bool injected = m_topology->IsHost(m_topology->GetPort(port).from);
        m_coflows[seen.packetClass.flow.coflowId].came += injected;
        m_between -= !injected;
        Port& p = m_ports[port];
        ++p.coflows[seen.packetClass.flow.coflowId].came;
        p.packets.push_back({seen.uid, seen.bytes, seen.packetClass});
    }

    void Drop(LinkPort port, const Seen& seen) override
    {
        // Of several packets with the uid, the last one: what was first may be on the wire.
        Port& p = m_ports[port];
        const auto found = std::find(p.packets.rbegin(), p.packets.rend(), Packet::Of(seen));
        Expect(found != p.packets.rend(), port, "drops what it does not have");
        if (found != p.packets.rend())
        {
            p.packets.erase(std::next(found).base());
        }
        ++p.coflows[seen.packetClass.flow.coflowId].dropped;
        ++m_coflows[seen.packetClass.flow.coflowId].dropped;
    }

    void Arrive(LinkPort port, const Seen& seen) override
    {
        Port& p = m_ports[port];
        const auto found = std::find(p.packets.begin(), p.packets.end(), Packet::Of(seen));
        Expect(found != p.packets.end(), port, "sends what it does not have");
        Expect(!m_fifo || found == p.packets.begin(), port, "is not first in, first out");
        if (found != p.packets.end())
        {
            p.packets.erase(found);
        }
        const Time end = Simulator::Now() - m_topology->GetPort(port).delay;
        // An end is in the first time step that is not before the exact one.
        constexpr double TOLERANCE = 1e-3;
        const double least = p.exactEnd + GetLeastSteps(p, end, seen.bytes);
        const auto steps = static_cast<double>(end.GetTimeStep());
        Expect(steps >= least - TOLERANCE, port, "exceeds its rate");
        p.exactEnd = std::max(least, steps - 1);
        p.end = end;

        const bool delivered = m_topology->IsHost(m_topology->GetPort(port).to);
        m_coflows[seen.packetClass.flow.coflowId].went += delivered;
        m_between += !delivered;
        ++p.coflows[seen.packetClass.flow.coflowId].went;
    }

    void Lose(const Seen& seen) override
    {
        --m_between;
        ++m_coflows[seen.packetClass.flow.coflowId].dropped;
    }

  private:
    struct Packet
    {
        uint64_t uid;
        uint32_t bytes;
        PacketClass packetClass;

        static Packet Of(const Seen& seen)
        {
            return {seen.uid, seen.bytes, seen.packetClass};
        }

        bool operator==(const Packet&) const = default;
    };

    struct Port
    {
        std::list<Packet> packets; ///< in the queue or on the wire
        ByCoflow coflows;          ///< what it has done
        Time end{0};               ///< of the last transmission
        double exactEnd{0};        ///< the earliest that it may have been, in time steps
        std::vector<std::pair<Time, DataRate>> rates; ///< since when, and how fast
    };

    void Follow(LinkPort port)
    {
        m_ports[port].rates.emplace_back(Simulator::Now(), m_topology->GetPort(port).rate);
    }

    /// @return least time for a transmission that ended at a time, at any of the rates that the
    ///         port had since the transmission before, in time steps
    double GetLeastSteps(const Port& p, Time end, uint32_t bytes) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (auto rate = p.rates.rbegin(); rate != p.rates.rend(); ++rate)
        {
            if (rate->first <= end)
            {
                least = std::min(least, GetSteps(rate->second, bytes + WireTimes::FRAMING_BYTES));
                if (rate->first < p.end)
                {
                    break;
                }
            }
        }
        return least;
    }

    /// @return how long so many bytes take; where ns-3's devices send, it is rounded
    double GetSteps(DataRate rate, uint32_t bytes) const
    {
        if (m_rounds)
        {
            return static_cast<double>(rate.CalculateBytesTxTime(bytes).GetTimeStep());
        }
        const auto perSecond = static_cast<double>(Time::FromInteger(1, Time::S).GetTimeStep());
        return 8.0 * bytes * perSecond / static_cast<double>(rate.GetBitRate());
    }

    void Expect(bool isSo, LinkPort port, const char* otherwise)
    {
        if (!isSo && m_violations++ == 0)
        {
            std::ostringstream first;
            first << "port " << port << ' ' << otherwise << ", at "
                  << Simulator::Now().GetNanoSeconds() << " ns";
            m_first = first.str();
        }
    }

    Ptr<Fabric> m_fabric;
    Ptr<Topology> m_topology;
    bool m_fifo;   ///< queues are first in, first out
    bool m_rounds; ///< ports are devices of ns-3
    std::vector<Port> m_ports;
    ByCoflow m_coflows;   ///< of the whole fabric
    int64_t m_between{0}; ///< packets that arrived at a switch and are at no port yet
    bool m_finished{false};
    uint64_t m_violations{0};
    std::string m_first; ///< the first one
};

} // namespace ns3::coflow

#endif // FABRIC_INVARIANTS_H
