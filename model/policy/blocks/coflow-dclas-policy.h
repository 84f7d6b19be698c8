/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCLAS_POLICY_H
#define COFLOW_DCLAS_POLICY_H

#include "ns3/coflow-policy.h"
#include "ns3/coflow-port-index.h"
#include "ns3/coflow-queue-sharing.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coflow
{

/// Discretised coflow-aware least-attained service (Aalo, SIGCOMM 2015). Derived classes define the
/// order inside a queue. A coflow starts in queue 0. It moves to queue k when all its flows
/// together have sent Q_k-1 = firstThreshold x factor^(k-1) bytes, and never moves up.
///
/// Hosts decide the rates of their flows. At multiples of `delta` a coordinator sends them, for
/// each coflow, the bytes that all hosts have sent and the number of receivers. With
/// `receiverMatch` the coordinator also sends the receivers to which the coflow may send. For this
/// purpose the coordinator visits its coflows in order, and gives each coflow the port capacity
/// that the coflow can use. A receiver is closed to a coflow if less than `matchFloor` of the
/// receiver's capacity is left at the coflow's turn. With all-or-none, one such receiver closes all
/// receivers to the coflow. When flows finish, the coordinator also decides between two multiples
/// of delta, but not before `matchGap` x delta after its last decision.
///
/// This class is the coordinator, and has the rules by which hosts decide. As a policy, it decides
/// as if all hosts had all information at once. HybridControl in the fluid engine, or daemons at
/// packet level, simulate the hosts.
///
/// Queues share every port by weight (K - k) or by strict priority (QueueSharing). Inside a queue,
/// coflows are served one by one in order. The flows of a coflow share equally.
///
/// The policy decides when coflows arrive, finish, or change queues, and `coalesce` after a flow
/// has finished. A decision costs O(flows that get a rate + flows of coflows with finished flows),
/// and O(flows) if a receiver is closed to a coflow.
class DclasPolicy : public AttainedPolicy
{
  public:
    /// Share of a threshold at which the threshold counts as reached, because of rounding errors.
    static constexpr double ARRIVED = 1 - 1e-12;

    /// @param queues number of queues, K
    /// @param matchGap default of the parameter
    /// @returns the parameters of the family
    static std::vector<ParameterSpec> Specs(int queues, double matchGap);

    Control GetControl() const override
    {
        return Control::HYBRID;
    }

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) final;

    /// Called before the coordinator or the hosts decide. A subclass may change the thresholds in
    /// this call.
    /// @param view the coflows now
    /// @param capacity rates of the ports, in bytes per second
    /// @returns time of the next call even if nothing happens; NEVER: none
    virtual Nanoseconds MoveThresholds(const AttainedView& view, const PortRates& capacity);

    /// Changes the thresholds. Coflows that have sent more than a new threshold move down. No
    /// coflow moves up.
    /// @param thresholds bytes at which a coflow leaves queue 0, 1, ..., K - 2; ascending, > 0
    /// @throws InputError if the number of thresholds is wrong, or if they are not in order
    void SetThresholds(std::vector<Bytes> thresholds);

    /// The thresholds of the last SetThresholds(); none without such a call.
    std::span<const Bytes> MovedThresholds() const
    {
        return m_moved;
    }

    /// Computes the time at which a number of bytes has been sent.
    /// @param now the time
    /// @param amount number of bytes, not negative
    /// @param rate rate of the bytes, in bytes per second
    /// @returns the time, at least a nanosecond after `now`; NEVER: the time is more than 4e18 ns
    ///          away
    static Nanoseconds After(Nanoseconds now, double amount, double rate);

    /// @name Rules for hosts, which decide with their own information
    /// @{

    /// Order inside a queue; by default first in, first out.
    /// @param queue the coflow's queue
    /// @param width number of receivers of its unfinished flows
    /// @returns the key; smaller keys are first; ties by readiness and id
    virtual double KeyOf(int queue, std::uint32_t width) const;

    /// Whether a coflow is served only if all its receivers have a free rate.
    virtual bool AllOrNone() const
    {
        return false;
    }

    /// Number of queues K.
    int Queues() const
    {
        return m_queues;
    }

    /// Whether a queue is the lowest one.
    bool IsLast(int queue) const
    {
        return queue >= m_queues - 1;
    }

    /// Bytes at which a coflow leaves a queue. Coflows do not leave the last queue.
    double Threshold(int queue) const
    {
        return m_thresholds[queue];
    }

    /// The queue to which a coflow moves down.
    /// @param from its present queue; a coflow never moves up
    /// @param sent known number of bytes that it has sent
    int QueueAfter(int from, double sent) const
    {
        while (!IsLast(from) && sent >= m_thresholds[from])
        {
            ++from;
        }
        return from;
    }

    /// The rank of a coflow.
    /// @param promoted whether the coflow is served before all queues
    /// @param queue its queue
    /// @param width number of receivers of its unfinished flows
    QueueSharing::Rank RankOf(bool promoted, int queue, std::uint32_t width) const
    {
        return promoted ? QueueSharing::Rank{QueueSharing::FIRST, 0}
                        : QueueSharing::Rank{queue, KeyOf(queue, width)};
    }

    /// Weight of a queue, if queues share by weight.
    double Weight(int queue) const
    {
        return m_sharing.Weight(queue);
    }

    /// Whether a higher queue has strict priority over a lower one.
    bool IsStrict() const
    {
        return m_strict;
    }

    /// Period of the coordinator.
    Nanoseconds Delta() const
    {
        return m_delta;
    }

    /// Least time between two decisions on receivers, as a share of the period; 1: one decision per
    /// period.
    double MatchGap() const
    {
        return m_matchGap;
    }

    /// Whether hosts add their own sent bytes to the last sum of the coordinator.
    bool LocalEstimate() const
    {
        return m_localEstimate;
    }

    /// @}

    /// @name The coordinator, for simulations of its delay
    /// @{

    /// Updates the index of flows by port.
    /// @param view the coflows now
    /// @param hosts number of hosts
    /// @returns the flows by port; valid until the next call
    const PortIndex& UpdateIndex(const AttainedView& view, std::size_t hosts);

    /// Decides order, receivers and rates, as if all hosts had all information at once.
    /// @param view the coflows of the last UpdateIndex()
    /// @param capacity rates of the ports, in bytes per second
    /// @param queues queue per row; none: the coordinator does not know the coflow
    /// @param rates rates per flow; the new rates are added
    void Coordinate(const AttainedView& view,
                    const PortRates& capacity,
                    std::span<const std::optional<int>> queues,
                    std::span<double> rates);

    /// The object that has computed the last rates, for the computation of other rates.
    QueueSharing& Sharing()
    {
        return m_sharing;
    }

    /// Time at which a coflow without a rate will be promoted; NEVER: never.
    virtual Nanoseconds PromotionTime(const CoflowRow& row) const;

    /// @}

    /// @name The last decision of the coordinator
    /// @{

    /// Rows in the order of service.
    std::span<const std::uint32_t> Order() const
    {
        return m_order;
    }

    /// Queue of a row.
    int QueueOfRow(std::size_t row) const
    {
        return m_rowQueue[row];
    }

    /// Whether a row is served before all queues.
    bool IsPromoted(std::size_t row) const
    {
        return m_promoted[row] != 0;
    }

    /// Whether a coflow may send to a receiver.
    /// @param row row of the view
    /// @param receiver a host to which the coflow has flows
    /// @returns whether it may
    bool MaySend(std::size_t row, HostId receiver) const;

    /// Per receiver of a row, in order: 1 if the coflow may send to the receiver, otherwise 0.
    std::span<const std::uint8_t> OpenReceivers(std::size_t row) const;

    /// Number of receivers to which a row has flows.
    std::uint32_t WidthOfRow(std::size_t row) const
    {
        return m_index.Of(row).Receivers();
    }

    /// @}

  protected:
    /// @param parameters values of Specs()
    explicit DclasPolicy(const Parameters& parameters);

    /// Whether a coflow is served before all queues.
    virtual bool Promoted(const CoflowRow& row, Nanoseconds now);

    /// Bytes that the smallest sending port moves in a duration at `matchFloor` of its rate.
    /// @param time the duration, in nanoseconds
    /// @returns number of bytes
    double LeastProgress(Nanoseconds time) const
    {
        return m_matchFloor * m_leastRate * static_cast<double>(time) * 1e-9;
    }

  private:
    /// Finds the receivers to which a group may send at its turn.
    /// @returns the nodes of the group that take part
    std::span<const std::uint32_t> TakeTurn(const QueueSharing::Group& group,
                                            std::span<const std::uint32_t> nodes,
                                            const PortBudget& budget,
                                            bool leftovers);

    /// Time of the next decision, with a coordinator that knows everything.
    Nanoseconds NextTime(const AttainedView& view) const;

    int m_queues;         ///< K
    Nanoseconds m_delta;  ///< period of the coordinator
    double m_matchGap;    ///< least share of m_delta between decisions on receivers
    bool m_receiverMatch; ///< the coordinator decides to which receivers coflows may send
    double m_matchFloor;  ///< least share of a receiver's capacity that a coflow needs
    bool m_localEstimate; ///< hosts add their own sent bytes
    Triggers m_triggers;  ///< events and times of decisions
    bool m_strict;        ///< queues have strict priority
    /// @name The coordinator
    /// @{
    std::vector<std::uint8_t> m_queueOf;  ///< queue by coflow index, if all information is known
    std::vector<int> m_rowQueue;          ///< queue per row
    std::vector<std::uint32_t> m_order;   ///< rows in the order of service
    std::vector<std::uint8_t> m_promoted; ///< promotion per row
    std::vector<std::uint8_t> m_open;     ///< permission to send, per node of all rows
    double m_leastRate{0};                ///< least rate of the sending ports, in bytes per second
    /// @}
    PortIndex m_index;                 ///< flows of the coflows by port
    QueueSharing m_sharing;            ///< sharing of ports by queues
    std::vector<std::uint32_t> m_turn; ///< working memory: nodes that take part
    std::vector<double> m_thresholds;  ///< thresholds by queue
    std::vector<Bytes> m_moved;        ///< thresholds of the last SetThresholds()
};

} // namespace coflow

#endif // COFLOW_DCLAS_POLICY_H
