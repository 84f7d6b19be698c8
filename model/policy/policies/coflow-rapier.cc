/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-rapier.h"

#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-starvation-guard.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Rapier>("rapier",
                           "chooses paths and rates together: least completion time first, on the "
                           "free rates of ports and links",
                           Rapier::Specs());

/// A flow leaves its path only for a path whose time is less by more than this relative difference.
constexpr double EPSILON = 1e-6;

/// A hash of a flow.
std::uint64_t
HashOf(CoflowId coflow, FlowId flow)
{
    std::uint64_t hash = (coflow * 0x9e3779b97f4a7c15U) ^ ((std::uint64_t{flow} + 1) << 32);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31);
}

} // namespace

std::vector<ParameterSpec>
Rapier::Specs()
{
    std::vector<ParameterSpec> specs = StarvationGuard::Specs();
    specs.push_back(ParameterSpec::Choice(
        "order",
        {"left", "all"},
        "rates on which completion times are computed: left, those that more urgent coflows leave "
        "free at ports and links; all, those of whole ports and links",
        "own reading; the text of RAPIER, INFOCOM 2015, was not available"));
    specs.push_back(ParameterSpec::Choice(
        "routing",
        {"joint", "hash"},
        "how the path of a flow is chosen: joint, together with the rates: the path on which its "
        "coflow takes the least time; hash, by a hash, so that only rates depend on links",
        "joint: RAPIER, INFOCOM 2015"));
    specs.push_back(ParameterSpec::Flag(
        "reroute",
        false,
        "flows that have begun may get another path, too; this reorders packets",
        "own reading; the text of RAPIER, INFOCOM 2015, was not available"));
    specs.push_back(
        ParameterSpec::Flag("backfill",
                            true,
                            "hand out the rates that MADD leaves",
                            "own reading; the text of RAPIER, INFOCOM 2015, was not available"));
    specs.push_back(
        ParameterSpec::Flag("rescheduleOnFlow",
                            false,
                            "decide also when a flow finishes, and not only when a coflow does",
                            "as Varys, with which it is compared"));
    return specs;
}

Rapier::Rapier(const Parameters& parameters)
    : m_left(parameters.Is("order", "left")),
      m_joint(parameters.Is("routing", "joint")),
      m_reroute(parameters.Flag("reroute")),
      m_backfill(parameters.Flag("backfill")),
      m_rescheduleOnFlow(parameters.Flag("rescheduleOnFlow")),
      m_patience(parameters.Time("T")),
      m_preference(parameters.Time("delta"))
{
}

void
Rapier::ShowPaths(const PathMap& paths, double share)
{
    m_map = &paths;
    m_share = share;
}

void
Rapier::Prepare(const ClairvoyantView& view, const PortRates& capacity)
{
    m_budget.Reset(capacity);
    m_firstLink = static_cast<HostPort>(m_budget.Ports());
    m_loads.ComputeBytes(view, capacity);
    if (!m_map)
    {
        return;
    }
    for (const double rate : m_map->Rates())
    {
        m_budget.AddLimit(rate * m_share);
    }
    m_load.assign(m_budget.Ports(), 0.0);
    m_paths.assign(view.Positions(), NO_PATH);
    m_found.assign(view.Positions(), NO_PATH);
    m_choices.resize(view.Positions());
    m_bySize.resize(view.Positions());
    for (const CoflowRow& row : view.coflows)
    {
        const auto begin = m_bySize.begin() + row.begin;
        std::iota(begin, begin + row.Count(), row.begin);
        std::stable_sort(begin, begin + row.Count(), [&view](std::uint32_t a, std::uint32_t b) {
            return view.remaining[a] > view.remaining[b];
        });
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            m_choices[f] = m_map->Between(view.src[f], view.dst[f]);
            if (!m_joint)
            {
                m_found[f] =
                    static_cast<PathNumber>(HashOf(row.id, view.flow[f]) % m_choices[f].size() + 1);
            }
        }
    }
}

void
Rapier::EnterWaits(const ClairvoyantView& view)
{
    for (const CoflowRow& row : view.coflows)
    {
        m_memory.resize(std::max<std::size_t>(m_memory.size(), row.index + 1));
        Memory& known = m_memory[row.index];
        if (known.since < 0)
        {
            known.since = row.ready;
        }
        if (known.hasRate)
        {
            known.since = view.now;
        }
        if (m_patience > 0 && view.now - known.since >= m_patience && view.now >= known.until)
        {
            known.until = view.now + m_preference;
        }
    }
}

Nanoseconds
Rapier::LeaveWaits(const ClairvoyantView& view, std::span<const double> rates)
{
    Nanoseconds next = NEVER;
    for (const CoflowRow& row : view.coflows)
    {
        Memory& known = m_memory[row.index];
        known.hasRate = std::any_of(rates.begin() + row.begin,
                                    rates.begin() + row.end,
                                    [](double rate) { return rate > 0; });
        if (m_patience > 0 && known.until > view.now)
        {
            next = std::min(next, known.until);
        }
        else if (m_patience > 0 && !known.hasRate)
        {
            next = std::min(next, known.since + m_patience);
        }
    }
    return next;
}

bool
Rapier::KeepsPath(const ClairvoyantView& view, const CoflowRow& row, std::uint32_t f) const
{
    return view.path[f] != NO_PATH && m_memory[row.index].served && !m_reroute;
}

Rapier::PathTime
Rapier::TimeOf(const FabricPath& path, double bytes) const
{
    PathTime time;
    for (const FabricLink link : path.Links())
    {
        const HostPort limit = m_firstLink + link;
        if (m_budget.Exhausted(limit))
        {
            return {INFINITE_TIME, INFINITE_TIME};
        }
        const double one = (m_load[limit] + bytes) / m_budget.Free(limit);
        time.longest = std::max(time.longest, one);
        time.sum += one;
    }
    return time;
}

std::size_t
Rapier::BestPath(std::uint32_t f, double bytes, PathNumber present) const
{
    const auto choices = m_choices[f];
    std::size_t best = 0;
    PathTime least = TimeOf(choices[0], bytes);
    for (std::size_t i = 1; i < choices.size(); ++i)
    {
        const PathTime time = TimeOf(choices[i], bytes);
        if (time < least)
        {
            best = i;
            least = time;
        }
    }
    if (present != NO_PATH &&
        TimeOf(choices[present - 1], bytes).longest <= least.longest * (1 + EPSILON))
    {
        return present - 1;
    }
    return best;
}

void
Rapier::FindPaths(const ClairvoyantView& view, std::uint32_t r)
{
    const CoflowRow& row = view.coflows[r];
    for (const PortDemand& demand : m_linkLoads)
    {
        m_load[demand.port] = 0;
    }
    m_linkLoads.clear();
    const auto put = [&](std::uint32_t f, PathNumber path) {
        m_found[f] = path;
        for (const FabricLink link : m_choices[f][path - 1].Links())
        {
            const HostPort limit = m_firstLink + link;
            if (m_load[limit] == 0)
            {
                m_linkLoads.push_back({limit, 0});
            }
            m_load[limit] += view.remaining[f];
        }
    };
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        if (KeepsPath(view, row, f))
        {
            put(f, view.path[f]);
        }
    }
    for (std::uint32_t i = row.begin; i < row.end; ++i)
    {
        const std::uint32_t f = m_bySize[i];
        if (!KeepsPath(view, row, f))
        {
            put(f,
                m_joint ? static_cast<PathNumber>(BestPath(f, view.remaining[f], view.path[f]) + 1)
                        : m_found[f]);
        }
    }
    for (PortDemand& demand : m_linkLoads)
    {
        demand.load = m_load[demand.port];
    }
}

double
Rapier::CompletionTime(const ClairvoyantView& view, std::uint32_t r)
{
    const double time = Gamma(m_loads.Of(r), m_budget);
    if (!m_map || time == INFINITE_TIME)
    {
        return time;
    }
    FindPaths(view, r);
    return std::max(time, Gamma(m_linkLoads, m_budget));
}

void
Rapier::TakePaths(const CoflowRow& row, std::span<const double> rates)
{
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        if (rates[f] > 0)
        {
            m_paths[f] = m_found[f];
        }
    }
}

void
Rapier::ServeCoflow(const ClairvoyantView& view,
                    std::uint32_t r,
                    double time,
                    std::span<double> rates)
{
    Madd(view.coflows[r], view.remaining, m_loads.Of(r), time, m_budget, rates);
    m_memory[view.coflows[r].index].served = true;
    if (m_map)
    {
        for (const PortDemand& demand : m_linkLoads)
        {
            m_budget.Take(demand.port, demand.load / time);
        }
        TakePaths(view.coflows[r], rates);
    }
}

void
Rapier::Serve(const ClairvoyantView& view, std::span<double> rates)
{
    const auto later = std::greater<Candidate>();
    m_keys.clear();
    std::vector<Candidate> heap;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        m_keys.push_back(CompletionTime(view, r));
        const Memory& known = m_memory[view.coflows[r].index];
        const bool late = known.until > view.now;
        // Among the coflows that have waited for T, the longest wait comes first.
        heap.push_back({late ? -1 - static_cast<double>(view.now - known.since) : m_keys[r], r});
    }
    std::ranges::make_heap(heap, later);
    m_order.clear();
    std::vector<Candidate> missed;
    while (!heap.empty())
    {
        std::ranges::pop_heap(heap, later);
        const Candidate next = heap.back();
        heap.pop_back();
        const double time = CompletionTime(view, next.row);
        if (time == INFINITE_TIME)
        {
            missed.push_back({next.key < 0 ? next.key : m_keys[next.row], next.row});
            continue;
        }
        const Candidate now{time, next.row};
        if (m_left && next.key >= 0 && !heap.empty() && now > heap.front())
        {
            heap.push_back(now);
            std::ranges::push_heap(heap, later);
            continue;
        }
        ServeCoflow(view, next.row, time, rates);
        m_order.push_back(next.row);
    }
    m_served = m_order.size();
    std::ranges::sort(missed);
    for (const Candidate& candidate : missed)
    {
        m_order.push_back(candidate.row);
    }
}

void
Rapier::HandOutRest(const ClairvoyantView& view, std::span<double> rates)
{
    if (!m_map)
    {
        Backfill(view, view.remaining, m_order, m_loads, m_budget, m_filler, rates);
        return;
    }
    std::vector<HostPort> limits;
    for (std::size_t place = 0; place < m_order.size(); ++place)
    {
        const std::uint32_t r = m_order[place];
        const CoflowRow& row = view.coflows[r];
        if (place >= m_served)
        {
            FindPaths(view, r);
        }
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            limits = {m_budget.Sending(view.src[f]), m_budget.Receiving(view.dst[f])};
            for (const FabricLink link : m_choices[f][m_found[f] - 1].Links())
            {
                limits.push_back(m_firstLink + link);
            }
            m_filler.Add(f, limits, view.remaining[f], m_budget);
        }
        m_filler.Fill(m_budget, rates);
        TakePaths(row, rates);
    }
}

Decision
Rapier::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    Prepare(view, capacity);
    EnterWaits(view);
    Serve(view, rates);
    if (m_backfill)
    {
        HandOutRest(view, rates);
    }
    Decision decision{LeaveWaits(view, rates), false, m_order};
    if (m_map)
    {
        decision.paths = m_paths;
    }
    return decision;
}

} // namespace coflow
