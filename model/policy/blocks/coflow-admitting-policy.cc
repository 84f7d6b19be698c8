/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-admitting-policy.h"

#include <algorithm>
#include <tuple>

namespace coflow
{

std::vector<ParameterSpec>
AdmittingPolicy::Specs()
{
    return {ParameterSpec{
                "retryAfter",
                Unit::SECONDS,
                0,
                0,
                1e6,
                "a rejected coflow tries again after this time, with the same deadline; 0: never",
                "own choice",
                Scaling::WORKLOAD},
            ParameterSpec::Flag("bestEffort",
                                false,
                                "send rejected coflows behind all others; they may be chosen later",
                                "own choice"),
            ParameterSpec::Flag("displace",
                                true,
                                "an admitted coflow may lose its place to one that comes later",
                                "code of DCoflow's authors chooses among all")};
}

AdmittingPolicy::AdmittingPolicy(const Parameters& parameters)
    : m_retryAfter(parameters.Time("retryAfter")),
      m_bestEffort(parameters.Flag("bestEffort")),
      m_displace(parameters.Flag("displace"))
{
}

AdmittingPolicy::Standing&
AdmittingPolicy::StandingOf(const ClairvoyantView& view, std::size_t row)
{
    const std::uint32_t index = view.coflows[row].index;
    if (index >= m_standings.size())
    {
        m_standings.resize(index + 1);
    }
    return m_standings[index];
}

DeadlineChoice
AdmittingPolicy::ChooseFrom(const ClairvoyantView& view, const PortRates& capacity)
{
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    m_candidates.clear();
    m_seconds.clear();
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        if (Concerned(view, r))
        {
            m_candidates.push_back(r);
            auto& seconds = m_seconds.emplace_back(m_loads.Of(r).begin(), m_loads.Of(r).end());
            for (PortDemand& d : seconds)
            {
                d.load /= m_budget.Capacity(d.port);
            }
        }
    }
    std::vector<DeadlineJob> jobs;
    for (std::size_t k = 0; k < m_candidates.size(); ++k)
    {
        const CoflowSizes& sizes = view.sizes[m_candidates[k]];
        jobs.push_back({m_seconds[k],
                        static_cast<double>(sizes.deadline - view.now) * 1e-9,
                        static_cast<double>(sizes.attributes.weight)});
    }
    return Choose(jobs, m_budget.Ports());
}

void
AdmittingPolicy::Adopt(const ClairvoyantView& view, const DeadlineChoice& choice)
{
    for (std::uint32_t place = 0; place < choice.admitted.size(); ++place)
    {
        StandingOf(view, m_candidates[choice.admitted[place]]) = {Status::CHOSEN, place};
    }
    for (const std::uint32_t k : choice.rejected)
    {
        StandingOf(view, m_candidates[k]).status = Status::LEFT_OUT;
    }
}

Admission
AdmittingPolicy::AdmitCoflow(const ClairvoyantView& view,
                             std::size_t row,
                             const PortRates& capacity)
{
    if (view.sizes[row].deadline == NEVER)
    {
        return Admission::Accept();
    }
    if (Concerned(view, row))
    {
        const DeadlineChoice choice = ChooseFrom(view, capacity);
        const bool chosen = std::ranges::none_of(choice.rejected, [&](std::uint32_t k) {
            return m_candidates[k] == row;
        });
        const bool breaks =
            !m_displace && std::ranges::any_of(choice.rejected, [&](std::uint32_t k) {
                return StandingOf(view, m_candidates[k]).status == Status::CHOSEN;
            });
        if (chosen && !breaks)
        {
            Adopt(view, choice);
            return Admission::Accept();
        }
    }
    if (m_retryAfter > 0 && view.now + m_retryAfter < view.sizes[row].deadline)
    {
        return Admission::Later(view.now + m_retryAfter);
    }
    StandingOf(view, row).status = Status::LEFT_OUT;
    return m_bestEffort ? Admission::BestEffort() : Admission::Reject();
}

void
AdmittingPolicy::Order(const ClairvoyantView& view)
{
    // Group; position or deadline; row. Rows are ordered by ready time.
    std::vector<std::tuple<int, Nanoseconds, std::uint32_t>> keys;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const Standing& standing = StandingOf(view, r);
        if (view.sizes[r].deadline == NEVER)
        {
            keys.emplace_back(1, 0, r);
        }
        else if (standing.status == Status::CHOSEN && Concerned(view, r))
        {
            keys.emplace_back(0, standing.place, r);
        }
        else
        {
            keys.emplace_back(2, view.sizes[r].deadline, r);
        }
    }
    std::ranges::sort(keys);
    m_order.clear();
    for (const auto& key : keys)
    {
        m_order.push_back(std::get<2>(key));
    }
}

Decision
AdmittingPolicy::Allocate(const ClairvoyantView& view,
                          const PortRates& capacity,
                          std::span<double> rates)
{
    // After a restart of the coordinator, the policy sees coflows that another policy object has
    // admitted.
    Nanoseconds next = NEVER;
    bool unknown = false;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        unknown |= Concerned(view, r) && StandingOf(view, r).status == Status::NEW;
    }
    if (unknown)
    {
        Adopt(view, ChooseFrom(view, capacity));
    }
    Order(view);
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    Backfill(view, view.remaining, m_order, m_loads, m_budget, m_filler, rates);
    for (const std::uint32_t r : m_order)
    {
        // A coflow that becomes late moves behind the others at its deadline.
        if (Concerned(view, r) && StandingOf(view, r).status == Status::CHOSEN)
        {
            next = std::min(next, view.sizes[r].deadline);
        }
    }
    return {next, false, m_order};
}

} // namespace coflow
