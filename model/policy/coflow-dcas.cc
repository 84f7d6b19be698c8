/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Dcas>(
    "dcas",
    "decentralised: senders and receivers negotiate priorities by remaining time",
    Dcas::Specs());

} // namespace

std::vector<ParameterSpec>
Dcas::Specs()
{
    return {ParameterSpec{"delta",
                          Unit::SECONDS,
                          0.1,
                          1e-6,
                          1e6,
                          "period of the rounds of negotiation",
                          "D-CAS, Luo et al."},
            ParameterSpec{"T",
                          Unit::SECONDS,
                          1,
                          1e-6,
                          1e6,
                          "a subcoflow without service for so long goes first",
                          "D-CAS, Luo et al."},
            ParameterSpec{"threshold",
                          Unit::BYTES,
                          1e6,
                          0,
                          1e18,
                          "subcoflows with fewer bytes left go by arrival, before others",
                          "D-CAS, Luo et al."},
            ParameterSpec{"coalesce",
                          Unit::SECONDS,
                          0.1,
                          0,
                          1e6,
                          "so long after a flow has finished its rate is handed on",
                          "own choice: shorter costs more time than it changes results"}};
}

Dcas::Dcas(const Parameters& parameters)
    : m_delta(parameters.Time("delta")),
      m_patience(parameters.Time("T")),
      m_threshold(parameters["threshold"]),
      m_coalesce(parameters.Time("coalesce"))
{
}

std::vector<double>
Dcas::Negotiate(std::span<const HostId> src,
                std::span<const HostId> dst,
                std::span<const double> desired)
{
    std::vector<double> answer(desired.size(), 0.0);
    for (std::size_t f = 0; f < src.size(); ++f)
    {
        answer[dst[f]] = std::max(answer[dst[f]], desired[src[f]]);
    }
    std::vector<double> agreed(desired.size(), 0.0);
    for (std::size_t f = 0; f < src.size(); ++f)
    {
        agreed[src[f]] = std::max(agreed[src[f]], answer[dst[f]]);
    }
    std::vector<double> result;
    result.reserve(src.size());
    for (HostId host : src)
    {
        result.push_back(agreed[host]);
    }
    return result;
}

void
Dcas::UpdateKeys(const ClairvoyantView& view,
                 const CoflowRow& row,
                 const PortRates& capacity,
                 bool round)
{
    m_subcoflows.resize(std::max<std::size_t>(m_subcoflows.size(), row.index + 1));
    auto& subcoflows = m_subcoflows[row.index];
    const bool arrived = subcoflows.empty();
    subcoflows.resize(capacity.ingress.size());
    m_left.assign(capacity.ingress.size(), 0.0);
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        m_left[view.src[f]] += view.remaining[f];
    }
    for (std::size_t host = 0; host < m_left.size(); ++host)
    {
        Subcoflow& s = subcoflows[host];
        // Less than a byte is rounding.
        if (s.served < 0 || m_left[host] < s.remaining - 1)
        {
            s.served = view.now;
            s.remaining = m_left[host];
        }
    }
    if (!round && !arrived)
    {
        return;
    }
    std::vector<double> desired(m_left.size());
    for (std::size_t host = 0; host < m_left.size(); ++host)
    {
        desired[host] = m_left[host] / capacity.ingress[host];
    }
    const std::size_t count = row.Count();
    const auto agreed =
        Negotiate(view.src.subspan(row.begin, count), view.dst.subspan(row.begin, count), desired);
    for (std::size_t i = 0; i < count; ++i)
    {
        const HostId host = view.src[row.begin + i];
        Subcoflow& s = subcoflows[host];
        if (m_left[host] < m_threshold)
        {
            // Rows are in the order of arrival, and so are their indices.
            s.key = {0, static_cast<double>(row.index)};
        }
        else if (view.now - s.served > m_patience)
        {
            s.key = {1, 0.0};
        }
        else
        {
            // A new subcoflow has heard no answer before its first round.
            s.key = {1, round ? agreed[i] : desired[host]};
        }
    }
}

void
Dcas::Serve(const ClairvoyantView& view, std::span<double> rates)
{
    m_order.clear();
    for (const CoflowRow& row : view.coflows)
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            Subcoflow& s = m_subcoflows[row.index][view.src[f]];
            if (s.seen != view.now)
            {
                s.seen = view.now;
                m_order.emplace_back(s.key, &s);
            }
        }
    }
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::sort(m_order.begin(), m_order.end(), before);
    std::uint32_t classes = 0;
    for (std::size_t i = 0; i < m_order.size(); ++i)
    {
        classes += i == 0 || m_order[i - 1].first < m_order[i].first;
        m_order[i].second->place = classes - 1;
    }
    m_classOf.resize(view.Positions());
    for (const CoflowRow& row : view.coflows)
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            m_classOf[f] = m_subcoflows[row.index][view.src[f]].place;
        }
    }
    ServeClasses(view, m_classOf, classes, m_budget, m_filler, rates);
}

Decision
Dcas::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    const bool round = view.now % m_delta == 0;
    for (const CoflowRow& row : view.coflows)
    {
        UpdateKeys(view, row, capacity, round);
    }
    Serve(view, rates);
    return {(view.now / m_delta + 1) * m_delta, false};
}

} // namespace coflow
