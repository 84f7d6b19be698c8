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
    // A coflow's clock counts the bytes that every flow of the coflow has sent by progress. A
    // pair's clock counts the bytes that every flow of the pair has sent by spare rate. The target
    // is the flow's size plus the clocks at its arrival. So the bytes left are the target minus the
    // clocks. An unfinished flow keeps at least 1e-6 bytes in spite of rounding.
    return std::max(flow.target - task.clock - m_pairs[flow.pair].clock, 1e-6);
}

Nanoseconds
ProgressEngine::FinishOf(const Task& task, std::uint32_t f) const
{
    const ActiveFlow& flow = task.flows[f];
    const Pair& pair = m_pairs[flow.pair];
    // The rate of a flow is the rate of its coflow plus the smaller spare rate of its two ports.
    const double spare = std::min(m_ports[pair.port[0]].spare, m_ports[pair.port[1]].spare);
    return TimeAfter(m_now, Remaining(task, flow), task.rate + spare);
}

void
ProgressEngine::Insert(Task& task, std::uint32_t f)
{
    const ActiveFlow& flow = task.flows[f];
    const Pair& pair = m_pairs[flow.pair];
    // The flow goes into the heap of the port with the smaller spare rate, because this port limits
    // the flow. The key is the sum of the coflow's clock and the port's clock at which the flow
    // finishes if this port keeps limiting it. If the other port has a smaller spare rate later,
    // the flow finishes later than at its key, and never earlier. So the flow need not be visited
    // before the clocks reach its key.
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
        // node.count / capacity is the time in which the port transfers one byte of each flow of
        // the coflow. `bottleneck` is the largest such time. So the demand is 1 at the coflow's
        // most loaded port, and at most 1 at the other ports.
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
    std::vector<std::uint32_t> nodeOf(m_ports.size(), UINT32_MAX); // by port; UINT32_MAX: none
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
        // The clock of the coflow begins at 0. The clock of the pair may have run for other flows.
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
    // The demand of a coflow depends on its numbers of flows. The old demand is subtracted here,
    // before the numbers change. ComputeRates() adds the new demand.
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
    // At the end of a run (NEVER), the clocks stop, and unfinished flows never finish.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    // The flows that finish by `time` are removed first, because FinishOf() needs the clocks at
    // m_now. Then the clocks advance.
    m_taken.clear();
    for (std::size_t t = 0; t < m_tasks.size(); ++t)
    {
        Task& task = m_tasks[t];
        for (Node& node : task.nodes)
        {
            const Port& port = m_ports[node.port];
            const double rate = task.rate + port.spare;
            // The sum of the two clocks at `time`, plus a slack, so that no flow is missed because
            // of rounding. A flow that is visited and does not finish stays correct.
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
                    // The other port has limited the flow, or only the slack has reached its key.
                    // The flow goes back into a heap with a new key, after the clocks have advanced
                    // to `time`.
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
    const auto removed = std::erase_if(m_tasks, [](const Task& task) { return task.left == 0; });
    m_tasksChanged = m_tasksChanged || removed > 0;
}

void
ProgressEngine::ComputeRates()
{
    m_due = false;
    ++m_run.Counters().decisions;
    if (m_tasksChanged)
    {
        // Repeated addition and subtraction of demands accumulates rounding errors. So the sums are
        // computed anew here. This costs little, because coflows arrive and finish far less often
        // than flows.
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
    // All coflows get the same progress: the largest progress that the port with the largest demand
    // allows. Every flow of a coflow then has the rate progress / bottleneck in bytes per second.
    // So the coflow has the share `progress` of its most loaded port.
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
    // The unused rate of a port is divided equally among the flows at the port.
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
    // A coflow does not finish before any of its flows. The witness is the flow that was last in
    // the previous call. If the witness does not finish before the horizon, the other flows need no
    // visit.
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
    // A policy that decides at the finish of flows needs the first finish of all flows. A flow does
    // not finish before the clocks reach its key. So only the flows with keys before the earliest
    // finish so far have to be visited.
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
                        // Flows that finish in the same nanosecond need no visit.
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
    // Every policy decides when a coflow finishes.
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
