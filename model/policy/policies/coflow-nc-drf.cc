/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-nc-drf.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<NcDrf>(
    "nc-drf",
    "non-clairvoyant DRF: equal progress by flow counts, then spare rate per flow",
    NcDrf::Specs());

} // namespace

std::vector<ParameterSpec>
NcDrf::Specs()
{
    return {ParameterSpec{"backfillRounds",
                          Unit::NUMBER,
                          1,
                          0,
                          100,
                          "number of rounds in which spare rate is handed out; 0: none",
                          "NC-DRF, Wang and Wang, algorithm 1"},
            ParameterSpec::Flag("rescheduleOnFlow",
                                true,
                                "decide also when a flow finishes, with the new counts of flows",
                                "the paper does not say"),
            Triggers::CoalesceSpec(0.01, "the paper does not say")};
}

NcDrf::NcDrf(const Parameters& parameters)
    : m_triggers{parameters.Flag("rescheduleOnFlow"), parameters.Time("coalesce")},
      m_backfillRounds(static_cast<int>(parameters["backfillRounds"]))
{
}

FluidForm
NcDrf::GetForm() const
{
    if (m_backfillRounds > 1)
    {
        return {};
    }
    return ProgressForm{m_triggers, m_backfillRounds == 1};
}

void
NcDrf::Backfill(const AttainedView& view, bool again, std::span<double> rates)
{
    m_spare.resize(m_budget.Ports());
    for (HostPort p = 0; p < m_spare.size(); ++p)
    {
        m_spare[p] = m_flows[p] > 0 ? m_budget.Free(p) / m_flows[p] : 0;
    }
    view.ForEachFlow([&](std::uint32_t f) {
        const double rate = std::min(m_spare[m_budget.Sending(view.src[f])],
                                     m_spare[m_budget.Receiving(view.dst[f])]);
        rates[f] += rate;
        if (again)
        {
            m_budget.Take(view.src[f], view.dst[f], rate);
        }
    });
}

Decision
NcDrf::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_counts.ComputeCounts(view, capacity);
    m_progress.Compute(view.coflows.size(), m_counts, m_budget);
    m_flows.assign(m_budget.Ports(), 0.0);
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const double rate = m_progress.RatePerUnit(r);
        std::fill(rates.begin() + row.begin, rates.begin() + row.end, rate);
        for (const PortDemand& d : m_counts.Of(r))
        {
            m_flows[d.port] += d.load;
            m_budget.Take(d.port, d.load * rate);
        }
    }
    for (int round = 0; round < m_backfillRounds; ++round)
    {
        Backfill(view, round + 1 < m_backfillRounds, rates);
    }
    return {};
}

} // namespace coflow
