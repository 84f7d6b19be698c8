/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ALLOCATORS_H
#define COFLOW_ALLOCATORS_H

#include "ns3/coflow-view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// A directed port: host h sends through port h and receives through port hosts + h.
using HostPort = std::uint32_t;

/// The free rate of every port while an allocation is made.
///
/// A port with at most 1e-9 of its rate free counts as exhausted, so that rounding does not make
/// rates of a few bytes per hour.
class PortBudget
{
  public:
    /// Frees the rates of all ports.
    void Reset(const PortRates& capacity);

    bool operator==(const PortBudget& other) const = default;

    /// Adds a limit that is no port, such as the limit of one coflow at a port. The limit stays
    /// until Reset().
    /// @returns number of the limit, to be used as a port's number
    HostPort AddLimit(double rate)
    {
        m_capacity.push_back(rate);
        m_free.push_back(rate);
        return static_cast<HostPort>(m_free.size() - 1);
    }

    /// Number of hosts.
    HostId Hosts() const
    {
        return m_hosts;
    }

    /// The port through which a host sends.
    HostPort Sending(HostId host) const
    {
        return host;
    }

    /// The port through which a host receives.
    HostPort Receiving(HostId host) const
    {
        return m_hosts + host;
    }

    /// Number of ports, and of limits added.
    std::size_t Ports() const
    {
        return m_free.size();
    }

    /// Rate left, in bytes per second; >= 0.
    double Free(HostPort port) const
    {
        return m_free[port];
    }

    /// The port's rate before anything was taken.
    double Capacity(HostPort port) const
    {
        return m_capacity[port];
    }

    /// Whether a port has no free rate.
    bool Exhausted(HostPort port) const
    {
        return m_free[port] <= EPSILON * m_capacity[port];
    }

    /// Takes a rate from a port. The free rate stays at least 0.
    void Take(HostPort port, double rate)
    {
        m_free[port] = m_free[port] > rate ? m_free[port] - rate : 0.0;
    }

    /// Free rate per port, for loops over many ports. The caller keeps the rates >= 0.
    std::span<double> FreeRates()
    {
        return m_free;
    }

    /// Takes a flow's rate from both its ports.
    void Take(HostId src, HostId dst, double rate)
    {
        Take(Sending(src), rate);
        Take(Receiving(dst), rate);
    }

    /// Whether a flow could get any rate.
    bool Open(HostId src, HostId dst) const
    {
        return !Exhausted(Sending(src)) && !Exhausted(Receiving(dst));
    }

  private:
    static constexpr double EPSILON = 1e-9; ///< counts as exhausted, relative

    HostId m_hosts{0};              ///< number of hosts
    std::vector<double> m_capacity; ///< per port
    std::vector<double> m_free;     ///< per port
};

/// The ports of hosts that have a free rate, as bits.
///
/// A set of ports has a bit per port. Sending ports come first, and receiving ports begin with a
/// new word.
class OpenPorts
{
  public:
    /// Number of words of a set.
    static std::size_t Words(HostId hosts)
    {
        return 2 * WordsOfHosts(hosts);
    }

    /// Adds a port to a set of Words().
    static void Insert(std::span<std::uint64_t> set, HostId hosts, HostPort port)
    {
        const std::size_t bit = BitOf(hosts, port);
        set[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }

    /// Finds the open ports of a budget.
    void Reset(const PortBudget& budget);

    /// Updates a port whose free rate has changed.
    void Look(HostPort port, const PortBudget& budget)
    {
        const std::size_t bit = BitOf(m_hosts, port);
        m_isOpen[port] = budget.Exhausted(port) ? 0 : 1;
        m_open[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
        m_open[bit / 64] |= std::uint64_t{m_isOpen[port]} << (bit % 64);
    }

    /// 1: a port is open; 0: it is not.
    std::uint8_t Has(HostPort port) const
    {
        return m_isOpen[port];
    }

    /// Whether all ports of a set are open.
    bool HasAll(std::span<const std::uint64_t> set) const;

    /// Whether a sending port and a receiving port of a set are open.
    bool HasPair(std::span<const std::uint64_t> set) const;

  private:
    static std::size_t WordsOfHosts(HostId hosts)
    {
        return (hosts + 63) / 64;
    }

    static std::size_t BitOf(HostId hosts, HostPort port)
    {
        return port < hosts ? port : port - hosts + 64 * WordsOfHosts(hosts);
    }

    HostId m_hosts{0};                  ///< number of hosts
    std::vector<std::uint64_t> m_open;  ///< the set of open ports
    std::vector<std::uint8_t> m_isOpen; ///< Has(), per port
};

/// Load of one port.
struct PortDemand
{
    HostPort port{0}; ///< the port
    double load{0};   ///< bytes, or number of flows
};

/// The loads of all coflows of a view at their ports.
class CoflowLoads
{
  public:
    /// Computes the bytes left. Only coflows whose flows have changed since the last time cost time
    /// for flows and ports.
    /// @param view the coflows
    /// @param capacity rates of the ports
    void ComputeBytes(const ClairvoyantView& view, const PortRates& capacity);

    /// Computes the numbers of unfinished flows. A coflow with the same number of flows as the last
    /// time has the same flows.
    /// @param view the coflows
    /// @param capacity rates of the ports
    void ComputeCounts(const StructureView& view, const PortRates& capacity);

    /// Number of hosts of the last computation.
    HostId Hosts() const
    {
        return m_whole.Hosts();
    }

    /// Loads of the coflow in this row: each of its ports once.
    std::span<const PortDemand> Of(std::size_t row) const
    {
        return m_rows[row].loads;
    }

    /// Ports of the coflow in this row, as a set of OpenPorts.
    std::span<const std::uint64_t> PortsOf(std::size_t row) const
    {
        return m_rows[row].ports;
    }

    /// Gamma of the coflow in this row: the largest load over the rate of its port, if all ports
    /// are free. In seconds for bytes.
    double GammaOf(std::size_t row) const
    {
        return m_rows[row].gamma;
    }

  private:
    /// The flows of a row: their number, and CoflowRow::revision. Or the bytes left of the row: 0,
    /// and CoflowRow::state.
    using State = std::pair<std::uint32_t, std::uint64_t>;

    /// The loads of a coflow.
    struct Row
    {
        std::uint32_t index;              ///< the coflow
        State state;                      ///< state of the row with these loads
        State flows;                      ///< flows of the row with these loads
        std::vector<PortDemand> loads;    ///< the loads
        double gamma;                     ///< GammaOf()
        std::vector<std::uint64_t> ports; ///< PortsOf()
    };

    /// Computes the loads of rows with a new state.
    /// @param stateOf stateOf(row): its state
    /// @param amount amount(flow): load of the flow
    /// @param sums working memory, see AddUp()
    template <class StateOf, class Amount, class Sum>
    void Update(const StructureView& view,
                const PortRates& capacity,
                StateOf stateOf,
                Amount amount,
                std::vector<Sum>& sums);

    /// Adds up the loads of a row. With the same flows as before, the row has the same ports,
    /// because every flow has bytes left.
    /// @param sums per port, all 0 before and after the call
    /// @param kept the loads
    template <class Amount, class Sum>
    void AddUp(const StructureView& view,
               const CoflowRow& row,
               Amount amount,
               std::vector<Sum>& sums,
               Row& kept);

    std::vector<Row> m_rows;             ///< loads per row of the view
    PortBudget m_whole;                  ///< the ports of the last computation, all free
    std::vector<double> m_bytes;         ///< working memory of ComputeBytes()
    std::vector<std::uint32_t> m_counts; ///< working memory of ComputeCounts()
};

/// Time that stands for "never", in seconds.
inline constexpr double INFINITE_TIME = std::numeric_limits<double>::infinity();

/// Shortest time in which the free rates of ports carry loads, in seconds (Varys, SIGCOMM 2014,
/// section 5.1). Infinite if a port is exhausted; 0 without load.
double Gamma(std::span<const PortDemand> loads, const PortBudget& budget);

/// Minimum allocation for desired duration: every flow gets remaining / duration, so
/// that all flows of the coflow finish together (Varys, section 5.2).
/// @param row the coflow
/// @param remaining bytes left, per flow of the view
/// @param loads loads of the coflow
/// @param duration time until all flows finish, in seconds; > 0
/// @param budget free rates; reduced
/// @param rates per flow of the view; added to
void Madd(const CoflowRow& row,
          std::span<const double> remaining,
          std::span<const PortDemand> loads,
          double duration,
          PortBudget& budget,
          std::span<double> rates);

/// Gives one flow the free rate of both its ports.
/// @returns the rate added
double TakeAll(HostId src, HostId dst, PortBudget& budget);

/// The level at which a container of a rate is full when every demand takes min(demand,
/// level); infinite if all demands fit.
/// @param demands is reordered
double WaterLevel(std::span<double> demands, double rate);

/// Exact weighted max-min fairness by progressive filling. In the result, every flow has an
/// exhausted port. At this port, the flow shares in proportion to weights with the flows that are
/// not limited elsewhere.
///
/// Works in O(flows + ports log ports) plus one visit per flow when it is frozen.
/// Keeps its working memory between calls.
///
/// This class is for any set of flows, with weights and limits. Two other classes are faster in
/// special cases. ClassFiller serves classes one after the other, and does not visit flows at an
/// exhausted port. MaxMinLevels updates levels of ports when single flows arrive or finish.
class MaxMinFiller
{
  public:
    /// Largest number of ports and limits of a flow: its two ports, and the links of a path.
    static constexpr std::size_t MOST_LIMITS = 2 + FabricPath::MOST_LINKS;

    /// Adds a flow to the set. Flows at an exhausted port get nothing.
    /// @param flow its position in `rates`
    /// @param src sending host
    /// @param dst receiving host
    /// @param weight weight of the flow; > 0
    void Add(std::uint32_t flow, HostId src, HostId dst, double weight, const PortBudget& budget);

    /// Adds a flow with one to MOST_LIMITS ports and limits.
    void Add(std::uint32_t flow,
             std::span<const HostPort> limits,
             double weight,
             const PortBudget& budget);

    /// Adds a flow whose two ports have free rates.
    /// @param flow its position in `rates`
    /// @param sending port of the flow's sender
    /// @param receiving port of the flow's receiver
    /// @param weight weight of the flow; > 0
    /// @param budget what is free
    void AddOpen(std::uint32_t flow,
                 HostPort sending,
                 HostPort receiving,
                 double weight,
                 const PortBudget& budget);

    /// Computes the rates of the added flows, and removes them from the set.
    /// @param budget what is free; reduced
    /// @param rates per flow; added to
    void Fill(PortBudget& budget, std::span<double> rates);

  private:
    /// A flow to be filled.
    struct Member
    {
        std::uint32_t flow;                           ///< position in `rates`
        std::array<std::uint32_t, MOST_LIMITS> slots; ///< positions of its ports in m_ports
        std::uint8_t count;                           ///< number of them
        bool live;                                    ///< not yet frozen
        double weight;                                ///< its share

        /// Positions of its ports and limits in m_ports.
        std::span<const std::uint32_t> Slots() const
        {
            return std::span(slots).first(count);
        }
    };

    /// A port used by members.
    struct Port
    {
        HostPort port;       ///< the port
        double weight;       ///< sum over live members
        std::uint32_t live;  ///< number of live members
        std::uint32_t begin; ///< its members in m_byPort
        std::uint32_t count; ///< number of members
    };

    /// Level at which a port is exhausted, for the heap.
    using Level = std::pair<double, std::uint32_t>;

    /// The position of a port in m_ports, which is added where it is missing. Counts a member of
    /// the port.
    std::uint32_t Join(HostPort port, double weight);
    void Index();
    void Freeze(std::uint32_t slot, double level, PortBudget& budget, std::span<double> rates);

    std::vector<Member> m_members;       ///< flows to be filled
    std::vector<Port> m_ports;           ///< ports that they use
    std::vector<std::uint32_t> m_slot;   ///< per port id: place in m_ports plus one; 0: none
    std::vector<std::uint32_t> m_byPort; ///< members of each port
    std::vector<Level> m_heap;           ///< ports by level
    std::size_t m_waiting{0};            ///< number of live members
};

/// Gives the free rates to flows by weighted max-min, coflow by coflow. With the remaining bytes as
/// weights, this is the backfill of Varys: it keeps the ratios of the rates of a coflow, and gives
/// first rates to coflows that have none.
/// @param view the coflows
/// @param weights per flow of the view; empty: 1
/// @param order rows, most urgent first
/// @param loads loads of all rows
/// @param budget what is free; reduced
/// @param filler working memory
/// @param rates per flow of the view; added to
void Backfill(const StructureView& view,
              std::span<const double> weights,
              std::span<const std::uint32_t> order,
              const CoflowLoads& loads,
              PortBudget& budget,
              MaxMinFiller& filler,
              std::span<double> rates);

} // namespace coflow

#endif // COFLOW_ALLOCATORS_H
