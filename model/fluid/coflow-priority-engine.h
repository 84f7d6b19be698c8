/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PRIORITY_ENGINE_H
#define COFLOW_PRIORITY_ENGINE_H

#include "ns3/coflow-fluid-executor.h"
#include "ns3/coflow-policy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

namespace coflow
{

/// The executor for policies with a total order of flows (PriorityForm), or with an order of
/// coflows that changes when coflows arrive and finish (OrderForm), where all ports have the same
/// rate. A flow then has the full rate of its two ports, or waits. The running flows are the greedy
/// matching of ports, best flow first.
///
/// This is the only matching in which no waiting flow is better than the running flows at both its
/// ports. After every event, the engine repairs the matching: a free port takes its best flow whose
/// other port is free or runs a worse flow. The worse flow stops, and the port at its other end is
/// repaired next. Between events, the ranks of running flows only become better, so that the
/// matching stays valid. A flow costs O(ports + log flows) plus O(ports at its port + log flows)
/// for every flow that it displaces.
class PriorityEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records; all ports have the same rate, and Fits() is true
    /// @param form the order
    PriorityEngine(FluidRun& run, const PriorityForm& form);

    /// @param run workload and records; all ports have the same rate, and Fits() is true
    /// @param policy a policy with an OrderForm, which is asked for its order
    PriorityEngine(FluidRun& run, Policy& policy);

    /// Whether this engine can run the workload: the numbers of flows fit into 32 bits, and no
    /// coflow with parents has a deadline. Such a deadline counts from a time that is not known
    /// before the run.
    static bool Fits(const FluidRun& run)
    {
        return run.FlowCount() < UINT32_MAX &&
               std::none_of(
                   run.GetWorkload().coflows.begin(),
                   run.GetWorkload().coflows.end(),
                   [](const Coflow& coflow) { return coflow.deadline && !coflow.parents.empty(); });
    }

  private:
    Nanoseconds Next() override;
    void Settle(Nanoseconds time) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    static constexpr std::uint32_t NONE = UINT32_MAX; ///< no port, or no link

    /// Rank of a flow: first key, second key, number of the flow. Smaller ranks run first. The rank
    /// is one number of 128 bits, because most of the engine's work is to compare ranks.
    struct Key
    {
        std::uint64_t high{0}; ///< first key, upper half of the second
        std::uint64_t low{0};  ///< lower half of the second key, number

        /// @param major first key
        /// @param minor second key; negative values count as 0
        /// @param flow number of the flow in the workload, which is unique
        static Key Of(std::uint32_t major, double minor, std::uint32_t flow)
        {
            // Doubles >= 0 have the same order as their bits as integers.
            const auto bits = std::bit_cast<std::uint64_t>(std::max(minor, 0.0));
            return {std::uint64_t{major} << 32 | bits >> 32, bits << 32 | flow};
        }

        /// @return the rank of the same flow with another second key
        Key With(double minor) const
        {
            return Of(static_cast<std::uint32_t>(high >> 32), minor, Flow());
        }

        /// The number of the flow.
        std::uint32_t Flow() const
        {
            return static_cast<std::uint32_t>(low);
        }

        bool operator==(const Key&) const = default;

        bool operator<(const Key& other) const
        {
            return high != other.high ? high < other.high : low < other.low;
        }
    };

    /// Rank that is worse than the rank of every flow.
    static constexpr Key FREE{UINT64_MAX, UINT64_MAX};

    /// A waiting flow of a link.
    struct Waiting
    {
        Key key{FREE};           ///< its rank, which does not change while it waits
        double remaining{0};     ///< bytes left
        std::uint32_t coflow{0}; ///< position of its coflow

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Waiting& other) const
        {
            return other.key < key;
        }
    };

    /// A flow that has just become ready.
    struct Arrival
    {
        Waiting flow;       ///< the flow
        std::uint32_t link; ///< link of the flow
    };

    /// A pair of hosts.
    struct Link
    {
        std::uint32_t port[2];       ///< sending and receiving port
        Waiting best;                ///< its best waiting flow; FREE: none
        std::vector<Waiting> behind; ///< all other waiting flows, a heap
    };

    /// The best waiting flow of a link, in the list of one of its ports.
    struct Candidate
    {
        Key key;             ///< rank of the flow
        std::uint32_t link;  ///< link of the flow
        std::uint32_t other; ///< the port at the other end

        bool operator<(const Candidate& candidate) const
        {
            return key < candidate.key;
        }
    };

    /// A flow that Repair() may start.
    struct Offer
    {
        Key key;            ///< its rank
        std::uint32_t port; ///< the port that offers the flow
        std::uint32_t link; ///< link of the flow

        /// Reverse order, for heaps with the best on top.
        bool operator<(const Offer& offer) const
        {
            return offer.key < key;
        }
    };

    /// The running flow of a sending port.
    struct Running
    {
        double remaining{0};     ///< bytes left at `since`
        Nanoseconds since{0};    ///< start of the flow
        std::uint32_t link{0};   ///< link of the flow
        std::uint32_t coflow{0}; ///< position of its coflow
    };

    /// A flow with its link, and with its rank by its size.
    Arrival ArrivalOf(std::uint32_t index, const Flow& flow);

    /// Starts flows that have just become ready, or makes them wait.
    void StartArrived();

    /// Asks the policy for an order of the present coflows, and starts flows anew in this order.
    void Reorder();

    /// Updates the bytes left of running flows, and clears all ports and links.
    void Empty();

    /// @return the present coflows, most urgent first
    std::vector<std::uint32_t> AskForOrder();

    /// @return the number of the link between two ports. The link is created where it does not
    ///         exist
    std::uint32_t LinkBetween(std::uint32_t from, std::uint32_t to);

    /// Makes a flow wait.
    void Wait(std::uint32_t link, const Waiting& flow);

    /// Removes the best flow of a link.
    Waiting TakeBest(std::uint32_t link);

    /// Changes the best flow of a link, in m_candidates too.
    void SetBest(std::uint32_t link, const Waiting& flow);

    /// Starts a flow of a link at both ports, and stops the flows that run there.
    void Start(std::uint32_t link, const Waiting& flow);

    /// Stops the running flow of a sending port and makes it wait.
    void Stop(std::uint32_t port);

    /// Frees both ports of the running flow of a sending port.
    void Vacate(std::uint32_t port);

    /// Fills free ports until the matching is greedy again.
    void Repair();

    /// Makes an offer of a port: the best waiting flow of its links that may take both its ports.
    /// The new offer replaces the port's last offer.
    /// @param port the port
    /// @param from rank at which the search begins; no flow with a better rank may take both its
    ///        ports
    void OfferBest(std::uint32_t port, const Key& from);

    /// Whether a flow of this rank may take a port now.
    bool MayTake(std::uint32_t port, const Key& key)
    {
        // The rank of a running flow only becomes better, so m_runKey is a bound.
        return key < m_runKey[port] && (m_peer[port] == NONE || key < UpdateKey(port));
    }

    /// Updates the rank of the running flow of a port.
    const Key& UpdateKey(std::uint32_t port);

    /// @return the sending port of the flow that uses a busy port
    std::uint32_t SenderAt(std::uint32_t port) const
    {
        return port < m_running.size() ? port : m_peer[port];
    }

    const PriorityForm m_form;                                 ///< the order
    const double m_rate;                                       ///< rate of every port, in bytes per
                                                               ///< second
    std::vector<std::uint32_t> m_major;                        ///< per coflow: first key
    std::vector<Link> m_links;                                 ///< pairs of hosts
    std::unordered_map<std::uint64_t, std::uint32_t> m_linkOf; ///< number of the link, by hosts
    std::vector<std::vector<Candidate>>
        m_candidates;                    ///< per port: links with waiting flows, by rank
    std::vector<Running> m_running;      ///< per sending port: its running flow
    std::vector<Nanoseconds> m_finish;   ///< per sending port: finish time of its running flow, or
                                         ///< NEVER
    std::vector<std::uint32_t> m_peer;   ///< per port: the port at the other end, or NONE
    std::vector<Key> m_runKey;           ///< per port: rank of its running flow, or a worse rank;
                                         ///< FREE: no flow
    std::vector<Arrival> m_arrived;      ///< flows that have just become ready
    std::vector<std::uint32_t> m_dirty;  ///< ports that Repair() has to visit
    std::vector<Key> m_offerKey;         ///< per port: rank of its valid offer; FREE: none
    std::priority_queue<Offer> m_offers; ///< offers, of which Repair() starts the valid ones; the
                                         ///< best on top

    /// A coflow of an OrderForm.
    struct Present
    {
        std::uint32_t index{0}; ///< position of the coflow in the workload
        Nanoseconds ready{0};   ///< time at which the coflow became ready
        CoflowSizes sizes{};    ///< sizes of the coflow at its registration, and its deadline
    };

    /// A flow of an OrderForm.
    struct Served
    {
        FlowId flow{0};        ///< id of the flow
        std::uint32_t link{0}; ///< link of the flow
    };

    Policy* m_policy{nullptr};      ///< policy with an OrderForm; null: m_form has the order
    bool m_changed{false};          ///< a coflow has arrived or finished since the last question to
                                    ///< the policy
    std::vector<Present> m_present; ///< present coflows, by (ready, position)
    /// Per present coflow: its flows that use the fabric, in the order of service.
    std::vector<std::vector<Served>> m_service;
    std::vector<double> m_left; ///< per flow: bytes left when the flow last stopped; 0: finished
};

} // namespace coflow

#endif // COFLOW_PRIORITY_ENGINE_H
