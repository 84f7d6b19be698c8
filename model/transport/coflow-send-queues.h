/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEND_QUEUES_H
#define COFLOW_SEND_QUEUES_H

#include "ns3/coflow-flow-key.h"

#include <boost/intrusive/set.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::coflow
{

/// Where a coflow stands among those that a host sends.
struct SendPlace
{
    uint32_t queue{0}; ///< 0 is the highest
    double key{0};     ///< order in the queue, smaller first
    uint64_t order{0}; ///< order among equal keys; where that is the same, the coflow's id decides

    auto operator<=>(const SendPlace&) const = default;
};

/// Decides which flow of a host sends the next segment.
///
/// Coflows wait in queues. The highest ones, as many as is said, go strictly before all below; the
/// others share by deficit round robin with their weights. In a queue the first coflow that has
/// something to send is served, and in a coflow one flow after the other, a segment each. A flow
/// has something to send while it is ready, as its transport says, and open, as its scheduler says;
/// a coflow or a queue without such a flow is passed over, so that nothing is wasted.
///
/// A decision costs O(log coflows), and O(queues) at worst where queues are empty.
class SendQueues
{
  public:
    class Flow;

    /// What sends a flow's segments.
    class Sender
    {
      public:
        /// Its turn has come.
        virtual void Send() = 0;

      protected:
        ~Sender() = default;
    };

    SendQueues();
    ~SendQueues();

    SendQueues(const SendQueues&) = delete;
    SendQueues& operator=(const SendQueues&) = delete;

    /// Says how queues share; to be called before any coflow is placed.
    /// @param weights per queue, highest queue first, each at least 1; at least one queue
    /// @param strict so many queues go strictly before all below them, whatever their weights
    /// @param segmentBytes what a weight of 1 may send in a round
    void SetWeights(const std::vector<double>& weights, std::size_t strict, uint32_t segmentBytes);

    /// Gives a coflow its place, or another one. Coflows that were never given one are the first
    /// of queue 0.
    /// @param coflow the coflow
    /// @param place below the number of queues
    void Place(::coflow::CoflowId coflow, const SendPlace& place);

    /// @param coflow a coflow
    /// @return its place
    SendPlace GetPlace(::coflow::CoflowId coflow) const;

    /// Forgets the place of a coflow, and the coflow when its last flow is removed.
    void Forget(::coflow::CoflowId coflow);

    /// Adds a flow, which is open and not ready.
    /// @param key the flow
    /// @param sender sends it; stays until the flow is removed
    /// @return names it until it is removed
    Flow* Add(const FlowKey& key, Sender& sender);

    /// Removes a flow.
    void Remove(Flow* flow);

    /// @param flow a flow
    /// @param open whether its scheduler lets it send
    void SetOpen(Flow* flow, bool open);

    /// The transport of a flow has something to send.
    void SetReady(Flow* flow);

    /// @return the flow that sends now, which is not ready any more until SetReady(); null: none
    Flow* Next();

    /// A flow has sent, whether it was its turn or not.
    /// @param flow the flow
    /// @param bytes what counts against the share of its queue
    void Charge(const Flow* flow, uint32_t bytes);

    /// @param flow a flow
    /// @return its name
    static const FlowKey& GetKey(const Flow* flow);

    /// @param flow a flow
    /// @return what sends it
    static Sender& GetSender(const Flow* flow);

  private:
    /// A coflow.
    struct Group : public boost::intrusive::set_base_hook<>
    {
        ::coflow::CoflowId coflow{0};                   ///< its name
        SendPlace place;                                ///< where it stands
        bool placed{false};                             ///< somebody has given it its place
        std::size_t sending{0};                         ///< flows that have something to send
        std::map<FlowKey, std::unique_ptr<Flow>> flows; ///< all of them
        std::deque<Flow*> line;                         ///< those that have, the next one first

        bool operator<(const Group& other) const
        {
            return std::tie(place, coflow) < std::tie(other.place, other.coflow);
        }
    };

    struct Queue
    {
        double quantum;    ///< bytes a round
        double deficit{0}; ///< bytes that it may still send in this round; below 0: owed
        boost::intrusive::set<Group> line; ///< coflows that have something to send, in order
    };

    /// Enters a coflow in the line of its queue, or takes it out.
    void Enter(Group& group);
    void Leave(Group& group);
    /// A flow of a coflow has begun, or ceased, to have something to send.
    void Count(Group& group, int change);
    Group& GetGroup(::coflow::CoflowId coflow);
    /// @return the queue whose turn it is; null: all are empty
    Queue* GetTurn();

    std::map<::coflow::CoflowId, std::unique_ptr<Group>> m_groups;
    std::vector<Queue> m_queues; ///< destroyed before the groups
    std::size_t m_strict{0};     ///< queues that go strictly before all below
    std::size_t m_turn{0};       ///< queue whose turn it is
    bool m_begun{false};         ///< it has been given its quantum
    std::size_t m_waiting{0};    ///< number of coflows that have something to send
};

} // namespace ns3::coflow

#endif // COFLOW_SEND_QUEUES_H
