/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-vc.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <set>

namespace coflow
{

namespace
{

/// Ten round-trip times of a busy fabric of 1 to 10 Gbps, and twice the time by which a coflow was
/// late without setup time.
constexpr double SETUP_SECONDS = 1e-3;

const auto REGISTRATION = RegisterPolicy<VirtualCluster>(
    "vc",
    "virtual cluster: reserves one bandwidth per coflow that meets its deadline, or rejects it",
    VirtualCluster::Specs());

} // namespace

std::vector<ParameterSpec>
VirtualCluster::Specs()
{
    return {
        ParameterSpec::Flag("bidirectional",
                            false,
                            "reserve both directions of every machine",
                            "unspecified in Varys, SIGCOMM 2014, section 7.3"),
        ParameterSpec{"setup",
                      Unit::SECONDS,
                      SETUP_SECONDS,
                      0,
                      1e6,
                      "reservations finish this long before the deadline: time for messages, a "
                      "handshake and TCP's first windows",
                      "unspecified in Varys, SIGCOMM 2014, section 7.3; 0 suits the fluid engine"}};
}

void
VirtualCluster::Reserve(const ClairvoyantView& view, const PortRates& capacity)
{
    std::set<std::uint32_t> present;
    for (const CoflowRow& row : view.coflows)
    {
        present.insert(row.index);
    }
    m_budget.Reset(capacity);
    for (auto held = m_reserved.begin(); held != m_reserved.end();)
    {
        if (present.count(held->first) == 0 || held->second.until <= view.now)
        {
            held = m_reserved.erase(held);
            continue;
        }
        for (HostPort port : held->second.ports)
        {
            m_budget.Take(port, held->second.bandwidth);
        }
        ++held;
    }
}

Admission
VirtualCluster::AdmitCoflow(const ClairvoyantView& view, std::size_t row, const PortRates& capacity)
{
    const Nanoseconds deadline = view.sizes[row].deadline;
    if (deadline == NEVER)
    {
        return Admission::Accept();
    }
    const double time = static_cast<double>(deadline - view.now) * 1e-9 - m_setup;
    if (time <= 0)
    {
        return Admission::Reject();
    }
    Reserve(view, capacity);
    m_loads.ComputeBytes(view, capacity);
    std::set<HostPort> ports;
    double largest = 0;
    for (const PortDemand& d : m_loads.Of(row))
    {
        largest = std::max(largest, d.load);
        ports.insert(d.port);
        if (m_bidirectional)
        {
            const HostId hosts = m_budget.Hosts();
            ports.insert(d.port < hosts ? d.port + hosts : d.port - hosts);
        }
    }
    const double bandwidth = largest / time;
    for (HostPort port : ports)
    {
        // The margin of 1e-12 is for rounding errors: a bandwidth that fits exactly is admitted.
        if (bandwidth > m_budget.Free(port) + 1e-12 * m_budget.Capacity(port))
        {
            return Admission::Reject();
        }
    }
    m_reserved[view.coflows[row].index] = {bandwidth, {ports.begin(), ports.end()}, deadline};
    return Admission::Accept();
}

Decision
VirtualCluster::Allocate(const ClairvoyantView& view,
                         const PortRates& capacity,
                         std::span<double> rates)
{
    Reserve(view, capacity);
    m_loads.ComputeBytes(view, capacity);
    std::vector<double> load(m_budget.Ports());
    Nanoseconds end = NEVER;
    std::vector<std::uint32_t> rest;
    std::vector<std::uint32_t> late;
    m_order.clear();
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const auto held = m_reserved.find(row.index);
        if (held == m_reserved.end())
        {
            (view.sizes[r].deadline <= view.now ? late : rest).push_back(r);
            continue;
        }
        m_order.push_back(r);
        end = std::min(end, held->second.until);
        for (const PortDemand& d : m_loads.Of(r))
        {
            load[d.port] = d.load;
        }
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const double larger = std::max(load[m_budget.Sending(view.src[f])],
                                           load[m_budget.Receiving(view.dst[f])]);
            rates[f] = held->second.bandwidth * view.remaining[f] / larger;
        }
    }
    rest.insert(rest.end(), late.begin(), late.end());
    Backfill(view, view.remaining, rest, m_loads, m_budget, m_filler, rates);
    m_order.insert(m_order.end(), rest.begin(), rest.end());
    return {end, false, m_order};
}

} // namespace coflow
