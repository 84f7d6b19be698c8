/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What flows that send at their rates bring to ports, counted by hand.

#include "hosts-with-rates.h"

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-port-loads.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::HostsWithRates;

namespace
{

constexpr uint32_t SEGMENT = 1448;

/// Two ports of a network that sends nothing itself: port 0 has data, port 1 acknowledgements.
class PortLoadsTest : public testing::Test
{
  protected:
    PortLoadsTest()
        : fabric(hosts.Get().GetFabric()),
          channel(DynamicCast<FabricChannel>(fabric->GetHostDevice(0)->GetChannel())),
          loads(*channel, *fabric->GetTopology(), SEGMENT, 0)
    {
    }

    /// @param bytesPerNanosecond payload
    /// @return the load of a flow with an acknowledgement for two segments
    static PortLoads::Load MakeLoad(double bytesPerNanosecond)
    {
        PortLoads::Load load;
        load.path.ports[0] = 0;
        load.path.n = 1;
        load.ackPath.ports[0] = 1;
        load.ackPath.n = 1;
        load.payload = bytesPerNanosecond;
        load.acksPerByte = 1.0 / (2 * SEGMENT);
        return load;
    }

    HostsWithRates hosts{true};
    Ptr<Fabric> fabric;
    Ptr<FabricChannel> channel;
    PortLoads loads;
};

} // namespace

TEST_F(PortLoadsTest, PortsCountWholePackets)
{
    // 0.01 bytes per ns: 1448 bytes take 144.8 us. In 1 ms a port has 6.9 packets, in 2 ms 13.8.
    loads.Add(MakeLoad(0.01));
    loads.Advance(1'000'000);
    EXPECT_EQ(fabric->GetPortStatistics(0).packets, 6U);
    EXPECT_EQ(fabric->GetPortStatistics(1).packets, 3U);
    loads.Advance(1'000'000);
    EXPECT_EQ(fabric->GetPortStatistics(0).packets, 13U);
    EXPECT_EQ(fabric->GetPortStatistics(1).packets, 6U);
    // The payload is that of the time; the headers are those of whole packets.
    EXPECT_EQ(fabric->GetPortStatistics(0).bytes, 20'000 + 13 * TransportProfile::HEADER_BYTES);
    EXPECT_EQ(loads.GetPayload(), 20'000U);
    EXPECT_EQ(loads.GetPacketHops(), 19U);
}

TEST_F(PortLoadsTest, TheLargestLoadHasHeadersAndFrames)
{
    // 1 Gbit/s is 0.125 bytes per ns. Half of that is payload, 1448 of 1502 bytes.
    loads.Add(MakeLoad(0.0625));
    EXPECT_NEAR(loads.GetLargest(), 0.5 * 1502 / 1448, 1e-9);
    const auto other = MakeLoad(0.025);
    loads.Add(other);
    EXPECT_NEAR(loads.GetLargest(), 0.7 * 1502 / 1448, 1e-9);
    loads.Remove(other);
    EXPECT_NEAR(loads.GetLargest(), 0.5 * 1502 / 1448, 1e-9);
    loads.Clear();
    EXPECT_EQ(loads.GetLargest(), 0);
}

TEST_F(PortLoadsTest, LastBytesAreOnePacket)
{
    // 1449 bytes are two packets, and half an acknowledgement is counted with the next one.
    const auto load = MakeLoad(0.01);
    loads.Count(load, SEGMENT + 1);
    loads.Count(load, SEGMENT - 1);
    loads.Advance(0);
    EXPECT_EQ(fabric->GetPortStatistics(0).packets, 3U);
    EXPECT_EQ(fabric->GetPortStatistics(0).bytes, 2 * SEGMENT + 3 * TransportProfile::HEADER_BYTES);
    EXPECT_EQ(fabric->GetPortStatistics(1).packets, 1U);
    EXPECT_EQ(loads.GetPayload(), 2 * SEGMENT);
}
