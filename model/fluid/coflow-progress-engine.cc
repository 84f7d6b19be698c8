/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress-engine.h"

#include <algorithm>
#include <limits>

namespace coflow
{

ProgressEngine::ProgressEngine(FluidRun& run, const ProgressForm& form)
    : FluidExecutor(run),
      m_form(form),
      m_hosts(static_cast<std::uint32_t>(run.Capacity().ingress.size())),
      m_ports(2 * run.Capacity().ingress.size())
{
    for (std::uint32_t h = 0; h < m_hosts; ++h)
    {
        m_ports[h].capacity = run.Capacity().ingress[h];
        m_ports[m_hosts + h].capacity = run.Capacity().egress[h];
    }
}

std::uint32_t
ProgressEngine::UsePair(std::uint32_t in, std::uint32_t out)
{
    const auto [entry, added] = m_place.emplace(static_cast<std::uint64_t>(in) << 32 | out, 0);
    if (added)
    {
        if (m_freePairs.empty())
        {
            m_freePairs.push_back(static_cast<std::uint32_t>(m_pairs.size()));
            m_pairs.emplace_back();
        }
        entry->second = m_freePairs.back();
        m_freePairs.pop_back();
        m_pairs[entry->second] = {{in, out}, 0, 0.0};
    }
    ++m_pairs[entry->second].flows;
    return entry->second;
}

double
ProgressEngine::Remaining(const Task& task, const ActiveFlow& flow) const
{
    // Both clocks count bytes that every flow of the coflow, or of the pair of ports, has moved
    // since the clock began. The target was set to the flow's size plus the clocks at its arrival,
    // so that what is missing to the target is what is left of the flow.
    // An unfinished flow has something left, whatever rounding says.
    return std::max(flow.target - task.clock - m_pairs[flow.pair].clock, 1e-6);
}

Nanoseconds
ProgressEngine::FinishOf(const Task& task, std::uint32_t f) const
{
    const ActiveFlow& flow = task.flows[f];
    const Pair& pair = m_pairs[flow.pair];
    // A flow has its coflow's rate, and of the spare rate as much as both its ports have for it.
    const double spare = std::min(m_ports[pair.port[0]].spare, m_ports[pair.port[1]].spare);
    return TimeAfter(m_now, Remaining(task, flow), task.rate + spare);
}

void
ProgressEngine::Insert(Task& task, std::uint32_t f)
{
    const ActiveFlow& flow = task.flows[f];
    const Pair& pair = m_pairs[flow.pair];
    // The flow goes into the heap of one of its two ports, the one that has less to spare, as that
    // port says how fast the flow is now. The key is what the sum of the coflow's and that port's
    // clock will be when the flow is through, if this stays so.
    // If the other port has less to spare later on, the flow gets less than this port's clock
    // counts. Then it is through later than the key says, and never earlier: it is enough to look
    // at the flow when the clocks get to its key.
    const int end = m_ports[pair.port[1]].spare < m_ports[pair.port[0]].spare ? 1 : 0;
    auto& heap = task.nodes[flow.node[end]].heap;
    heap.push_back({task.clock + m_ports[pair.port[end]].clock + Remaining(task, flow), f});
    std::push_heap(heap.begin(), heap.end());
}

std::uint32_t
ProgressEngine::TakeFirst(Node& node) const
{
    const std::uint32_t flow = node.heap.front().flow;
    std::pop_heap(node.heap.begin(), node.heap.end());
    node.heap.pop_back();
    return flow;
}

void
ProgressEngine::AddDemand(const Task& task, double sign)
{
    for (const Node& node : task.nodes)
    {
        // node.count / capacity is the time per byte of each flow that the coflow needs at this
        // port, and `bottleneck` the largest such time. So the demand is 1 at the coflow's most
        // loaded port, and less at the others.
        Port& port = m_ports[node.port];
        port.demand += sign * node.count / port.capacity / task.bottleneck;
    }
}

void
ProgressEngine::Arrive(std::uint32_t index, Nanoseconds /*ready*/)
{
    m_lastArrival = m_now;
    m_due = true;
    Task task;
    task.index = index;
    std::vector<std::uint32_t> nodeOf(m_ports.size(), UINT32_MAX); // UINT32_MAX: none
    for (const Flow& flow : m_run.At(index).flows)
    {
        if (!m_run.UsesFabric(flow))
        {
            continue;
        }
        const std::uint32_t ports[2] = {flow.src, m_hosts + flow.dst};
        ActiveFlow active{flow.id, UsePair(ports[0], ports[1]), {0, 0}, 0.0, false};
        for (int end = 0; end < 2; ++end)
        {
            std::uint32_t& node = nodeOf[ports[end]];
            if (node == UINT32_MAX)
            {
                node = static_cast<std::uint32_t>(task.nodes.size());
                task.nodes.push_back({ports[end], 0, {}});
            }
            active.node[end] = node;
            ++task.nodes[node].count;
            ++m_ports[ports[end]].flows;
        }
        // The coflow's own clock begins at 0 now; the pair's clock may have run for other flows.
        active.target = static_cast<double>(flow.bytes) + m_pairs[active.pair].clock;
        task.flows.push_back(active);
    }
    task.left = static_cast<std::uint32_t>(task.flows.size());
    for (std::uint32_t f = 0; f < task.left; ++f)
    {
        Insert(task, f);
    }
    m_tasks.push_back(std::move(task));
    m_tasksChanged = true;
}

void
ProgressEngine::Finish(Task& task, std::uint32_t f, Nanoseconds time)
{
    // The coflow's demand changes with its number of flows. The old demand is taken away while the
    // numbers are still those that it was computed from; ComputeRates() adds the new one.
    if (!task.changed)
    {
        AddDemand(task, -1);
        task.changed = true;
    }
    ActiveFlow& flow = task.flows[f];
    flow.finished = true;
    --task.left;
    Pair& pair = m_pairs[flow.pair];
    for (int end = 0; end < 2; ++end)
    {
        --task.nodes[flow.node[end]].count;
        --m_ports[pair.port[end]].flows;
    }
    if (--pair.flows == 0)
    {
        m_place.erase(static_cast<std::uint64_t>(pair.port[0]) << 32 | pair.port[1]);
        m_freePairs.push_back(flow.pair);
    }
    const bool heard = m_run.FinishFlow(task.index, flow.id, time);
    m_due = m_due || heard || m_form.triggers.flowCompletion;
}

void
ProgressEngine::Settle(Nanoseconds time)
{
    // At the end of a run (NEVER) nothing moves, and what is there never finishes.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    // First the flows that are through by then are taken out, while all clocks are still those of
    // m_now, from which FinishOf() reckons. Then the clocks go on.
    m_taken.clear();
    for (std::size_t t = 0; t < m_tasks.size(); ++t)
    {
        Task& task = m_tasks[t];
        for (Node& node : task.nodes)
        {
            const Port& port = m_ports[node.port];
            const double rate = task.rate + port.spare;
            // How far the two clocks will get, and a little further, so that no flow is missed for
            // a rounding error. Flows that are looked at in vain do no harm.
            const double moved = rate * (seconds + 4e-9) + 1e-12 * (task.clock + port.clock);
            const double reached = task.clock + port.clock + moved;
            while (!node.heap.empty() && node.heap.front().key <= reached)
            {
                const std::uint32_t flow = TakeFirst(node);
                const Nanoseconds finish = FinishOf(task, flow);
                if (finish <= time && finish != NEVER)
                {
                    Finish(task, flow, finish);
                }
                else
                {
                    // Its other port has slowed it down. It goes back into a heap, with a new key,
                    // when the clocks are those of `time`.
                    m_taken.emplace_back(t, flow);
                }
            }
        }
    }
    for (Pair& pair : m_pairs)
    {
        pair.clock += std::min(m_ports[pair.port[0]].spare, m_ports[pair.port[1]].spare) * seconds;
    }
    for (Port& port : m_ports)
    {
        port.clock += port.spare * seconds;
    }
    for (Task& task : m_tasks)
    {
        task.clock += task.rate * seconds;
    }
    for (const auto& [task, flow] : m_taken)
    {
        Insert(m_tasks[task], flow);
    }
    RemoveFinished();
}

void
ProgressEngine::RemoveFinished()
{
    const auto end = std::remove_if(m_tasks.begin(), m_tasks.end(), [](const Task& task) {
        return task.left == 0;
    });
    m_tasksChanged = m_tasksChanged || end != m_tasks.end();
    m_tasks.erase(end, m_tasks.end());
}

void
ProgressEngine::ComputeRates()
{
    m_due = false;
    ++m_run.Counters().decisions;
    if (m_tasksChanged)
    {
        // Adding and taking away the same demands over and over piles up rounding errors. A sum
        // that begins at 0 has none, and costs little, as coflows come and go far less often than
        // flows.
        for (Port& port : m_ports)
        {
            port.demand = 0;
        }
    }
    for (Task& task : m_tasks)
    {
        if (task.changed)
        {
            task.bottleneck = 0;
            for (const Node& node : task.nodes)
            {
                task.bottleneck =
                    std::max(task.bottleneck, node.count / m_ports[node.port].capacity);
            }
        }
        if (task.changed || m_tasksChanged)
        {
            AddDemand(task, 1);
            task.changed = false;
        }
    }
    m_tasksChanged = false;
    // All coflows get the same progress: as much as the port with the largest demand allows. Each
    // flow of a coflow then has progress / bottleneck bytes per second, so that at its most loaded
    // port the coflow has the share `progress` of the port.
    double largest = 0;
    for (const Port& port : m_ports)
    {
        largest = port.flows > 0 ? std::max(largest, port.demand) : largest;
    }
    const double progress = 1 / largest;
    for (Task& task : m_tasks)
    {
        task.rate = progress / task.bottleneck;
    }
    // What a port has left is divided equally between the flows there.
    for (Port& port : m_ports)
    {
        port.spare = m_form.backfill && port.flows > 0
                         ? port.capacity * std::max(0.0, 1 - progress * port.demand) / port.flows
                         : 0;
    }
}

Nanoseconds
ProgressEngine::LastFinish(Task& task, Nanoseconds horizon) const
{
    // The coflow does not finish before any one of its flows. If the flow that was last the time
    // before (the witness) is not through by the horizon, the others need not be looked at.
    if (!task.flows[task.witness].finished)
    {
        const Nanoseconds finish = FinishOf(task, task.witness);
        if (finish >= horizon)
        {
            return finish;
        }
    }
    Nanoseconds last = 0;
    for (std::uint32_t f = 0; f < task.flows.size(); ++f)
    {
        if (!task.flows[f].finished)
        {
            const Nanoseconds finish = FinishOf(task, f);
            if (finish > last)
            {
                last = finish;
                task.witness = f;
            }
        }
    }
    return last;
}

void
ProgressEngine::Foresee()
{
    m_completion = NEVER;
    // A policy that decides when a flow is through needs the first finish of all flows. The heaps
    // give it without looking at all flows: a flow is never through before the clocks get to its
    // key, so only flows whose keys come before the best finish found so far have to be looked at.
    if (m_form.triggers.flowCompletion)
    {
        Nanoseconds first = NEVER;
        double seconds = std::numeric_limits<double>::infinity();
        m_taken.clear();
        for (std::size_t t = 0; t < m_tasks.size(); ++t)
        {
            Task& task = m_tasks[t];
            for (Node& node : task.nodes)
            {
                const Port& port = m_ports[node.port];
                const double rate = task.rate + port.spare;
                const double clock = task.clock + port.clock;
                while (!node.heap.empty() && node.heap.front().key - clock < rate * seconds)
                {
                    const std::uint32_t flow = TakeFirst(node);
                    m_taken.emplace_back(t, flow);
                    const Nanoseconds finish = FinishOf(task, flow);
                    if (finish < first)
                    {
                        first = finish;
                        // Those of the same nanosecond need not be looked at.
                        seconds = static_cast<double>(first - 1 - m_now) * 1e-9;
                    }
                }
            }
        }
        for (const auto& [task, flow] : m_taken)
        {
            Insert(m_tasks[task], flow);
        }
        m_completion = first == NEVER ? NEVER : m_form.triggers.After(first, m_lastArrival);
    }
    // Every policy decides when a coflow is through.
    for (Task& task : m_tasks)
    {
        m_completion = std::min(m_completion, LastFinish(task, m_completion));
    }
}

void
ProgressEngine::Decide()
{
    if (m_due && !m_tasks.empty())
    {
        ComputeRates();
    }
    Foresee();
}

void
ProgressEngine::AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const
{
    const double seconds = static_cast<double>(at - m_now) * 1e-9;
    for (const Task& task : m_tasks)
    {
        for (std::uint32_t f = 0; f < task.flows.size(); ++f)
        {
            const ActiveFlow& flow = task.flows[f];
            if (flow.finished || FinishOf(task, f) <= at)
            {
                continue;
            }
            const Pair& pair = m_pairs[flow.pair];
            const double rate =
                task.rate + std::min(m_ports[pair.port[0]].spare, m_ports[pair.port[1]].spare);
            flows.push_back({task.index,
                             flow.id,
                             pair.port[0],
                             pair.port[1] - m_hosts,
                             Remaining(task, flow) - rate * seconds,
                             rate});
        }
    }
}

} // namespace coflow
