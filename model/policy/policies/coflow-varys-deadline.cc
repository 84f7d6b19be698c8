/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-varys-deadline.h"

#include "ns3/coflow-order-by.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<VarysDeadline>(
    "varys-deadline",
    "admits coflows that can meet their deadlines, at rates of bytes left / time left; backfill",
    VarysDeadline::Specs());

/// Whether a coflow with this time left has a guaranteed rate.
bool
Guaranteed(double timeLeft)
{
    return timeLeft > 0 && timeLeft < INFINITE_TIME;
}

} // namespace

std::vector<ParameterSpec>
VarysDeadline::Specs()
{
    return {ParameterSpec{
                "pad",
                Unit::NUMBER,
                0,
                0,
                10,
                "extra time that admission assumes, as a share of the time that a coflow needs",
                "Varys, SIGCOMM 2014: 0; its code: 0.1"},
            ParameterSpec{"minimum",
                          Unit::SECONDS,
                          0,
                          0,
                          1e6,
                          "shortest time that admission assumes for a coflow",
                          "Varys, SIGCOMM 2014: 0; its code: 0.2",
                          Scaling::WORKLOAD},
            ParameterSpec{
                "retryAfter",
                Unit::SECONDS,
                0,
                0,
                1e6,
                "a rejected coflow tries again after this time, with the same deadline; 0: never",
                "Varys, SIGCOMM 2014: never",
                Scaling::WORKLOAD},
            ParameterSpec::Flag("bestEffort",
                                false,
                                "send rejected coflows at the rates that admitted ones leave",
                                "Varys, SIGCOMM 2014: false")};
}

VarysDeadline::VarysDeadline(const Parameters& parameters)
    : m_pad(parameters["pad"]),
      m_minimum(parameters["minimum"]),
      m_retryAfter(parameters.Time("retryAfter")),
      m_bestEffort(parameters.Flag("bestEffort"))
{
}

double
VarysDeadline::TimeLeft(const ClairvoyantView& view, std::size_t row) const
{
    return view.sizes[row].deadline == NEVER || IsBestEffort(view.coflows[row])
               ? INFINITE_TIME
               : static_cast<double>(view.sizes[row].deadline - view.now) * 1e-9;
}

Admission
VarysDeadline::AdmitCoflow(const ClairvoyantView& view, std::size_t row, const PortRates& capacity)
{
    if (Fits(view, row, capacity))
    {
        return Admission::Accept();
    }
    if (m_retryAfter > 0 && view.now + m_retryAfter < view.sizes[row].deadline)
    {
        return Admission::Later(view.now + m_retryAfter);
    }
    if (!m_bestEffort)
    {
        return Admission::Reject();
    }
    const std::uint32_t index = view.coflows[row].index;
    m_bestEffortRows.resize(std::max<std::size_t>(m_bestEffortRows.size(), index + 1), 0);
    m_bestEffortRows[index] = 1;
    return Admission::BestEffort();
}

bool
VarysDeadline::Fits(const ClairvoyantView& view, std::size_t row, const PortRates& capacity)
{
    const double timeLeft = TimeLeft(view, row);
    if (timeLeft == INFINITE_TIME)
    {
        return true;
    }
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const double left = TimeLeft(view, r);
        if (r != row && Guaranteed(left))
        {
            for (const PortDemand& d : m_loads.Of(r))
            {
                m_budget.Take(d.port, d.load / left);
            }
        }
    }
    const double needed = std::max(Gamma(m_loads.Of(row), m_budget) * (1 + m_pad), m_minimum);
    // The margin of 1e-12 is for rounding errors: a coflow that meets its deadline exactly fits.
    return needed <= timeLeft * (1 + 1e-12);
}

Decision
VarysDeadline::Allocate(const ClairvoyantView& view,
                        const PortRates& capacity,
                        std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    OrderBy(m_order, view.sizes, &CoflowSizes::deadline); // those without a deadline are last
    // Coflows with a past deadline, and best-effort coflows, take no capacity from coflows that can
    // still be in time.
    const auto rank = [&](std::uint32_t r) {
        return 2 * IsBestEffort(view.coflows[r]) + (view.sizes[r].deadline <= view.now);
    };
    std::ranges::stable_sort(m_order, {}, rank);
    for (std::uint32_t r : m_order)
    {
        const double left = TimeLeft(view, r);
        if (!Guaranteed(left))
        {
            continue;
        }
        const CoflowRow& row = view.coflows[r];
        if (Gamma(m_loads.Of(r), m_budget) <= left)
        {
            Madd(row, view.remaining, m_loads.Of(r), left, m_budget, rates);
            continue;
        }
        // Flows have had less than their guaranteed rates, so the needed rates exceed the free
        // capacity. Coflows with earlier deadlines keep their rates.
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            rates[f] = std::min({view.remaining[f] / left,
                                 m_budget.Free(m_budget.Sending(view.src[f])),
                                 m_budget.Free(m_budget.Receiving(view.dst[f]))});
            m_budget.Take(view.src[f], view.dst[f], rates[f]);
        }
    }
    Backfill(view, view.remaining, m_order, m_loads, m_budget, m_filler, rates);
    return {NEVER, false, m_order};
}

} // namespace coflow
