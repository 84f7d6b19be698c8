/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-least-rate.h"

#include <algorithm>
#include <array>
#include <vector>

namespace coflow
{

namespace
{

constexpr double ROUNDING = 1e-9; ///< relative error of sums of rates

/// The rates of flows, and the least rates at their ports.
class Rates
{
  public:
    Rates(const StructureView& view,
          const PortRates& capacity,
          double least,
          std::span<double> rates)
        : m_view(view),
          m_capacity(capacity),
          m_least(2 * capacity.ingress.size(), 0.0),
          m_rates(rates)
    {
        std::vector<std::size_t> flows(Ports(), 0);
        view.ForEachFlow([&](std::uint32_t f) {
            for (const std::size_t p : PortsOf(f))
            {
                flows[p] += m_rates[f] > 0;
            }
        });
        for (std::size_t p = 0; p < Ports(); ++p)
        {
            // All flows of a port can have this rate at the same time.
            m_least[p] =
                std::min(least, CapacityOf(p) / std::max(1.0, static_cast<double>(flows[p])));
        }
    }

    std::size_t Ports() const
    {
        return 2 * m_capacity.ingress.size();
    }

    /// The capacity of a port, in bytes per second. Sending ports have the first indices.
    double CapacityOf(std::size_t port) const
    {
        const std::size_t hosts = m_capacity.ingress.size();
        return port < hosts ? m_capacity.ingress[port] : m_capacity.egress[port - hosts];
    }

    /// The two ports of a flow.
    std::array<std::size_t, 2> PortsOf(std::uint32_t flow) const
    {
        return {m_view.src[flow], m_capacity.ingress.size() + m_view.dst[flow]};
    }

    /// The least rate of a flow, in bytes per second.
    double LeastOf(std::uint32_t flow) const
    {
        const auto ports = PortsOf(flow);
        return std::min(m_least[ports[0]], m_least[ports[1]]);
    }

    /// Whether the rate of a flow is above 0 and below the least rate of the flow.
    bool IsSmall(std::uint32_t flow) const
    {
        return m_rates[flow] > 0 && m_rates[flow] < LeastOf(flow) * (1 - ROUNDING);
    }

    const StructureView& View() const
    {
        return m_view;
    }

    double& operator[](std::uint32_t flow) const
    {
        return m_rates[flow];
    }

  private:
    const StructureView& m_view;     ///< the flows
    const PortRates& m_capacity;     ///< rates of the ports
    std::vector<double> m_least;     ///< per port: least rate of its flows, in bytes per second
    const std::span<double> m_rates; ///< rate per flow, in bytes per second
};

/// Raises small rates without an order. At a port, all flows above their least rates give up at
/// least the same share of the excess. The excess of these flows is always enough.
void
RaiseTogether(const Rates& rates)
{
    struct Port
    {
        double free{0};  ///< unused rate
        double spare{0}; ///< sum of the rates above the least rates
        double part{0};  ///< share of `spare` that flows give up, 0 to 1
    };

    std::vector<Port> ports(rates.Ports());
    for (std::size_t p = 0; p < ports.size(); ++p)
    {
        ports[p].free = rates.CapacityOf(p);
    }
    rates.View().ForEachFlow([&](std::uint32_t f) {
        for (const std::size_t p : rates.PortsOf(f))
        {
            ports[p].free -= rates[f];
            ports[p].spare += std::max(rates[f] - rates.LeastOf(f), 0.0);
        }
    });
    std::vector<double> needs(ports.size());
    rates.View().ForEachFlow([&](std::uint32_t f) {
        if (rates.IsSmall(f))
        {
            for (const std::size_t p : rates.PortsOf(f))
            {
                needs[p] += rates.LeastOf(f) - rates[f];
            }
            rates[f] = rates.LeastOf(f);
        }
    });
    for (std::size_t p = 0; p < ports.size(); ++p)
    {
        const double lacks = needs[p] - std::max(ports[p].free, 0.0);
        ports[p].part = lacks > 0 ? std::min(1.0, lacks / ports[p].spare) : 0;
    }
    rates.View().ForEachFlow([&](std::uint32_t f) {
        const double above = rates[f] - rates.LeastOf(f);
        if (above > 0)
        {
            const auto ends = rates.PortsOf(f);
            rates[f] -= above * std::max(ports[ends[0]].part, ports[ends[1]].part);
        }
    });
}

/// Raises small rates by an order: the flows with a rate, and the state of their ports.
class Raiser
{
  public:
    explicit Raiser(const Rates& rates)
        : m_rates(rates),
          m_ports(rates.Ports())
    {
        for (std::size_t p = 0; p < m_ports.size(); ++p)
        {
            m_ports[p].free = m_rates.CapacityOf(p);
        }
    }

    /// Adds a flow, in the policy's order.
    void Add(std::uint32_t flow)
    {
        if (m_rates[flow] > 0)
        {
            m_flows.push_back(flow);
            for (const std::size_t p : m_rates.PortsOf(flow))
            {
                m_ports[p].flows.push_back(flow);
                m_ports[p].all.push_back(flow);
                m_ports[p].free -= m_rates[flow];
                m_ports[p].behind += Spare(flow);
            }
        }
    }

    /// Raises each small rate, or sets it to 0. Takes the added rates from flows that are later in
    /// the order.
    void Run()
    {
        for (Port& port : m_ports)
        {
            port.free = std::max(port.free, 0.0);
        }
        for (const std::uint32_t flow : m_flows)
        {
            // `behind` has only flows after the present flow.
            for (const std::size_t p : m_rates.PortsOf(flow))
            {
                m_ports[p].behind -= Spare(flow);
            }
            if (m_rates.IsSmall(flow))
            {
                RaiseOrStop(flow);
            }
        }
        for (const std::uint32_t flow : m_flows)
        {
            for (const std::size_t p : m_rates.PortsOf(flow))
            {
                m_ports[p].running += m_rates[flow] > 0;
            }
        }
        for (const std::uint32_t flow : m_flows)
        {
            StartAlone(flow);
        }
        HandOut();
    }

  private:
    /// A port of a host.
    struct Port
    {
        double free{0};                 ///< unused rate
        double behind{0};               ///< sum of Spare() of the flows after the present flow
        double stopped{0};              ///< sum of the former rates of stopped flows
        std::size_t running{0};         ///< number of flows with a rate after all raises
        std::vector<std::uint32_t> all; ///< its flows, in the policy's order
        /// As `all`, without the last flows that have no more rate to give.
        std::vector<std::uint32_t> flows;
    };

    /// The rate that a flow can give to flows before it in the order: all of a small rate,
    /// otherwise the rate above the least rate.
    double Spare(std::uint32_t flow) const
    {
        const double least = m_rates.LeastOf(flow);
        return m_rates[flow] < least ? m_rates[flow] : m_rates[flow] - least;
    }

    /// Raises the small rate of a flow to the least rate, or sets the rate to 0 if one of the ports
    /// cannot give enough.
    void RaiseOrStop(std::uint32_t flow)
    {
        const double more = m_rates.LeastOf(flow) - m_rates[flow];
        const auto ports = m_rates.PortsOf(flow);
        const auto enough = [&](std::size_t p) {
            return m_ports[p].free + m_ports[p].behind >= more * (1 - ROUNDING);
        };
        if (enough(ports[0]) && enough(ports[1]))
        {
            Take(ports[0], more, flow);
            Take(ports[1], more, flow);
            m_rates[flow] = m_rates.LeastOf(flow);
            return;
        }
        for (const std::size_t p : ports)
        {
            m_ports[p].free += m_rates[flow];
            m_ports[p].stopped += m_rates[flow];
        }
        m_rates[flow] = 0;
    }

    /// Gives a stopped flow the least rate if no other flow at one of its ports has a rate. The
    /// capacity of this port would otherwise stay unused. At the other port, the last flows in the
    /// order give their rates above the least rate, which is always enough.
    void StartAlone(std::uint32_t flow)
    {
        const auto ports = m_rates.PortsOf(flow);
        if (m_rates[flow] > 0 || (m_ports[ports[0]].running > 0 && m_ports[ports[1]].running > 0))
        {
            return;
        }
        const double least = m_rates.LeastOf(flow);
        double rate = least;
        for (const std::size_t p : ports)
        {
            Port& port = m_ports[p];
            for (auto donor = port.all.rbegin(); donor != port.all.rend() && port.free < least;
                 ++donor)
            {
                const double above = m_rates[*donor] - m_rates.LeastOf(*donor);
                const double given = std::clamp(least - port.free, 0.0, std::max(above, 0.0));
                m_rates[*donor] -= given;
                for (const std::size_t q : m_rates.PortsOf(*donor))
                {
                    m_ports[q].free += given;
                }
            }
            rate = std::min(rate, port.free);
        }
        if (rate > 0)
        {
            m_rates[flow] = rate;
            for (const std::size_t p : ports)
            {
                m_ports[p].free -= rate;
                ++m_ports[p].running;
            }
        }
    }

    /// Takes a rate from a port for a flow: first unused rate, then rates of the last flows in the
    /// order.
    void Take(std::size_t p, double rate, std::uint32_t taker)
    {
        Port& port = m_ports[p];
        while (port.free < rate && port.flows.back() != taker)
        {
            const std::uint32_t donor = port.flows.back();
            const double given = std::min(Spare(donor), rate - port.free);
            const double left = Spare(donor) - given;
            // The given rate becomes free at both ports of the donor. A small rate of a donor stays
            // small, and another rate stays at or above the least rate. So the donor can give
            // `left` afterwards.
            const double kept =
                m_rates.LeastOf(donor) <= m_rates[donor] ? m_rates.LeastOf(donor) : 0.0;
            m_rates[donor] = std::max(m_rates[donor] - given, kept);
            for (const std::size_t q : m_rates.PortsOf(donor))
            {
                m_ports[q].free += given;
                m_ports[q].behind -= given;
            }
            if (left <= 0)
            {
                port.flows.pop_back();
            }
        }
        port.free = std::max(port.free - rate, 0.0);
    }

    /// Gives the former rates of stopped flows to the first flows in the order that have a rate.
    void HandOut()
    {
        for (const std::uint32_t flow : m_flows)
        {
            const auto ports = m_rates.PortsOf(flow);
            Port& from = m_ports[ports[0]];
            Port& to = m_ports[ports[1]];
            const double more = std::min({from.stopped, from.free, to.stopped, to.free});
            if (m_rates[flow] > 0 && more > 0)
            {
                m_rates[flow] += more;
                for (Port* port : {&from, &to})
                {
                    port->stopped -= more;
                    port->free -= more;
                }
            }
        }
    }

    const Rates& m_rates;               ///< rates of the flows
    std::vector<Port> m_ports;          ///< ports; sending ports come first
    std::vector<std::uint32_t> m_flows; ///< flows that had a rate at first, in the policy's order
};

} // namespace

void
RaiseToLeastRate(const StructureView& view,
                 const PortRates& capacity,
                 double least,
                 std::span<const std::uint32_t> order,
                 std::span<double> rates)
{
    bool any = false;
    view.ForEachFlow([&](std::uint32_t f) { any = any || (rates[f] > 0 && rates[f] < least); });
    if (!any)
    {
        return;
    }
    const Rates all(view, capacity, least, rates);
    if (order.empty())
    {
        RaiseTogether(all);
        return;
    }
    Raiser raiser(all);
    for (const std::uint32_t r : order)
    {
        const CoflowRow& row = view.coflows[r];
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            raiser.Add(f);
        }
    }
    raiser.Run();
}

} // namespace coflow
