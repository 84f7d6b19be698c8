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
/// rate. A flow then has its two ports or waits. The running flows are the greedy matching of
/// ports, best flow first.
///
/// This is the only matching in which no waiting flow is better than the running flows at both its
/// ports. Repairs keep it up to date: a free port takes its best flow whose other port is free or
/// runs a worse flow. The worse flow's port is then free, and is repaired next. Between events
/// running flows only become better, so that the matching stays valid. A flow costs O(ports + log
/// flows) plus O(ports at its port + log flows) for every flow that it displaces.
class PriorityEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records; all ports have the same rate, and Fits() is true
    /// @param form the order
    PriorityEngine(FluidRun& run, const PriorityForm& form);

    /// @param run workload and records; all ports have the same rate, and Fits() is true
    /// @param policy a policy with an OrderForm, which is asked for its order
    PriorityEngine(FluidRun& run, Policy& policy);

    /// Whether the workload has few enough flows to number them with 32 bits, and no deadline that
    /// counts from a time that is not known before the run: that of a coflow with parents.
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
            // Doubles that are not negative have the order of their bits.
            const auto bits = std::bit_cast<std::uint64_t>(std::max(minor, 0.0));
            return {std::uint64_t{major} << 32 | bits >> 32, bits << 32 | flow};
        }

        /// The same flow with another second key.
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

    /// Rank that is worse than every flow's.
    static constexpr Key FREE{UINT64_MAX, UINT64_MAX};

    /// A flow that waits in its link.
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
        std::uint32_t port; ///< the port that has chosen it
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

    /// The number of a flow's link, and the flow with the rank that its size gives.
    Arrival ArrivalOf(std::uint32_t index, const Flow& flow);

    /// Starts flows that have just become ready, or makes them wait.
    void StartArrived();

    /// Asks the policy for an order of the present coflows, and starts again with this order.
    void Reorder();

    /// Updates the bytes left of running flows, and clears all ports and links.
    void Empty();

    /// @return the present coflows, most urgent first
    std::vector<std::uint32_t> AskForOrder();

    /// The number of the link between two ports. A new link is created where there is none.
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

    /// Offers the best waiting flow of all links at a port that may take both its ports. The offer
    /// replaces the port's offer before.
    /// @param port the port
    /// @param from flows of better rank may not take both their ports
    void OfferBest(std::uint32_t port, const Key& from);

    /// Whether a flow of this rank may take a port now.
    bool MayTake(std::uint32_t port, const Key& key)
    {
        // While a flow runs its rank gets better: m_runKey is a bound.
        return key < m_runKey[port] && (m_peer[port] == NONE || key < UpdateKey(port));
    }

    /// Updates the rank of the running flow of a port.
    const Key& UpdateKey(std::uint32_t port);

    /// The host that sends to or from a busy port.
    std::uint32_t SenderAt(std::uint32_t port) const
    {
        return port < m_running.size() ? port : m_peer[port];
    }

    const PriorityForm m_form;                                 ///< the order
    const double m_rate;                                       ///< of every port
    std::vector<std::uint32_t> m_major;                        ///< per coflow: first key
    std::vector<Link> m_links;                                 ///< pairs of hosts
    std::unordered_map<std::uint64_t, std::uint32_t> m_linkOf; ///< by hosts
    std::vector<std::vector<Candidate>>
        m_candidates;                    ///< per port: links with waiting flows, by rank
    std::vector<Running> m_running;      ///< per sending port
    std::vector<Nanoseconds> m_finish;   ///< per sending port: when its flow finishes, or NEVER
    std::vector<std::uint32_t> m_peer;   ///< per port: the port at the other end, or NONE
    std::vector<Key> m_runKey;           ///< per port: rank of its flow or worse; FREE: none
    std::vector<Arrival> m_arrived;      ///< flows that have just become ready
    std::vector<std::uint32_t> m_dirty;  ///< ports to be looked at by Repair
    std::vector<Key> m_offerKey;         ///< per port: rank of its valid offer; FREE: none
    std::priority_queue<Offer> m_offers; ///< to be started by Repair

    /// A coflow of an OrderForm.
    struct Present
    {
        std::uint32_t index{0}; ///< its position
        Nanoseconds ready{0};   ///< when it became ready
        CoflowSizes sizes{};    ///< as it was registered
    };

    /// A flow of an OrderForm.
    struct Served
    {
        FlowId flow{0};        ///< identifier in its coflow
        std::uint32_t link{0}; ///< link of the flow
    };

    Policy* m_policy{nullptr};      ///< whose order of coflows holds; null: the form says all
    bool m_changed{false};          ///< a coflow has come or gone since it was asked
    std::vector<Present> m_present; ///< coflows, by (ready, position)
    /// Per coflow that is present: its flows that use the fabric, in the order of service.
    std::vector<std::vector<Served>> m_service;
    std::vector<double> m_left; ///< per flow: bytes left when it stopped last; 0: finished
};

} // namespace coflow

#endif // COFLOW_PRIORITY_ENGINE_H
