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

/// The place of a coflow among the coflows that a host sends.
struct SendPlace
{
    uint32_t queue{0}; ///< queue; 0 is the highest
    double key{0};     ///< order in the queue, smaller first
    uint64_t order{0}; ///< order among equal keys, before the coflow's id

    auto operator<=>(const SendPlace&) const = default;
};

/// Decides which flow of a host sends the next segment.
///
/// Coflows wait in queues. A number of the highest queues have strict priority over all lower
/// queues. The other queues share by deficit round robin with their weights. A queue serves the
/// first coflow that can send. In a coflow, the flows take turns, with a segment each. A flow can
/// send if it is ready (its transport has a segment to send) and open (its scheduler lets it send).
/// Coflows and queues without such a flow are skipped.
///
/// A decision costs O(log coflows), and at most O(queues) if queues are empty.
class SendQueues
{
  public:
    class Flow;

    /// The transport of a flow.
    class Sender
    {
      public:
        /// Sends a segment: it is the turn of the flow.
        virtual void Send() = 0;

      protected:
        ~Sender() = default;
    };

    SendQueues();
    ~SendQueues();

    SendQueues(const SendQueues&) = delete;
    SendQueues& operator=(const SendQueues&) = delete;

    /// Sets the sharing between queues; to be called before Place().
    /// @param weights per queue, highest queue first, each at least 1; at least one queue
    /// @param strict number of the highest queues that have strict priority over all lower queues
    /// @param segmentBytes bytes that a queue of weight 1 may send in a round
    void SetWeights(const std::vector<double>& weights, std::size_t strict, uint32_t segmentBytes);

    /// Sets or changes the place of a coflow. Coflows without a place are the first of queue 0.
    /// @param coflow the coflow
    /// @param place the place; its queue is below the number of queues
    void Place(::coflow::CoflowId coflow, const SendPlace& place);

    /// @param coflow a coflow
    /// @return the place of the coflow
    SendPlace GetPlace(::coflow::CoflowId coflow) const;

    /// Forgets the place of a coflow, and the coflow when its last flow is removed.
    void Forget(::coflow::CoflowId coflow);

    /// Adds a flow, which is open and not ready.
    /// @param key the flow
    /// @param sender transport of the flow; must exist until Remove()
    /// @return the flow; valid until Remove()
    Flow* Add(const FlowKey& key, Sender& sender);

    /// Removes a flow.
    void Remove(Flow* flow);

    /// @param flow a flow
    /// @param open whether its scheduler lets it send
    void SetOpen(Flow* flow, bool open);

    /// The transport of a flow has something to send.
    void SetReady(Flow* flow);

    /// @return the flow that sends now; null: none. It is not ready until the next SetReady()
    Flow* Next();

    /// Counts bytes that a flow has sent, in its turn or out of turn.
    /// @param flow the flow
    /// @param bytes bytes that count for the share of the flow's queue
    void Charge(const Flow* flow, uint32_t bytes);

    /// @param flow a flow
    /// @return coflow and number of the flow
    static const FlowKey& GetKey(const Flow* flow);

    /// @param flow a flow
    /// @return transport of the flow
    static Sender& GetSender(const Flow* flow);

  private:
    /// A coflow.
    struct Group : public boost::intrusive::set_base_hook<>
    {
        ::coflow::CoflowId coflow{0};                   ///< the coflow
        SendPlace place;                                ///< place of the coflow
        bool placed{false};                             ///< Place() was called
        std::size_t sending{0};                         ///< number of flows that can send
        std::map<FlowKey, std::unique_ptr<Flow>> flows; ///< all flows
        std::deque<Flow*> line; ///< flows in the order of their turns; some cannot send

        bool operator<(const Group& other) const
        {
            return std::tie(place, coflow) < std::tie(other.place, other.coflow);
        }
    };

    struct Queue
    {
        double quantum;    ///< bytes a round
        double deficit{0}; ///< bytes left in this round; below 0: bytes of the next round
        boost::intrusive::set<Group> line; ///< coflows that can send, in order
    };

    /// Adds a coflow to the list of its queue.
    void Enter(Group& group);
    /// Removes a coflow from the list of its queue.
    void Leave(Group& group);
    /// Changes the number of flows of a coflow that can send.
    void Count(Group& group, int change);
    Group& GetGroup(::coflow::CoflowId coflow);
    /// @return the queue whose turn it is; null: all are empty
    Queue* GetTurn();

    std::map<::coflow::CoflowId, std::unique_ptr<Group>> m_groups;
    std::vector<Queue> m_queues; ///< destroyed before the groups
    std::size_t m_strict{0};     ///< number of queues with strict priority over lower queues
    std::size_t m_turn{0};       ///< queue whose turn it is
    bool m_begun{false};         ///< the queue of m_turn has its quantum for this round
    std::size_t m_waiting{0};    ///< number of coflows that can send
};

} // namespace ns3::coflow

#endif // COFLOW_SEND_QUEUES_H
