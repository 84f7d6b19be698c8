/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A lean connection sends the same segments at the same times as a CoflowTcpSocket.

#include "lean-scenario.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/coflow-express-fabric.h"
#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-segment-log.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow::test
{

namespace
{

constexpr uint16_t PORT = 5000;

/// A fabric with what both kinds of connections need.
class Network
{
  public:
    explicit Network(const Scenario& scenario)
        : m_profile(CreateObject<TransportProfile>()),
          m_log([this](const std::string& line) { lines.push_back(line); })
    {
        m_profile->SetAttribute("HostStack", StringValue("ns3")); // lean hosts are made here
        TypeId control;
        NS_ABORT_MSG_UNLESS(TypeId::LookupByNameFailSafe(scenario.control, &control),
                            "There is no congestion control " << scenario.control);
        m_profile->SetAttribute("CongestionOps", TypeIdValue(control));
        m_profile->SetAttribute("Timestamps", BooleanValue(scenario.timestamps));
        m_profile->SetAttribute("Sack", BooleanValue(scenario.sack));
        m_profile->SetAttribute("DelAckCount", UintegerValue(scenario.delayedAckCount));
        const std::string shape = scenario.manyPaths ? "fat-tree" : "big-switch";
        ObjectFactory topology(FindNamedType(Topology::GetTypeId(), shape).GetName());
        topology.Set("Hosts", UintegerValue(8));
        topology.Set("PacketSpraying", BooleanValue(scenario.sprays));
        topology.Set("LinkRate", StringValue(scenario.linkRate));
        topology.Set("LinkDelay", StringValue(scenario.linkDelay));
        RngSeedManager::ResetNextStreamIndex(); // both networks choose the same paths
        m_fabric = CreateObject<ExpressFabric>();
        m_fabric->SetAttribute("QueueDisc", StringValue(scenario.queue));
        m_fabric->SetAttribute("Mtu", UintegerValue(m_profile->GetRequiredMtu()));
        m_fabric->SetTopology(topology.Create<Topology>());
        m_fabric->Build();
        m_profile->Install(m_fabric->GetHosts());
        GetChannel().SetSegmentListener(m_log);
        for (const auto& change : scenario.changes)
        {
            Simulator::Schedule(change.at, &Network::Change, this, change);
        }
    }

    ~Network()
    {
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    FabricChannel& GetChannel() const
    {
        return *DynamicCast<FabricChannel>(m_fabric->GetHostDevice(0)->GetChannel());
    }

    Ptr<Node> GetNode(HostId host) const
    {
        return m_fabric->GetHosts().Get(host);
    }

    const TransportProfile& GetProfile() const
    {
        return *m_profile;
    }

    std::vector<std::string> lines; ///< every segment

  private:
    void Change(const LinkChange& change)
    {
        const auto topology = m_fabric->GetTopology();
        const uint32_t links = topology->GetNPorts() / 2;
        const uint32_t first = change.until.IsZero() ? 0 : topology->GetNHosts();
        const uint32_t link = first + change.link % (links - first);
        const auto& ends = topology->GetPort(2 * link);
        if (change.until.IsZero())
        {
            topology->SetLinkRate(ends.from, ends.to, change.rate);
            return;
        }
        topology->FailLink(ends.from, ends.to);
        const auto restore = [topology, ends] { topology->RestoreLink(ends.from, ends.to); };
        Simulator::Schedule(change.until - change.at, restore);
    }

    Ptr<TransportProfile> m_profile;
    Ptr<ExpressFabric> m_fabric;
    SegmentLog m_log;
};

/// Both ends of a transfer over ns-3's hosts.
class PacketTransfer
{
  public:
    PacketTransfer(Network& network, const Transfer& transfer)
        : m_network(network),
          m_transfer(transfer)
    {
        Simulator::Schedule(transfer.start, &PacketTransfer::Start, this);
        if (transfer.kickAt.IsStrictlyPositive())
        {
            Simulator::Schedule(transfer.kickAt, &PacketTransfer::EndBackoff, this);
        }
    }

    static void Listen(Network& network,
                       HostId host,
                       uint32_t answer,
                       std::vector<Ptr<Socket>>& sockets)
    {
        const auto listener = network.GetProfile().CreateSocket(network.GetNode(host));
        listener->SetAttribute("ConnCount", UintegerValue(20));
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [answer](Ptr<Socket> socket, const Address&) { Accept(socket, answer); }));
        listener->Listen();
        sockets.push_back(listener);
    }

  private:
    static void Accept(Ptr<Socket> socket, uint32_t answer)
    {
        // The first bytes may come with a FIN while the handshake is not over, as far as this end
        // knows. Then ns-3's socket takes nothing.
        const auto times = std::make_shared<uint32_t>(0);
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([answer, times](Ptr<Socket> reader) {
            Read(reader);
            if (++*times == 2 && answer > 0)
            {
                reader->Send(ns3::Create<Packet>(answer), 0);
            }
        }));
        socket->SetCloseCallbacks(MakeCallback(&PacketTransfer::End),
                                  MakeCallback(&PacketTransfer::End));
    }

    static void Read(Ptr<Socket> socket)
    {
        socket->Recv();
    }

    static void End(Ptr<Socket> socket)
    {
        socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                  MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
    }

    void Start()
    {
        m_socket = m_network.GetProfile().CreateSocket(m_network.GetNode(m_transfer.src));
        m_socket->Bind();
        m_socket->SetConnectCallback(MakeCallback(&PacketTransfer::Connected, this),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetSendCallback(MakeCallback(&PacketTransfer::Room, this));
        m_socket->SetRecvCallback(MakeCallback(&PacketTransfer::Read));
        m_socket->Connect(InetSocketAddress(Fabric::GetHostAddress(m_transfer.dst), PORT));
    }

    void EndBackoff()
    {
        if (m_socket)
        {
            m_socket->EndBackoff();
        }
    }

    void Connected(Ptr<Socket>)
    {
        m_connected = true;
        Write();
    }

    void Room(Ptr<Socket>, uint32_t)
    {
        Write();
    }

    void Write()
    {
        while (m_connected && m_written < m_transfer.bytes)
        {
            const auto wanted = static_cast<uint32_t>(
                std::min<uint64_t>(m_transfer.chunk, m_transfer.bytes - m_written));
            if (m_socket->GetTxAvailable() < wanted)
            {
                return;
            }
            m_written += wanted;
            m_socket->Send(ns3::Create<Packet>(wanted), 0);
            if (m_written == m_transfer.bytes)
            {
                m_socket->Close();
            }
        }
    }

    Network& m_network;
    Transfer m_transfer;
    Ptr<CoflowTcpSocket> m_socket;
    bool m_connected{false};
    uint64_t m_written{0};
};

/// The receiving end of a lean transfer.
class LeanReader final : public ConnectionUser
{
  public:
    LeanReader(const Ptr<LeanConnection>& connection, uint32_t answer)
        : m_connection(connection),
          m_answer(answer)
    {
        connection->SetUser(this);
    }

    void HandleClosed() override
    {
        m_connection->SetUser(nullptr);
        m_connection->Close();
    }

    void HandleBroken() override
    {
        HandleClosed();
    }

    void HandleRxAvailable() override
    {
        m_connection->Read(m_connection->GetRxAvailable(), nullptr);
        if (++m_times == 2 && m_answer > 0)
        {
            m_connection->Write(nullptr, 0, m_answer);
        }
    }

  private:
    Ptr<LeanConnection> m_connection;
    uint32_t m_answer;   ///< bytes
    uint32_t m_times{0}; ///< bytes have come so often
};

/// The sending end of a lean transfer.
class LeanTransfer final : public ConnectionUser
{
  public:
    LeanTransfer(const Ptr<LeanHost>& host,
                 std::shared_ptr<const LeanSettings> settings,
                 const Transfer& transfer)
        : m_host(host),
          m_settings(std::move(settings)),
          m_transfer(transfer)
    {
        Simulator::Schedule(transfer.start, &LeanTransfer::Start, this);
        if (transfer.kickAt.IsStrictlyPositive())
        {
            Simulator::Schedule(transfer.kickAt, &LeanTransfer::EndBackoff, this);
        }
    }

    ~LeanTransfer()
    {
        if (m_connection)
        {
            m_connection->SetUser(nullptr);
        }
    }

    void HandleConnected() override
    {
        m_connected = true;
        Write();
    }

    void HandleClosed() override
    {
    }

    void HandleBroken() override
    {
    }

    void HandleRxAvailable() override
    {
        m_connection->Read(m_connection->GetRxAvailable(), nullptr);
    }

    void HandleTxAvailable() override
    {
        Write();
    }

  private:
    void Start()
    {
        m_connection = m_host->Create(m_settings);
        m_connection->Bind(0);
        m_connection->SetUser(this);
        m_connection->Connect(Fabric::GetHostAddress(m_transfer.dst), PORT);
    }

    void EndBackoff()
    {
        if (m_connection)
        {
            m_connection->EndBackoff();
        }
    }

    void Write()
    {
        while (m_connected && m_written < m_transfer.bytes)
        {
            const auto wanted = static_cast<uint32_t>(
                std::min<uint64_t>(m_transfer.chunk, m_transfer.bytes - m_written));
            if (m_connection->GetTxAvailable() < wanted)
            {
                return;
            }
            m_written += wanted;
            m_connection->Write(nullptr, 0, wanted);
            if (m_written == m_transfer.bytes)
            {
                m_connection->Close();
            }
        }
    }

    Ptr<LeanHost> m_host;
    std::shared_ptr<const LeanSettings> m_settings;
    Transfer m_transfer;
    Ptr<LeanConnection> m_connection;
    bool m_connected{false};
    uint64_t m_written{0};
};

std::vector<std::string>
RunWithPackets(const Scenario& scenario)
{
    Network network(scenario);
    std::vector<Ptr<Socket>> listeners;
    for (HostId host = 0; host < 8; ++host)
    {
        PacketTransfer::Listen(network, host, scenario.answer, listeners);
    }
    std::vector<std::unique_ptr<PacketTransfer>> transfers;
    for (const auto& transfer : scenario.transfers)
    {
        transfers.push_back(std::make_unique<PacketTransfer>(network, transfer));
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    return network.lines;
}

std::vector<std::string>
RunLean(const Scenario& scenario)
{
    Network network(scenario);
    TimeValue rtt;
    network.GetProfile().GetAttribute("InitialRtt", rtt);
    const auto settings = std::make_shared<const LeanSettings>(
        LeanSettings::Of(*network.GetProfile().CreateSocket(network.GetNode(0)),
                         CreateObject<TcpPrrRecovery>(),
                         rtt.Get()));
    const auto listening = std::make_shared<LeanSettings>(*settings);
    listening->synRetries = 20;
    std::vector<std::unique_ptr<LeanReader>> readers;
    std::vector<Ptr<LeanHost>> hosts;
    for (HostId host = 0; host < 8; ++host)
    {
        hosts.push_back(CreateObject<LeanHost>());
        hosts.back()->Attach(&network.GetChannel(),
                             host,
                             Fabric::GetHostAddress(host),
                             network.GetNode(host));
        hosts.back()->Listen(PORT, listening, [&](const Ptr<LeanConnection>& connection) {
            readers.push_back(std::make_unique<LeanReader>(connection, scenario.answer));
        });
    }
    std::vector<std::unique_ptr<LeanTransfer>> transfers;
    for (const auto& transfer : scenario.transfers)
    {
        transfers.push_back(
            std::make_unique<LeanTransfer>(hosts[transfer.src], settings, transfer));
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    for (const auto& host : hosts)
    {
        host->Dispose();
    }
    return network.lines;
}

} // namespace

std::string
FindDifferentSegment(const Scenario& scenario)
{
    const auto packets = RunWithPackets(scenario);
    const auto lean = RunLean(scenario);
    const auto [a, b] = std::mismatch(packets.begin(), packets.end(), lean.begin(), lean.end());
    if (a == packets.end() && b == lean.end())
    {
        return "";
    }
    std::string text = scenario.control + " " + scenario.queue + " segment " +
                       std::to_string(a - packets.begin()) + " of " +
                       std::to_string(packets.size()) + " and " + std::to_string(lean.size()) +
                       "\n";
    const auto at = a - packets.begin();
    for (auto i = std::max<std::ptrdiff_t>(0, at - 6); i < at; ++i)
    {
        text += "  " + packets[static_cast<std::size_t>(i)] + "\n";
    }
    return text + "ns-3: " + (a == packets.end() ? "none" : *a) +
           "\nlean: " + (b == lean.end() ? "none" : *b);
}

} // namespace ns3::coflow::test
