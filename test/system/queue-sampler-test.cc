/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include "ns3/coflow-queue-sampler.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::coflow;

TEST_P(EveryFabric, SamplesItsQueues)
{
    // 1228 bytes of IPv4, 1230 on the wire: 9840 ns each.
    Start(BigSwitchHelper(2, "ns3::coflow::FifoQueueDisc[MaxSize=5p|MarkingThreshold=3p]"));
    sockets[0]->SetIpTos(2); // ECN-capable
    Simulator::ScheduleWithContext(0, NanoSeconds(1), [this] {
        for (uint32_t i = 0; i < 10; ++i)
        {
            Send(0, 1, i, 1200);
        }
    });
    std::ostringstream out;
    QueueSampler sampler(fabric,
                         {Topology::GetUplink(0), Topology::GetDownlink(1)},
                         MicroSeconds(20),
                         MicroSeconds(79),
                         out);
    Simulator::Run();
    EXPECT_EQ(out.str(),
              "time_s,port,queued_bytes,queued_packets,dropped_packets,marked_packets\n"
              "2e-05,host0->switch0,3684,3,4,2\n"
              "2e-05,switch0->host1,0,0,0,0\n"
              "4e-05,host0->switch0,1228,1,4,2\n"
              "4e-05,switch0->host1,0,0,0,0\n"
              "6e-05,host0->switch0,0,0,4,2\n"
              "6e-05,switch0->host1,0,0,0,0\n");
}
