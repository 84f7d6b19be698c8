/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_H
#define COFLOW_FIFO_LM_H

#include "ns3/coflow-baraat-rule.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-prefix-tree.h"
#include "ns3/coflow-slot-pool.h"
#include "ns3/coflow-task-queue-disc.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace ns3::coflow
{

/// First in, first out between tasks, with limited multiplexing: the smart priority classes of
/// Baraat (Dogar et al., SIGCOMM 2014). A task is all packets with the same key
/// (PacketPriority::key), which is its number in the order of arrival of tasks.
///
/// A task is heavy at this port once a given number of its bytes were sent here, and stays heavy.
/// The active class is the class of ::coflow::BaraatRule for the tasks with waiting packets. Later
/// tasks get the remaining capacity, in order.
///
/// Flows of the class share the port. With FAIR_QUEUEING, they share equally, by start-time fair
/// queueing (Goyal et al., SIGCOMM 1996). A flow that returns, after it had no waiting packets or
/// its task was not in the class, gets nothing for the time before. With ARRIVAL, the earliest
/// packet is sent, so that flows share as in a FIFO queue. A flow is all packets of a task with the
/// same PacketClass::flow.
///
/// Packets with key 0, such as acknowledgements, are no task. They are sent before all tasks, and
/// are never heavy.
///
/// Where the queue has no space for an arriving packet, the newest packet of the last task is
/// dropped. Where all waiting tasks are in the active class, the arriving packet is dropped.
///
/// A packet is marked (ECN) where its class and all classes before it, or all tasks up to its own,
/// have a queue longer than the threshold, this packet included. With FAIR_QUEUEING, its flow must
/// also have more than its share of the threshold and more than four packets. So a flow that is
/// limited at another port is not marked because of flows that are limited here.
///
/// A packet costs O(log n) for n waiting flows. The bytes of all tasks are stored for ever.
class FifoLm : public PortDiscipline
{
  public:
    /// The sharing of flows in the active class.
    enum Sharing
    {
        FAIR_QUEUEING, ///< equally
        ARRIVAL        ///< the earliest packet first
    };

    static constexpr Sharing DEFAULT_SHARING = FAIR_QUEUEING; ///< default of ClassSharing

    /// @param limits rule for drops and marks
    /// @param heavyBytes number of sent bytes from which a task is heavy
    /// @param sharing sharing of flows in the active class
    FifoLm(const FifoLimits& limits, uint64_t heavyBytes, Sharing sharing);
    ~FifoLm() override;

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    struct TaskTag;
    struct FlowTag;
    template <typename Tag>
    using ListHook = boost::intrusive::list_base_hook<boost::intrusive::tag<Tag>>;
    struct Flow;
    struct Task;

    /// A packet that waits.
    struct Slot : public ListHook<TaskTag>, public ListHook<FlowTag>
    {
        PortItem* item{nullptr};
        Flow* flow{nullptr};
        uint64_t number{0}; ///< number of the packet in the order of arrival
    };

    /// Packets in the order of arrival.
    template <typename Tag>
    using SlotList = boost::intrusive::list<Slot,
                                            boost::intrusive::base_hook<ListHook<Tag>>,
                                            boost::intrusive::constant_time_size<false>>;

    using IdleHook = boost::intrusive::list_base_hook<>;

    struct Flow : public IdleHook,
                  public boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>>
    {
        Task* task{nullptr};
        FlowKey key;
        uint64_t turn{0}; ///< virtual start time of the next packet, in bytes; smallest is first
        SlotList<FlowTag> waiting;
        uint32_t packets{0}; ///< number of waiting packets
        uint32_t bytes{0};   ///< bytes of the waiting packets

        bool operator<(const Flow& other) const
        {
            return turn != other.turn ? turn < other.turn
                                      : waiting.front().number < other.waiting.front().number;
        }
    };

    using FlowSet = boost::intrusive::set<Flow, boost::intrusive::constant_time_size<false>>;
    using FlowList = boost::intrusive::list<Flow, boost::intrusive::constant_time_size<false>>;

    /// The sum over consecutive tasks with waiting packets.
    struct Sum
    {
        uint32_t packets{0};                 ///< number of waiting packets
        uint32_t bytes{0};                   ///< bytes of the waiting packets
        uint32_t flows{0};                   ///< number of flows with waiting packets
        ::coflow::BaraatRule::TaskRun run{}; ///< the tasks as a run
        uint64_t last{0};                    ///< number of the last task
        Flow* first{nullptr};                ///< flow with the earliest turn; null: no flow

        Sum operator+(const Sum& next) const;
    };

    struct Task : public PrefixTree<Task, Sum>::Hook
    {
        uint64_t number{0};
        uint64_t sent{0}; ///< bytes that the port has sent
        bool heavy{false};
        SlotList<TaskTag> waiting;
        FlowSet flows; ///< flows with waiting packets, by turn
        Sum sum;       ///< sum of this task only

        uint64_t GetKey() const
        {
            return number;
        }

        Sum GetSum() const
        {
            return sum;
        }
    };

    /// @return the sum of the active class
    Sum GetClass() const;
    /// @return whether the last packet of a flow must be marked
    bool IsBehindTooMany(const Flow& flow) const;
    /// Adds a packet to the queue.
    /// @return flow of the packet
    Flow& Add(PortItem* item);
    /// Removes a packet from the queue.
    /// @param slot slot of the packet
    /// @param turn turn of the flow's next packet
    /// @return the packet
    PortItem* Remove(Slot& slot, uint64_t turn);
    /// Updates sums after a change of a task's waiting packets.
    /// @param task the task
    /// @param before number of waiting packets before the change
    void Update(Task& task, uint32_t before);
    /// Removes flows without waiting packets when their turn has passed.
    void ForgetIdle();

    FifoLimits m_limits;
    uint64_t m_heavyBytes;
    Sharing m_sharing;
    SlotPool<Slot> m_slots;
    std::unordered_map<uint64_t, Task> m_tasks; ///< tasks by number; iterated in no decision
    std::map<std::pair<uint64_t, FlowKey>, Flow> m_flows; ///< flows by task number and key
    PrefixTree<Task, Sum> m_waiting;                      ///< tasks with waiting packets
    FlowList m_idle;        ///< flows without waiting packets whose turn has not passed
    uint64_t m_turn{0};     ///< virtual time: latest turn of a sent packet, in bytes
    uint64_t m_arrivals{0}; ///< number of packets that were added to the queue
};

/// First in, first out between tasks with limited multiplexing (Baraat), by the key that hosts
/// give their packets (PacketClassifier). See FifoLm.
class FifoLmQueueDisc : public TaskQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Help text of the attribute ClassSharing.
    static constexpr const char* SHARING_HELP =
        "How the flows that a port serves together share it: fair-queueing, equally; arrival, "
        "first in, first out, so that TCP decides how they share";

    /// @return checker of the attribute ClassSharing
    static Ptr<const AttributeChecker> MakeSharingChecker();

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    FifoLm::Sharing m_sharing; ///< attribute ClassSharing
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_H
