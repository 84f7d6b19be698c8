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

/// The executor for policies that are a total order of flows (PriorityForm), or an order of coflows
/// that changes when coflows come and go (OrderForm), where all ports have the same rate: a flow
/// then has all of both its ports or nothing, and what runs is the greedy matching of ports, best
/// flow first.
///
/// That matching is the only one in which no waiting flow is better than what runs at both its
/// ports. It is kept up to date by repairs: a port that has become free takes its best flow
/// whose other port is free or runs something worse, which frees a port in turn. Between events
/// running flows only get better, so the matching lasts. A flow costs O(ports + log flows) plus
/// O(ports at its port + log flows) for every flow that it displaces.
class PriorityEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records; all ports have the same rate, flows fit (Fits)
    /// @param form the order
    PriorityEngine(FluidRun& run, const PriorityForm& form);

    /// @param run likewise
    /// @param policy has an OrderForm; is asked for its order
    PriorityEngine(FluidRun& run, Policy& policy);

    /// Whether the workload has few enough flows to number them with 32 bits.
    static bool Fits(const FluidRun& run)
    {
        return run.FlowCount() < UINT32_MAX;
    }

  private:
    Nanoseconds Next() override;
    void Settle(Nanoseconds time) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    static constexpr std::uint32_t NONE = UINT32_MAX; ///< no port, or no link

    /// Rank of a flow: first key, second key, number of the flow. Smaller runs first. One number
    /// of 128 bits, since comparing these is most of what the engine does.
    struct Key
    {
        std::uint64_t high{0}; ///< first key, upper half of the second
        std::uint64_t low{0};  ///< lower half of the second key, number

        /// @param major first key
        /// @param minor second key; what is negative counts as 0
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
        Key key{FREE};           ///< its rank; does not change while it waits
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
        std::uint32_t link; ///< where it is going to run
    };

    /// A pair of hosts.
    struct Link
    {
        std::uint32_t port[2];       ///< sending and receiving port
        Waiting best;                ///< its best flow that does not run; FREE: none
        std::vector<Waiting> behind; ///< the others, a heap
    };

    /// The best waiting flow of a link, as one of its ports sees it.
    struct Candidate
    {
        Key key;             ///< rank of the flow
        std::uint32_t link;  ///< where it waits
        std::uint32_t other; ///< the port at the other end

        bool operator<(const Candidate& candidate) const
        {
            return key < candidate.key;
        }
    };

    /// A flow that Repair may start.
    struct Offer
    {
        Key key;            ///< its rank
        std::uint32_t port; ///< the port that chose it
        std::uint32_t link; ///< where it waits

        /// Reverse order, for heaps with the best on top.
        bool operator<(const Offer& offer) const
        {
            return offer.key < key;
        }
    };

    /// What a sending port runs.
    struct Running
    {
        double remaining{0};     ///< bytes left at `since`
        Nanoseconds since{0};    ///< when it started
        std::uint32_t link{0};   ///< where it runs
        std::uint32_t coflow{0}; ///< position of its coflow
    };

    /// The number of a flow's link, and the flow with the rank that its size gives.
    Arrival ArrivalOf(std::uint32_t index, const Flow& flow);

    /// Lets the flows that have just become ready run or wait.
    void StartArrived();

    /// Asks the policy for an order of the coflows that are present, and begins anew with it.
    void Reorder();

    /// Brings what is left of the flows that run up to date, and leaves all ports and links empty.
    void Empty();

    /// @return the coflows that are present, most urgent first
    std::vector<std::uint32_t> AskForOrder();

    /// The number of the link between two ports; it is made if it is new.
    std::uint32_t LinkBetween(std::uint32_t from, std::uint32_t to);

    /// Lets a flow wait.
    void Wait(std::uint32_t link, const Waiting& flow);

    /// Takes the best flow of a link away from it.
    Waiting TakeBest(std::uint32_t link);

    /// Changes the best flow of a link, in m_candidates too.
    void SetBest(std::uint32_t link, const Waiting& flow);

    /// Gives both ports of a link to a flow of it, and stops what they run.
    void Start(std::uint32_t link, const Waiting& flow);

    /// Lets the flow that a sending port runs wait.
    void Stop(std::uint32_t port);

    /// Leaves both ports of the flow free that a sending port runs.
    void Vacate(std::uint32_t port);

    /// Fills free ports until the matching is the greedy one again.
    void Repair();

    /// Offers the best waiting flow that may take both its ports, of all links at a port. It
    /// takes the place of what the port has offered before.
    /// @param port the port
    /// @param from flows of better rank are known not to
    void OfferBest(std::uint32_t port, const Key& from);

    /// Whether a flow of this rank may take a port now.
    bool MayTake(std::uint32_t port, const Key& key)
    {
        // While a flow runs its rank gets better: m_runKey is a bound.
        return key < m_runKey[port] && (m_peer[port] == NONE || key < UpdateKey(port));
    }

    /// Brings the rank of the flow that a port runs up to the time.
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
        std::uint32_t link{0}; ///< where it runs
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
