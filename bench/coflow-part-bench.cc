/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What one packet costs at the parts of the express fabric.

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-fifo-ports.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-pfabric-queue.h"
#include "ns3/coflow-strict-priority.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/uinteger.h"

#include <array>
#include <benchmark/benchmark.h>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

Ptr<Topology>
MakeFatTree(uint32_t k)
{
    const auto topology = CreateByName<Topology>("fat-tree");
    topology->SetAttribute("K", UintegerValue(k));
    topology->Build();
    return topology;
}

/// A path of six ports, for another flow each time.
void
Path(benchmark::State& state)
{
    const auto topology = MakeFatTree(static_cast<uint32_t>(state.range(0)));
    std::array<LinkPort, MAX_PATH_PORTS> path{};
    uint64_t hash = 1;
    for (auto _ : state)
    {
        hash = MixBits(hash);
        benchmark::DoNotOptimize(topology->Path(0, topology->GetNHosts() - 1, hash, path));
    }
}

/// A packet at a port, over as many ports as a fat-tree has.
/// @param gap nanoseconds between packets at a port; one takes 12016
void
FifoEnqueue(benchmark::State& state, int64_t gap)
{
    WireTimes times(DataRate("1Gbps"), 1000, 1500);
    FifoPorts ports(FifoLimits(QueueSize("256KiB"), QueueSize("30000B")));
    const auto n = static_cast<uint32_t>(state.range(0));
    for (uint32_t i = 0; i < n; ++i)
    {
        ports.Add(&times);
    }
    Frame frame;
    frame.bytes = 1500;
    int64_t now = 0;
    LinkPort port = 0;
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(ports.Enqueue(port, &frame, now, now - 1));
        if (++port == n)
        {
            port = 0;
            now += gap;
        }
    }
}

/// A packet into and out of the fuller of eight bands.
void
StrictPriorityPass(benchmark::State& state)
{
    DscpBands bands{};
    for (std::size_t dscp = 0; dscp < bands.size(); ++dscp)
    {
        bands[dscp] = static_cast<uint8_t>(dscp / 8);
    }
    StrictPriority discipline(8, FifoLimits(QueueSize("1000p"), QueueSize("20p")), bands);
    std::vector<PortItem> waiting(40);
    for (std::size_t i = 0; i < waiting.size(); ++i)
    {
        waiting[i].dsField = static_cast<uint8_t>(i << 5);
        discipline.Enqueue(&waiting[i]);
    }
    for (auto _ : state)
    {
        PortItem* item = discipline.Dequeue();
        benchmark::DoNotOptimize(discipline.Enqueue(item));
    }
}

/// What a first-in first-out queue would cost behind the same interface: the bound for others.
class Fifo : public PortDiscipline
{
  public:
    PortItem* Enqueue(PortItem* item) override
    {
        item->next = nullptr;
        (m_last ? m_last->next : m_first) = item;
        m_last = item;
        return nullptr;
    }

    PortItem* Dequeue() override
    {
        PortItem* item = m_first;
        m_first = item->next;
        m_last = m_first ? m_last : nullptr;
        return item;
    }

  private:
    PortItem* m_first{nullptr};
    PortItem* m_last{nullptr};
};

/// A packet into and out of a queue in which a number of others wait, of twenty flows with keys
/// that get smaller as the flows go on.
void
KeysPass(benchmark::State& state, PortDiscipline& discipline)
{
    constexpr uint64_t FLOWS = 20;
    std::vector<PortItem> waiting(static_cast<std::size_t>(state.range(0)));
    uint64_t arrivals = 0;
    const auto arrive = [&](PortItem* item) {
        ++arrivals;
        const uint64_t flow = arrivals * 7919 % FLOWS;
        item->bytes = 1500;
        item->packetClass.flow = {flow, 0};
        item->packetClass.priority.key = (flow << 32) + (uint64_t{1} << 31) - arrivals;
        benchmark::DoNotOptimize(discipline.Enqueue(item));
    };
    for (PortItem& item : waiting)
    {
        arrive(&item);
    }
    for (auto _ : state)
    {
        arrive(discipline.Dequeue());
    }
    while (!waiting.empty() && discipline.Dequeue())
    {
        waiting.pop_back();
    }
}

const FifoLimits ROOM(QueueSize("1000000p"), QueueSize("0p"));

void
FifoPass(benchmark::State& state)
{
    Fifo discipline;
    KeysPass(state, discipline);
}

void
PfabricPass(benchmark::State& state)
{
    PfabricQueue discipline(ROOM);
    KeysPass(state, discipline);
}

void
FifoLmPass(benchmark::State& state, FifoLm::Sharing sharing, uint64_t heavyBytes)
{
    // Tasks, unlike flows, keep their number.
    class Tasks : public FifoLm
    {
      public:
        using FifoLm::FifoLm;

        PortItem* Enqueue(PortItem* item) override
        {
            item->packetClass.priority.key = item->packetClass.flow.coflowId + 1;
            return FifoLm::Enqueue(item);
        }
    };

    Tasks discipline(ROOM, heavyBytes, sharing);
    KeysPass(state, discipline);
}

} // namespace

BENCHMARK(Path)->Arg(4)->Arg(8)->Arg(16)->Arg(32);
BENCHMARK_CAPTURE(FifoEnqueue, Idle, 13000)->Arg(96)->Arg(768)->Arg(6144)->Arg(49152);
BENCHMARK_CAPTURE(FifoEnqueue, Busy, 12000)->Arg(96)->Arg(768)->Arg(6144)->Arg(49152);
BENCHMARK(StrictPriorityPass);
BENCHMARK(FifoPass)->Arg(24)->Arg(175)->Arg(1000);
BENCHMARK(PfabricPass)->Arg(24)->Arg(175)->Arg(1000);
BENCHMARK_CAPTURE(FifoLmPass, Arrival, FifoLm::ARRIVAL, 1'000'000'000'000)
    ->Arg(24)
    ->Arg(175)
    ->Arg(1000);
BENCHMARK_CAPTURE(FifoLmPass, Fair, FifoLm::FAIR_QUEUEING, 1'000'000'000'000)
    ->Arg(24)
    ->Arg(175)
    ->Arg(1000);
BENCHMARK_CAPTURE(FifoLmPass, FairAllHeavy, FifoLm::FAIR_QUEUEING, 1)->Arg(24)->Arg(175)->Arg(1000);

BENCHMARK_MAIN();
