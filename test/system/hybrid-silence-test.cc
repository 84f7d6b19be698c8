/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The coordinator of Aalo and Graviton says nothing for more than ten periods while connections
// stay open: because nothing gets through, or because it hears and does not answer.

#include "hybrid-fixture.h"

#include "ns3/error-model.h"
#include "ns3/ipv4-header.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/tcp-header.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::CoflowOrder;

namespace
{

/// For a time, loses packets of the coordinator's connections: all of them, or those that say
/// something, while acknowledgements get through.
class Silence : public ErrorModel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::coflow::test::Silence").SetParent<ErrorModel>();
        return tid;
    }

    Silence(Time from, Time to, bool all)
        : m_from(from),
          m_to(to),
          m_all(all)
    {
    }

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        if (Simulator::Now() < m_from || Simulator::Now() >= m_to)
        {
            return false;
        }
        auto inner = packet->Copy();
        PppHeader ppp;
        Ipv4Header ip;
        TcpHeader tcp;
        inner->RemoveHeader(ppp);
        inner->RemoveHeader(ip);
        inner->RemoveHeader(tcp);
        constexpr uint16_t PORT = ControlEndpoint::DEFAULT_PORT;
        const bool isControl = tcp.GetSourcePort() == PORT || tcp.GetDestinationPort() == PORT;
        return isControl && (m_all || inner->GetSize() > 0);
    }

    void DoReset() override
    {
    }

    Time m_from;
    Time m_to;
    bool m_all;
};

/// Loses what a host receives of the coordinator, or the coordinator's host of its daemons.
void
Lose(const HybridCluster& cluster, HostId host, double from, double to, bool all)
{
    const auto device = cluster.Get().GetFabric()->GetHostDevice(host);
    ASSERT_TRUE(DynamicCast<PointToPointNetDevice>(device));
    device->SetAttribute(
        "ReceiveErrorModel",
        PointerValue(CreateObject<Silence>(Seconds(from * 0.1), Seconds(to * 0.1), all)));
}

/// What silences the coordinator.
enum class Cause
{
    NOTHING_GETS_THROUGH,
    IT_HEARS_AND_DOES_NOT_ANSWER
};

/// Host 5 coordinates. Between 1 and 6 units, hosts 0 to 4 hear nothing of it.
struct SilentCluster : HybridCluster
{
    SilentCluster(const std::string& scheduler, Cause cause, const Attributes& more)
        : HybridCluster(Config(scheduler, more))
    {
        const bool all = cause == Cause::NOTHING_GETS_THROUGH;
        for (HostId host = 0; host < 5; ++host)
        {
            Lose(*this, host, 1, 6, all);
        }
        if (all)
        {
            Lose(*this, 5, 1, 6, all);
        }
    }

    static ExperimentConfig Config(const std::string& scheduler, const Attributes& more)
    {
        Attributes attributes{{"controlTransport", "tcp"},
                              {"delta", "0.01"},
                              {"sharing", "strict"}};
        attributes.insert(attributes.end(), more.begin(), more.end());
        auto config = HybridConfig(scheduler, 6, attributes);
        config.fabric = "nodes"; // whose devices take error models
        return config;
    }

    const ::coflow::AttainedLedger& Ledger() const
    {
        return *GetScheduler()->GetCoordinator()->GetLedger();
    }
};

class SilentCoordinator : public testing::TestWithParam<Cause>
{
};

INSTANTIATE_TEST_SUITE_P(Causes,
                         SilentCoordinator,
                         testing::Values(Cause::NOTHING_GETS_THROUGH,
                                         Cause::IT_HEARS_AND_DOES_NOT_ANSWER),
                         [](const testing::TestParamInfo<Cause>& test) {
                             return test.param == Cause::NOTHING_GETS_THROUGH
                                        ? "NothingGetsThrough"
                                        : "ItHearsAndDoesNotAnswer";
                         });

} // namespace

TEST_P(SilentCoordinator, DaemonsGoOnAloneAndComeBack)
{
    SilentCluster cluster("aalo", GetParam(), {{"firstThreshold", UnitsText(12)}});
    cluster.Play(0, 1, {{0, 2, 20}, {1, 3, 20}});
    cluster.Play(3, 2, {{0, 2, 3}});
    // It has spoken in the five periods before.
    cluster.Run(1.45);
    EXPECT_FALSE(cluster.CentralDaemon(0)->IsAlone());
    cluster.Run(2.2);
    EXPECT_TRUE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_TRUE(cluster.CentralDaemon(1)->IsAlone());
    // What is new is handed out at once, with a provisional place.
    cluster.Run(5.9);
    EXPECT_NEAR(cluster.registered.at(2).GetSeconds(), 0.3, 0.001);
    EXPECT_FALSE(CoflowOrder::FromValue(cluster.handles.at(2).order).IsNumbered());
    EXPECT_EQ(cluster.CentralDaemon(0)->GetOrder(), (std::vector<::coflow::CoflowId>{1, 2}));
    const bool heard = GetParam() == Cause::IT_HEARS_AND_DOES_NOT_ANSWER;
    EXPECT_EQ(cluster.Ledger().SentOf(1) > 9U * UNIT_BYTES, heard);

    // Each has sent less than the limit, but is told again what both have sent together.
    cluster.Run(10);
    EXPECT_FALSE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_FALSE(cluster.CentralDaemon(1)->IsAlone());
    EXPECT_TRUE(cluster.Ledger().OrderOf(2).IsNumbered());
    EXPECT_LT(cluster.Ledger().OrderOf(1), cluster.Ledger().OrderOf(2));
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 1);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 1);
    cluster.Run(60);
    EXPECT_EQ(cluster.finished.size(), 3U);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetTimesAlone(), 1U);
    EXPECT_LT(cluster.When(2), cluster.When(1, 0));
}

TEST_P(SilentCoordinator, AloneAHostGoesByWhatItHasSentItself)
{
    SilentCluster cluster("aalo", GetParam(), {{"firstThreshold", UnitsText(2.5)}});
    cluster.Play(1.2, 1, {{0, 2, 20}, {1, 3, 2}});
    // After ten periods without an answer it is handed out. Then both hosts send, and cross the
    // limit together, which neither knows.
    cluster.Run(4.2);
    EXPECT_NEAR(cluster.registered.at(1).GetSeconds(), 0.225, 0.01);
    EXPECT_FALSE(CoflowOrder::FromValue(cluster.handles.at(1).order).IsNumbered());
    const auto sent = [&](HostId host) {
        return static_cast<double>(cluster.GetScheduler()->GetNic(host)->GetSent(1)) / UNIT_BYTES;
    };
    EXPECT_GT(sent(0) + sent(1), 3.5);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 0);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 0);
    cluster.Run(5.8);
    EXPECT_TRUE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 1);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 0);
    cluster.Run(30);
    EXPECT_FALSE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_TRUE(cluster.Ledger().OrderOf(1).IsNumbered());
    EXPECT_EQ(cluster.finished.size(), 2U);
}

TEST_P(SilentCoordinator, ReceiversThatWereOffAreServed)
{
    // Coflow 2 is off as a whole, for coflow 1 has taken host 2.
    SilentCluster cluster("graviton", GetParam(), {{"firstThreshold", UnitsText(1000)}});
    cluster.Play(0, 1, {{0, 2, 15}});
    cluster.Play(0.3, 2, {{1, 2, 4}, {1, 3, 4}});
    cluster.Run(0.9);
    const auto nic = cluster.GetScheduler()->GetNic(1);
    const auto before = nic->GetSent(2);
    cluster.Run(1.45);
    EXPECT_EQ(nic->GetSent(2), before);
    cluster.Run(5);
    EXPECT_TRUE(cluster.CentralDaemon(1)->IsAlone());
    EXPECT_GT(nic->GetSent(2), before + 2 * UNIT_BYTES);
    cluster.Run(50);
    EXPECT_FALSE(cluster.CentralDaemon(1)->IsAlone());
    EXPECT_EQ(cluster.finished.size(), 3U);
}
