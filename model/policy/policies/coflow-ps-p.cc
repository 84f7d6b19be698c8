/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ps-p.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<PsP>(
    "ps-p",
    "FairCloud PS-P: every port splits its rate equally between coflows, then flows",
    PsP::Specs());

constexpr int MAX_ROUNDS = 1000;   ///< of the iteration of the wfq mode
constexpr double CONVERGED = 1e-6; ///< change relative to the port's rate that ends it
constexpr double DAMPING = 0.5;    ///< weight of the new value

} // namespace

std::vector<ParameterSpec>
PsP::Specs()
{
    return {ParameterSpec::Choice("mode",
                                  {"static", "wfq"},
                                  "static: what a flow cannot use of its part is lost; wfq: it "
                                  "goes to the others, as in fair queues",
                                  "NC-DRF, Wang and Wang, plots static")};
}

FluidForm
PsP::GetForm() const
{
    if (m_wfq)
    {
        return {};
    }
    return SharingForm{false, SharingForm::Levels::PER_COFLOW_SPLIT};
}

Decision
PsP::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_ports.assign(m_budget.Ports(), {});
    for (const CoflowRow& row : view.coflows)
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            for (HostPort p : {m_budget.Sending(view.src[f]), m_budget.Receiving(view.dst[f])})
            {
                auto& parts = m_ports[p].parts;
                if (parts.empty() || parts.back().flows.front() < row.begin)
                {
                    parts.emplace_back();
                }
                parts.back().flows.push_back(f);
            }
        }
    }
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
PsP::Split(std::span<double> rates) const
{
    for (HostPort p = 0; p < m_ports.size(); ++p)
    {
        const auto& parts = m_ports[p].parts;
        for (const Part& part : parts)
        {
            const double share = m_budget.Capacity(p) / static_cast<double>(parts.size()) /
                                 static_cast<double>(part.flows.size());
            for (std::uint32_t f : part.flows)
            {
                // Sending ports come first, and every flow has one.
                rates[f] = p < m_budget.Hosts() ? share : std::min(rates[f], share);
            }
        }
    }
}

void
PsP::Offer(const Port& port, double rate, std::span<const double> limits, std::span<double> offers)
{
    m_demands.clear();
    double spare = rate;
    for (const Part& part : port.parts)
    {
        double demand = 0;
        for (std::uint32_t f : part.flows)
        {
            demand += limits[f];
        }
        m_demands.push_back(demand);
        spare -= demand;
    }
    m_wanted = m_demands;
    const double level = WaterLevel(m_wanted, rate);
    const auto parts = static_cast<double>(port.parts.size());
    for (std::size_t k = 0; k < port.parts.size(); ++k)
    {
        const double offer = std::isinf(level) ? m_demands[k] + spare / parts : level;
        const auto& flows = port.parts[k].flows;
        m_wanted.clear();
        for (std::uint32_t f : flows)
        {
            m_wanted.push_back(limits[f]);
        }
        const double flowLevel = WaterLevel(m_wanted, offer);
        const double flowSpare = (offer - m_demands[k]) / static_cast<double>(flows.size());
        for (std::uint32_t f : flows)
        {
            offers[f] = std::isinf(flowLevel) ? limits[f] + flowSpare : flowLevel;
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
    std::vector<double> newSending(flows);
    std::vector<double> newReceiving(flows);
    double change = INFINITE_TIME;
    for (int round = 0; round < MAX_ROUNDS && change > CONVERGED; ++round)
    {
        for (HostId h = 0; h < hosts; ++h)
        {
            Offer(m_ports[h], m_budget.Capacity(h), receiving, newSending);
            Offer(m_ports[hosts + h], m_budget.Capacity(hosts + h), sending, newReceiving);
        }
        change = 0;
        view.ForEachFlow([&](std::uint32_t f) {
            const double before = std::min(sending[f], receiving[f]);
            sending[f] += DAMPING * (newSending[f] - sending[f]);
            receiving[f] += DAMPING * (newReceiving[f] - receiving[f]);
            const double scale = m_budget.Capacity(m_budget.Sending(view.src[f]));
            change =
                std::max(change, std::abs(std::min(sending[f], receiving[f]) - before) / scale);
        });
    }
    // What the iteration leaves above a port's rate is taken back in proportion.
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
