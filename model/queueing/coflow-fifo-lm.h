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
/// A task is heavy at this port once so many of its bytes were sent here, for good. The active
/// class is that of ::coflow::BaraatRule, of the tasks that have packets waiting. Later tasks get
/// what is left, in order.
///
/// Flows of the class share. With FAIR_QUEUEING equally, by start-time fair queueing (Goyal et
/// al., SIGCOMM 1996); a flow that comes back, be it that it had nothing waiting or that its task
/// was not in the class, has no claim to the time before. With ARRIVAL the earliest packet is sent,
/// so that they share as transport shares a FIFO queue. A flow is all packets of a task with the
/// same PacketClass::flow.
///
/// Key 0 is not a task but what goes before all tasks, such as acknowledgements; it is never heavy.
///
/// Where an arriving packet finds no room, the newest packet of the last task is given up, unless
/// all tasks that wait are in the active class: then it is the arriving packet, whichever its task.
///
/// A packet is marked (ECN) where its class and all before it, or all tasks up to its own, have
/// more waiting than the threshold, this packet included; with FAIR_QUEUEING only if, besides, its
/// flow has more than its part of the threshold and more than four packets. So a flow that is held
/// up at another port does not hear of those that are held up here.
///
/// A packet costs O(log n) for n flows that wait. The bytes of every task ever seen are remembered.
class FifoLm : public PortDiscipline
{
  public:
    /// How flows of the active class share.
    enum Sharing
    {
        FAIR_QUEUEING, ///< equally
        ARRIVAL        ///< the earliest packet first
    };

    static constexpr Sharing DEFAULT_SHARING = FAIR_QUEUEING; ///< of all attributes that mean it

    /// @param limits how much may wait, and what is marked
    /// @param heavyBytes bytes sent that make a task heavy
    /// @param sharing how flows of the active class share
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

    /// What the attribute ClassSharing means, for all attributes that mean it.
    static constexpr const char* SHARING_HELP =
        "How flows of the tasks that a port serves at a time share: fair-queueing, equally; "
        "arrival, first in, first out, as TCP then shares";

    /// @return what the attribute ClassSharing may be, for all attributes that mean it
    static Ptr<const AttributeChecker> MakeSharingChecker();

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    FifoLm::Sharing m_sharing; ///< attribute ClassSharing
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_H
