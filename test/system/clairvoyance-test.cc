/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Schedulers that must not know sizes do not: two workloads that differ in sizes alone are the same
// to them until the first flow has ended.

#include "central-fixture.h"

#include "ns3/coflow-baraat.h"
#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-nc-drf.h"
#include "ns3/coflow-opaque-size.h"
#include "ns3/coflow-size-access.h"
#include "ns3/coflow-varys.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

template <class P>
concept GivesSizes = requires { SizeAccess::Of<P>(); };

static_assert(GivesSizes<::coflow::Varys>);
static_assert(!GivesSizes<::coflow::NcDrf>);
static_assert(!GivesSizes<::coflow::Baraat>);
static_assert(!std::is_convertible_v<OpaqueSize, uint64_t>);
static_assert(!std::is_constructible_v<uint64_t, OpaqueSize>);
static_assert(!std::is_constructible_v<CoflowSource::PriorityRule, PacketPriority (*)(uint64_t)>);

/// A message: nanoseconds, sending host, receiver's address, type, bytes. Or a packet: nanoseconds,
/// sending host, coflow, flow, bytes.
using Event = std::tuple<int64_t, uint32_t, uint32_t, uint32_t, uint32_t>;

/// Notes every packet that a host sends, whatever simulates its connections.
class PacketNotes final : public FabricListener
{
  public:
    explicit PacketNotes(std::vector<Event>& packets)
        : m_packets(packets)
    {
    }

    void Receive(LinkPort port, const Seen& packet) override
    {
        if (port % 2 == 0) // an uplink: with a big switch all links are hosts'
        {
            m_packets.emplace_back(Simulator::Now().GetNanoSeconds(),
                                   port / 2,
                                   static_cast<uint32_t>(packet.packetClass.flow.coflowId),
                                   static_cast<uint32_t>(packet.packetClass.flow.flowId),
                                   packet.bytes);
        }
    }

    void Drop(LinkPort, const Seen&) override
    {
    }

    void Arrive(LinkPort, const Seen&) override
    {
    }

    void Lose(const Seen&) override
    {
    }

  private:
    std::vector<Event>& m_packets;
};

/// What a scheduler does until the first flow has ended.
struct Course
{
    std::vector<Event> messages;
    std::vector<Event> packets;
    int64_t firstEnd{0}; ///< nanoseconds
};

/// Three coflows of several flows each, without their sizes.
::coflow::Workload
MakeStructure()
{
    return {6,
            {MakeCoflow(1, {{0, 3, 1}, {1, 3, 1}, {1, 4, 1}}),
             MakeCoflow(2, {{0, 4, 1}, {2, 3, 1}}, 0.01),
             MakeCoflow(3, {{2, 5, 1}, {0, 5, 1}, {1, 3, 1}}, 0.05)}};
}

class Unknowing : public testing::TestWithParam<std::tuple<std::string, std::string>>
{
  protected:
    static Course Run(const ::coflow::Workload& workload, const Attributes& more = {})
    {
        const auto& [scheduler, transport] = GetParam();
        ExperimentConfig config;
        config.scheduler = scheduler;
        config.topology = "big-switch";
        config.attributes = {{"hosts", "7"},
                             {"linkRate", "1Gbps"},
                             {"controlTransport", transport}};
        config.attributes.insert(config.attributes.end(), more.begin(), more.end());
        const auto type = FindSchedulerType(scheduler);
        if (type.typeId == CentralScheduler::GetTypeId())
        {
            // Often, and with all that daemons can tell.
            config.attributes.insert(
                config.attributes.end(),
                {{"controlBatch", "200us"}, {"heartbeat", "1ms"}, {"reportProgress", "true"}});
        }
        else if (type.policy)
        {
            config.attributes.insert(config.attributes.end(),
                                     {{"delta", "1ms"}, {"firstThreshold", "300000"}});
        }
        PacketCluster cluster(config);
        Course course;
        if (const auto central = DynamicCast<CoordinatedScheduler>(cluster.GetScheduler()))
        {
            central->GetControl()->TraceConnectWithoutContext(
                "Sent",
                Callback<void, HostId, Ipv4Address, uint16_t, uint32_t>(
                    [&](HostId from, Ipv4Address to, uint16_t kind, uint32_t bytes) {
                        course.messages.emplace_back(Simulator::Now().GetNanoSeconds(),
                                                     from,
                                                     to.Get(),
                                                     kind,
                                                     bytes);
                    }));
        }
        PacketNotes notes(course.packets);
        cluster.GetFabric()->SetListener(notes);
        for (HostId host = 0; host < 7; ++host)
        {
            cluster.GetHosts()[host].sink->TraceConnectWithoutContext(
                "FlowFinished",
                Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time>(
                    [&](::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time) {
                        course.firstEnd = Simulator::Now().GetNanoSeconds();
                        Simulator::Stop();
                    }));
        }
        cluster.GetDriver()->AssignStreams(1);
        cluster.GetDriver()->Start(workload, cluster.GetAgents());
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        EXPECT_GT(course.firstEnd, 0);
        return course;
    }

    static std::vector<Event> Until(std::vector<Event> events, int64_t end)
    {
        std::erase_if(events, [&](const Event& event) { return std::get<0>(event) >= end; });
        return events;
    }

    /// Tells the first difference.
    static void ExpectEqual(const std::vector<Event>& a, const std::vector<Event>& b)
    {
        const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        if (x != a.end() && y != b.end())
        {
            EXPECT_EQ(*x, *y) << "after " << x - a.begin() << " that are the same";
        }
        EXPECT_EQ(a.size(), b.size());
    }

    /// The same coflows with sizes from less to more than what may bypass clairvoyant schedulers,
    /// and in another order.
    static std::pair<::coflow::Workload, ::coflow::Workload> MakeTwo()
    {
        auto small = MakeStructure();
        auto large = MakeStructure();
        ::coflow::Bytes size = 2'000'000;
        ::coflow::Bytes other = 60'000'000;
        for (std::size_t c = 0; c < small.coflows.size(); ++c)
        {
            for (std::size_t f = 0; f < small.coflows[c].flows.size(); ++f)
            {
                small.coflows[c].flows[f].bytes = size += 300'000;
                large.coflows[c].flows[f].bytes = other -= 7'000'000;
            }
        }
        return {small, large};
    }

    static void ExpectSame(const Attributes& more = {})
    {
        const auto [small, large] = MakeTwo();
        const auto a = Run(small, more);
        const auto b = Run(large, more);
        const auto end = std::min(a.firstEnd, b.firstEnd);
        ExpectEqual(Until(a.messages, end), Until(b.messages, end));
        // Data too, but for the end of a flow, which its host sends before it has arrived.
        const auto sent = Until(a.packets, end * 3 / 4);
        EXPECT_GT(sent.size(), 500U);
        ExpectEqual(sent, Until(b.packets, end * 3 / 4));
        if (FindSchedulerType(std::get<0>(GetParam())).policy)
        {
            EXPECT_GT(Until(a.messages, end).size(), 50U) << "the test is meant to see messages";
        }
    }
};

std::vector<std::string>
NonClairvoyantSchedulers()
{
    std::vector<std::string> names;
    for (const auto& type : GetSchedulerTypes())
    {
        if (!MayKnowSizes(type.name))
        {
            names.push_back(type.name);
        }
    }
    return names;
}

} // namespace

TEST_P(Unknowing, DoesTheSameWhateverTheSizesUntilAFlowEnds)
{
    ExpectSame();
}

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         Unknowing,
                         testing::Combine(testing::ValuesIn(NonClairvoyantSchedulers()),
                                          testing::Values("tcp", "ideal")),
                         [](const auto& test) {
                             std::string name =
                                 std::get<0>(test.param) + "_" + std::get<1>(test.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

namespace
{

class UnknowingRates : public Unknowing
{
};

class Knowing : public Unknowing
{
};

} // namespace

TEST_P(UnknowingRates, AskForTheSameWhateverTheSizes)
{
    ExpectSame({{"baraatMode", "explicit-rate"}});
}

TEST_P(Knowing, IsSeenToActOnSizes)
{
    // The comparison is one that those who know sizes do not pass.
    const auto [small, large] = MakeTwo();
    const auto a = Run(small);
    const auto b = Run(large);
    const auto end = std::min(a.firstEnd, b.firstEnd);
    EXPECT_NE(Until(a.messages, end), Until(b.messages, end));
}

INSTANTIATE_TEST_SUITE_P(Varys,
                         Knowing,
                         testing::Values(std::tuple<std::string, std::string>{"varys", "ideal"}));

INSTANTIATE_TEST_SUITE_P(Baraat,
                         UnknowingRates,
                         testing::Values(std::tuple<std::string, std::string>{"baraat", "tcp"}));

TEST(Clairvoyance, TheRegistryHasSchedulersOfBothKinds)
{
    // One that knows nothing by its definition, and one that knows all.
    const auto names = NonClairvoyantSchedulers();
    EXPECT_EQ(std::count(names.begin(), names.end(), "nc-drf"), 1);
    EXPECT_EQ(std::count(names.begin(), names.end(), "varys"), 0);
    EXPECT_TRUE(MayKnowSizes("varys"));
}
