/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Scenarios out of random numbers.

#include "lean-scenario.h"

#include <string>
#include <vector>

namespace ns3::coflow::test
{

Scenario
MakeScenario(const std::function<int64_t(int64_t, int64_t)>& draw, bool lossy)
{
    const std::vector<std::string> controls{"ns3::coflow::Dctcp",
                                            "ns3::TcpDctcp",
                                            "ns3::TcpNewReno",
                                            "ns3::TcpCubic",
                                            "ns3::TcpLinuxReno"};
    Scenario scenario;
    scenario.control = controls[draw(0, 4)];
    const int64_t packets = lossy ? draw(3, 40) : 100000;
    scenario.queue = "ns3::coflow::FifoQueueDisc[MaxSize=" + std::to_string(packets) +
                     "p|MarkingThreshold=" + std::to_string(draw(1, 30)) + "p]";
    scenario.sprays = draw(0, 2) == 0;
    scenario.linkRate = draw(0, 1) ? "1Gbps" : "10Gbps";
    scenario.linkDelay = std::to_string(draw(0, 20)) + "us";
    scenario.timestamps = draw(0, 3) > 0;
    scenario.sack = draw(0, 3) > 0;
    scenario.delayedAckCount = static_cast<uint32_t>(draw(1, 3));
    const int64_t transfers = draw(1, 12);
    for (int64_t i = 0; i < transfers; ++i)
    {
        Transfer transfer{};
        transfer.src = static_cast<::coflow::HostId>(draw(0, 7));
        transfer.dst = static_cast<::coflow::HostId>((transfer.src + draw(1, 7)) % 8);
        transfer.bytes = static_cast<uint64_t>(draw(1, 1 << draw(1, 20)));
        transfer.chunk = static_cast<uint32_t>(draw(1, 60000));
        transfer.start = NanoSeconds(draw(0, 3000000));
        transfer.kickAt = draw(0, 2) ? Time() : NanoSeconds(draw(1, 20000000));
        scenario.transfers.push_back(transfer);
    }
    // One link at a time, so that there is always a path.
    const bool fails = draw(0, 2) == 1;
    scenario.manyPaths = scenario.sprays || fails;
    Time free;
    for (int64_t i = fails ? draw(1, 4) : 0; i > 0; --i)
    {
        const Time at = free + NanoSeconds(draw(1, 1000000));
        free = at + NanoSeconds(draw(1, 1000000));
        scenario.changes.push_back({at, free, static_cast<uint32_t>(draw(0, 255)), DataRate(0)});
        free += NanoSeconds(1);
    }
    for (int64_t i = draw(0, 2) == 1 ? draw(1, 4) : 0; i > 0; --i)
    {
        const Time at = NanoSeconds(draw(1, 4000000));
        const DataRate rate(static_cast<uint64_t>(draw(100, 12000)) * 1000000);
        scenario.changes.push_back({at, Time(), static_cast<uint32_t>(draw(0, 255)), rate});
    }
    scenario.answer = draw(0, 1) == 1 ? static_cast<uint32_t>(draw(1, 60000)) : 0;
    return scenario;
}

} // namespace ns3::coflow::test
