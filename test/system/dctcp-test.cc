/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// DCTCP's receiver (RFC 8257, 3.2), its smallest window, and what a loss does to it.

#include "ns3-defect.h"
#include "transport-fixture.h"

#include "ns3/coflow-dctcp.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

constexpr uint32_t SEGMENT = 1448;

/// Marks the data packets that a rule says, by their number from 0 on.
class Marker : public ErrorModel
{
  public:
    explicit Marker(std::function<bool(uint32_t)> rule)
        : m_rule(std::move(rule))
    {
    }

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        PppHeader ppp;
        Ipv4Header ip;
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (packet->GetSize() >= SEGMENT && m_rule(m_data++))
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
        }
        packet->AddHeader(ip);
        packet->AddHeader(ppp);
        return false;
    }

    void DoReset() override
    {
    }

    std::function<bool(uint32_t)> m_rule;
    uint32_t m_data{0};
};

/// An acknowledgement: segments acknowledged, and whether it says that there were marks.
using Ack = std::pair<uint32_t, bool>;

/// The acknowledgements of seven segments that come at once, of which those numbered 1 to 3 from 0
/// are marked, within half a millisecond, that is, without those that wait for DelAckTimeout.
std::vector<Ack>
AcksOfSeven(const std::string& congestionOps)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("CongestionOps", StringValue(congestionOps));
    Star star({.applications = false}, profile);
    const auto connection = star.Connect();
    star.hostDevice[1]->SetReceiveErrorModel(
        CreateObject<Marker>([](uint32_t i) { return i >= 1 && i <= 3; }));
    std::vector<Star::Sent> packets;
    star.Capture(1, packets);
    connection.client->Send(Create<Packet>(7 * SEGMENT));
    star.Run(Simulator::Now() + MicroSeconds(500));
    std::vector<Ack> acks;
    for (const auto& packet : packets)
    {
        acks.emplace_back((packet.tcp.GetAckNumber().GetValue() - 1) / SEGMENT,
                          packet.tcp.GetFlags() & TcpHeader::ECE);
    }
    return acks;
}

/// The smallest window in segments of a connection whose packets are all marked.
double
SmallestWindow(uint32_t allowed)
{
    Star star({.applications = false});
    const auto connection = star.Connect();
    PointerValue ops;
    connection.client->GetAttribute("CongestionOps", ops);
    ops.GetObject()->SetAttribute("MinWindow", UintegerValue(allowed));
    star.hostDevice[1]->SetReceiveErrorModel(CreateObject<Marker>([](uint32_t) { return true; }));
    double smallest = 1e9;
    connection.client->TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, uint32_t, uint32_t>([&](uint32_t, uint32_t window) {
            smallest = std::min(smallest, static_cast<double>(window) / SEGMENT);
        }));
    connection.client->Send(Create<Packet>(200 * SEGMENT));
    star.Run(Simulator::Now() + Seconds(1));
    EXPECT_EQ(connection.accepted->GetRxAvailable(), 200 * SEGMENT);
    return smallest;
}

/// A connection with a window of 20 segments, of whose packets none were marked.
Ptr<TcpSocketState>
WideOpen()
{
    auto state = CreateObject<TcpSocketState>();
    state->m_segmentSize = SEGMENT;
    state->m_cWnd = 20 * SEGMENT;
    state->m_ssThresh = 20 * SEGMENT;
    state->m_congState = TcpSocketState::CA_OPEN;
    return state;
}

Ptr<Dctcp>
Unmarked()
{
    return CreateObjectWithAttributes<Dctcp>("DctcpAlphaOnInit", DoubleValue(0));
}

} // namespace

// Segment 0 waits for its acknowledgement when the first mark comes: it is acknowledged as not
// marked, and segment 1 at once as marked; 2 and 3 together as marked; 4 at once, as the marks
// are over; 5 and 6 together.
TEST(Dctcp, ReceiverAcknowledgesAtOnceWhereMarksBeginAndEnd)
{
    const std::vector<Ack> expected{{1, false}, {2, true}, {4, true}, {5, false}, {7, false}};
    EXPECT_EQ(AcksOfSeven("ns3::coflow::Dctcp"), expected);
    EXPECT_NS3_DEFECT(AcksOfSeven("ns3::TcpDctcp") != expected, "RepairedTcpSocket::TakeMark()");
}

TEST(Dctcp, MarksLeaveTwoSegments)
{
    EXPECT_GE(SmallestWindow(2), 2);
    EXPECT_LT(SmallestWindow(1), 2) << "the attribute does something";
}

TEST(Dctcp, LossHalvesTheWindowWhateverWasMarked)
{
    const auto ops = Unmarked();
    const auto state = WideOpen();
    EXPECT_EQ(ops->GetSsThresh(state, 0), 20 * SEGMENT) << "nothing was marked";
    state->m_congState = TcpSocketState::CA_RECOVERY;
    EXPECT_EQ(ops->GetSsThresh(state, 0), 10 * SEGMENT);
    state->m_cWnd = 3 * SEGMENT;
    EXPECT_EQ(ops->GetSsThresh(state, 0), 2 * SEGMENT);
    const auto original = CreateObjectWithAttributes<TcpDctcp>("DctcpAlphaOnInit", DoubleValue(0));
    EXPECT_NS3_DEFECT(original->GetSsThresh(state, 0) == 3 * SEGMENT, "Dctcp::GetSsThresh()");
}

TEST(Dctcp, FirstTimeoutHalvesTheWindow)
{
    const auto ops = Unmarked();
    const auto state = WideOpen();
    ops->CwndEvent(state, TcpSocketState::CA_EVENT_LOSS);
    EXPECT_EQ(state->m_ssThresh, 10 * SEGMENT);
    state->m_congState = TcpSocketState::CA_LOSS;
    state->m_cWnd = SEGMENT;
    ops->CwndEvent(state, TcpSocketState::CA_EVENT_LOSS);
    EXPECT_EQ(state->m_ssThresh, 10 * SEGMENT) << "a repeated one does not";
}
