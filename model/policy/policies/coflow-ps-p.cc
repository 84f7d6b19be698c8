/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ps-p.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<PsP>(
    "ps-p",
    "FairCloud PS-P: every port splits its rate equally between coflows, then flows",
    PsP::Specs());

constexpr int MAX_ROUNDS = 1000; ///< most rounds of the iteration of the wfq mode
/// The iteration ends at this change, relative to the port's rate.
constexpr double CONVERGED = 1e-6;
constexpr double DAMPING = 0.5; ///< weight of the new value

} // namespace

std::vector<ParameterSpec>
PsP::Specs()
{
    return {
        ParameterSpec::Choice("mode",
                              {"static", "wfq"},
                              "static: the part of a port that a flow cannot use is lost; wfq "
                              "(fluid engine only): other flows get it, as in fair queues",
                              "NC-DRF, Wang and Wang, plots static"),
        Triggers::CoalesceSpec(0, "NC-DRF, Wang and Wang: parts follow the present flows at once")};
}

PsP::PsP(const Parameters& parameters)
    : m_wfq(parameters.Is("mode", "wfq")),
      m_coalesce(parameters.Time("coalesce"))
{
    if (m_wfq && m_coalesce > 0)
    {
        throw InputError("ps-p: fair queues hand on at once what a flow leaves; allowed with "
                         "mode=wfq: coalesce=0");
    }
}

FluidForm
PsP::GetForm() const
{
    if (m_coalesce > 0)
    {
        return {};
    }
    return SharingForm{false,
                       m_wfq ? SharingForm::Levels::PER_COFLOW_QUEUES
                             : SharingForm::Levels::PER_COFLOW_SPLIT};
}

Decision
PsP::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    FindParts(view);
    if (m_wfq)
    {
        Queue(view, rates);
    }
    else
    {
        Split(rates);
    }
    return {};
}

void
PsP::FindParts(const AttainedView& view)
{
    constexpr std::uint32_t NO_ROW = std::numeric_limits<std::uint32_t>::max();
    const std::size_t ports = m_budget.Ports();
    // First the numbers of flows and parts of every port, then the positions at which they begin,
    // then the flows and parts.
    m_flowsBegin.assign(ports + 1, 0);
    m_partsBegin.assign(ports + 1, 0);
    m_lastPartRow.assign(ports, NO_ROW);
    const auto forEachEnd = [&](auto function) {
        for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
        {
            for (std::uint32_t f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
            {
                function(r, f, m_budget.Sending(view.src[f]));
                function(r, f, m_budget.Receiving(view.dst[f]));
            }
        }
    };
    forEachEnd([&](std::uint32_t r, std::uint32_t, HostPort p) {
        ++m_flowsBegin[p + 1];
        m_partsBegin[p + 1] += m_lastPartRow[p] != r;
        m_lastPartRow[p] = r;
    });
    std::partial_sum(m_flowsBegin.begin(), m_flowsBegin.end(), m_flowsBegin.begin());
    std::partial_sum(m_partsBegin.begin(), m_partsBegin.end(), m_partsBegin.begin());
    m_flows.resize(m_flowsBegin.back());
    m_parts.resize(m_partsBegin.back());
    m_lastPartRow.assign(ports, NO_ROW);
    forEachEnd([&](std::uint32_t r, std::uint32_t f, HostPort p) {
        const std::uint32_t place = m_flowsBegin[p]++;
        m_flows[place] = f;
        if (m_lastPartRow[p] != r)
        {
            m_parts[m_partsBegin[p]++] = {place, place};
            m_lastPartRow[p] = r;
        }
        m_parts[m_partsBegin[p] - 1].end = place + 1;
    });
    // The loop has moved the begin of every port to the begin of the next port.
    std::rotate(m_partsBegin.begin(), m_partsBegin.end() - 1, m_partsBegin.end());
    m_partsBegin.front() = 0;
}

void
PsP::Split(std::span<double> rates) const
{
    for (HostPort p = 0; p < m_budget.Ports(); ++p)
    {
        const auto parts = PartsOf(p);
        for (const Part& part : parts)
        {
            const auto flows = FlowsOf(part);
            const double share = m_budget.Capacity(p) / static_cast<double>(parts.size()) /
                                 static_cast<double>(flows.size());
            for (std::uint32_t f : flows)
            {
                // The loop visits sending ports first, and every flow has a sending port.
                rates[f] = p < m_budget.Hosts() ? share : std::min(rates[f], share);
            }
        }
    }
}

double
PsP::FlowLevel(const Part& part, double demand, double offer)
{
    const std::size_t count = part.end - part.begin;
    const std::span<const double> wanted = std::span(m_wanted).subspan(part.begin, count);
    // The rounding error of the sum is far below this margin, so WaterLevel() would return the
    // same.
    if (demand < offer * (1 - 1e-9))
    {
        return INFINITE_TIME;
    }
    const double equal = offer / static_cast<double>(count);
    if (std::ranges::all_of(wanted, [equal](double d) { return d > equal; }))
    {
        return equal;
    }
    // Limits change little from round to round. So the order of the last round is almost right, and
    // insertion sort takes about one pass. After too many moves, the part is sorted by
    // std::ranges::sort.
    const std::span<std::uint32_t> ranked = std::span(m_ranked).subspan(part.begin, count);
    m_sorted.resize(count);
    std::size_t moves = 8 * count;
    for (std::size_t k = 0; k < count && moves > 0; ++k)
    {
        const std::uint32_t flow = ranked[k];
        const double limit = wanted[flow];
        std::size_t place = k;
        for (; place > 0 && m_sorted[place - 1] > limit && moves > 0; --place, --moves)
        {
            m_sorted[place] = m_sorted[place - 1];
            ranked[place] = ranked[place - 1];
        }
        m_sorted[place] = limit;
        ranked[place] = flow;
    }
    if (moves == 0)
    {
        std::ranges::sort(ranked, [wanted](std::uint32_t a, std::uint32_t b) {
            return wanted[a] < wanted[b];
        });
        for (std::size_t k = 0; k < count; ++k)
        {
            m_sorted[k] = wanted[ranked[k]];
        }
    }
    double left = offer;
    for (std::size_t k = 0; k < count; ++k)
    {
        const double level = left / static_cast<double>(count - k);
        if (m_sorted[k] > level)
        {
            return level;
        }
        left -= m_sorted[k];
    }
    return INFINITE_TIME;
}

void
PsP::Offer(HostPort port, std::span<const double> limits, std::span<double> offers)
{
    const auto parts = PartsOf(port);
    const double rate = m_budget.Capacity(port);
    m_demands.clear();
    double spare = rate;
    for (const Part& part : parts)
    {
        double demand = 0;
        for (std::uint32_t place = part.begin; place < part.end; ++place)
        {
            m_wanted[place] = limits[m_flows[place]];
            demand += m_wanted[place];
        }
        m_demands.push_back(demand);
        spare -= demand;
    }
    m_levels = m_demands;
    const double level = WaterLevel(m_levels, rate);
    for (std::size_t k = 0; k < parts.size(); ++k)
    {
        const Part& part = parts[k];
        const double offer =
            std::isinf(level) ? m_demands[k] + spare / static_cast<double>(parts.size()) : level;
        const double flowLevel = FlowLevel(part, m_demands[k], offer);
        if (!std::isinf(flowLevel))
        {
            for (std::uint32_t f : FlowsOf(part))
            {
                offers[f] = flowLevel;
            }
            continue;
        }
        const double flowSpare =
            (offer - m_demands[k]) / static_cast<double>(part.end - part.begin);
        for (std::uint32_t place = part.begin; place < part.end; ++place)
        {
            offers[m_flows[place]] = m_wanted[place] + flowSpare;
        }
    }
}

void
PsP::Queue(const AttainedView& view, std::span<double> rates)
{
    const std::size_t flows = view.Positions();
    const HostPort hosts = m_budget.Hosts();
    std::vector<double> sending(flows);
    std::vector<double> receiving(flows);
    view.ForEachFlow([&](std::uint32_t f) {
        sending[f] = m_budget.Capacity(m_budget.Sending(view.src[f]));
        receiving[f] = m_budget.Capacity(m_budget.Receiving(view.dst[f]));
    });
    const std::vector<double> scale = sending;
    std::vector<double> newSending(flows);
    std::vector<double> newReceiving(flows);
    m_wanted.resize(m_flows.size());
    m_ranked.resize(m_flows.size());
    for (const Part& part : m_parts)
    {
        std::iota(m_ranked.begin() + part.begin, m_ranked.begin() + part.end, 0);
    }
    double change = INFINITE_TIME;
    for (int round = 0; round < MAX_ROUNDS && change > CONVERGED; ++round)
    {
        for (HostId h = 0; h < hosts; ++h)
        {
            Offer(h, receiving, newSending);
            Offer(hosts + h, sending, newReceiving);
        }
        change = 0;
        view.ForEachFlow([&](std::uint32_t f) {
            const double before = std::min(sending[f], receiving[f]);
            sending[f] += DAMPING * (newSending[f] - sending[f]);
            receiving[f] += DAMPING * (newReceiving[f] - receiving[f]);
            change =
                std::max(change, std::abs(std::min(sending[f], receiving[f]) - before) / scale[f]);
        });
    }
    // Flows of a port whose rates exceed the rate of the port are reduced in proportion.
    std::vector<double> load(m_budget.Ports(), 0.0);
    view.ForEachFlow([&](std::uint32_t f) {
        rates[f] = std::min(sending[f], receiving[f]);
        load[m_budget.Sending(view.src[f])] += rates[f];
        load[m_budget.Receiving(view.dst[f])] += rates[f];
    });
    view.ForEachFlow([&](std::uint32_t f) {
        for (HostPort p : {m_budget.Sending(view.src[f]), m_budget.Receiving(view.dst[f])})
        {
            rates[f] = std::min(rates[f], rates[f] * m_budget.Capacity(p) / load[p]);
        }
    });
}

} // namespace coflow
