/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_H
#define COFLOW_FIFO_LM_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-slot-pool.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <unordered_map>

namespace ns3::coflow
{

/// First in, first out between tasks, with limited multiplexing: the smart priority classes of
/// Baraat (Dogar et al., SIGCOMM 2014). A task is all packets with the same key
/// (PacketPriority::key), which is its number in the order of arrival of tasks.
///
/// A task is heavy at this port once so many of its bytes were sent here, for good. Of the tasks
/// that have packets waiting, in the order of their numbers, the active class is the shortest run
/// that holds one that is not heavy: all heavy ones before it, and that one. The earliest packet
/// of the class is sent, so its flows share as transport shares a FIFO queue. Later tasks get what
/// is left, in order.
///
/// Key 0 is not a task but what goes before all tasks, such as acknowledgements; it is never heavy.
///
/// Where an arriving packet finds no room, the newest packet of the last task is given up, unless
/// all tasks that wait are in the active class: then it is the arriving packet, whichever its task.
/// A packet is marked (ECN) where its class and all before it, or all tasks up to its own, have
/// more waiting than the threshold, this packet included.
///
/// A packet costs O(log n + m) for n tasks that wait and m in the active class. The bytes of every
/// task ever seen are remembered.
class FifoLm : public PortDiscipline
{
  public:
    /// @param limits how much may wait, and what is marked
    /// @param heavyBytes bytes sent that make a task heavy
    FifoLm(const FifoLimits& limits, uint64_t heavyBytes);
    ~FifoLm() override;

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    /// A packet that waits.
    struct Slot : public boost::intrusive::list_base_hook<>
    {
        PortItem* item{nullptr};
        uint64_t number{0}; ///< of its arrival
    };

    using SlotList = boost::intrusive::list<Slot, boost::intrusive::constant_time_size<false>>;

    struct Task : public boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>>
    {
        uint64_t number{0};
        uint64_t sent{0}; ///< bytes
        bool heavy{false};
        SlotList waiting;
        uint32_t packets{0}; ///< that wait
        uint32_t bytes{0};   ///< that wait

        bool operator<(const Task& other) const
        {
            return number < other.number;
        }
    };

    using TaskSet = boost::intrusive::set<Task, boost::intrusive::constant_time_size<false>>;

    /// @return the first of the tasks that wait behind the active class
    TaskSet::iterator GetEndOfClass();
    /// @return whether the last packet of a task is behind too many
    bool IsBehindTooMany(const Task& task);
    /// Takes a packet out.
    PortItem* Remove(Task& task, Slot& slot);

    FifoLimits m_limits;
    uint64_t m_heavyBytes;
    SlotPool<Slot> m_slots;
    std::unordered_map<uint64_t, Task> m_tasks; ///< by number; never iterated
    TaskSet m_waiting;                          ///< tasks with packets
    uint32_t m_packets{0};                      ///< that wait
    uint32_t m_bytes{0};                        ///< that wait
    uint64_t m_arrivals{0};                     ///< so far
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_H
