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

    static constexpr Sharing DEFAULT_SHARING = FAIR_QUEUEING; ///< of all attributes that mean it

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
        uint64_t number{0}; ///< of its arrival
    };

    /// Packets, the earliest first.
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
        uint64_t turn{0}; ///< virtual time of its next packet, in bytes; the smallest is first
        SlotList<FlowTag> waiting;
        uint32_t packets{0}; ///< that wait
        uint32_t bytes{0};   ///< that wait

        bool operator<(const Flow& other) const
        {
            return turn != other.turn ? turn < other.turn
                                      : waiting.front().number < other.waiting.front().number;
        }
    };

    using FlowSet = boost::intrusive::set<Flow, boost::intrusive::constant_time_size<false>>;
    using FlowList = boost::intrusive::list<Flow, boost::intrusive::constant_time_size<false>>;

    /// Of a run of tasks.
    struct Sum
    {
        uint32_t packets{0};                 ///< that wait
        uint32_t bytes{0};                   ///< that wait
        uint32_t flows{0};                   ///< that have some
        ::coflow::BaraatRule::TaskRun run{}; ///< which of them are heavy
        uint64_t last{0};                    ///< number of the last task
        Flow* first{nullptr};                ///< whose turn is the earliest

        Sum operator+(const Sum& next) const;
    };

    struct Task : public PrefixTree<Task, Sum>::Hook
    {
        uint64_t number{0};
        uint64_t sent{0}; ///< bytes
        bool heavy{false};
        SlotList<TaskTag> waiting;
        FlowSet flows; ///< that have packets waiting
        Sum sum;       ///< of itself

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
    /// @return whether the last packet of a flow is to be marked
    bool IsBehindTooMany(const Flow& flow) const;
    /// Puts a packet in.
    /// @return its flow
    Flow& Add(PortItem* item);
    /// Takes a packet out.
    /// @param turn of the flow's next packet
    PortItem* Remove(Slot& slot, uint64_t turn);
    /// To be told when what waits of a task has changed.
    /// @param before packets of it that waited
    void Update(Task& task, uint32_t before);
    /// Forgets flows with nothing waiting whose turn has passed.
    void ForgetIdle();

    FifoLimits m_limits;
    uint64_t m_heavyBytes;
    Sharing m_sharing;
    SlotPool<Slot> m_slots;
    std::unordered_map<uint64_t, Task> m_tasks;           ///< by number; never iterated
    std::map<std::pair<uint64_t, FlowKey>, Flow> m_flows; ///< by task and key
    PrefixTree<Task, Sum> m_waiting;                      ///< tasks with packets
    FlowList m_idle;        ///< flows without, whose turn had not passed when they ran out
    uint64_t m_turn{0};     ///< virtual time: the latest turn that was taken
    uint64_t m_arrivals{0}; ///< so far
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
