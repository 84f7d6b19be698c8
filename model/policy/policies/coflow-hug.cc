/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hug.h"

#include "ns3/coflow-drf.h"
#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Hug>(
    "hug",
    "DRF, then spare rate up to the common progress per coflow and port (strategy-proof)",
    Hug::Specs());

} // namespace

std::vector<ParameterSpec>
Hug::Specs()
{
    return {ParameterSpec::Flag("cooperative",
                                false,
                                "hand out all spare rate, without a limit per coflow",
                                "HUG, NSDI 2016: false unless tenants cooperate")};
}

Decision
Hug::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    m_progress.Compute(view.coflows.size(), m_loads, m_budget);
    AllocateEqualProgress(view, m_loads, m_progress, m_budget, rates);
    m_roomOf.resize(2 * capacity.ingress.size());
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const double perByte = m_progress.RatePerUnit(r);
        for (const PortDemand& d : m_loads.Of(r))
        {
            const double limit = m_progress.Progress() * m_budget.Capacity(d.port);
            m_roomOf[d.port] = m_budget.AddLimit(limit);
            m_budget.Take(m_roomOf[d.port], d.load * perByte);
        }
        const CoflowRow& row = view.coflows[r];
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const HostPort in = m_budget.Sending(view.src[f]);
            const HostPort out = m_budget.Receiving(view.dst[f]);
            const HostPort limits[4] = {in, out, m_roomOf[in], m_roomOf[out]};
            m_filler.Add(f,
                         std::span(limits).first(m_cooperative ? 2 : 4),
                         view.remaining[f],
                         m_budget);
        }
    }
    m_filler.Fill(m_budget, rates);
    return {};
}

} // namespace coflow
