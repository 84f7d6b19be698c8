/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_QUEUE_H
#define COFLOW_FIFO_LM_QUEUE_H

#include "ns3/coflow-port-discipline.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Baraat's first in, first out with limited multiplexing, at the packets of one port (Dogar et
/// al., SIGCOMM 2014, smart priority class). A packet's key is the id of its task: the smaller, the
/// earlier the task came. A task that has sent a number of bytes by this port is heavy from then
/// on. Of the tasks that have packets here, in the order of their ids, the first ones up to the
/// first that is not heavy are the active class. Their packets are sent first in, first out, so
/// that their flows share the port as TCP does; then those of the next tasks.
///
/// Key 0 is no task: such packets (acknowledgements, control) go before all tasks. Where there is
/// no room, the packets of the latest task are dropped, the newest first, which may be the
/// arriving one.
///
/// Which tasks there are is seen from packets that wait, so that a task whose flows are limited
/// elsewhere does not hold others back. All is done in O(log n) for n tasks ever seen, but for the
/// first packet of a task.
class FifoLmQueue : public PortDiscipline
{
  public:
    /// @param maxBytes most bytes that may wait
    /// @param heavyBytes bytes that a task has sent when it becomes heavy
    FifoLmQueue(uint32_t maxBytes, uint64_t heavyBytes);

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    /// A task that has been seen. Its packets are linked in both directions.
    struct Task
    {
        uint64_t id{0};
        uint64_t sentBytes{0};
        PortItem* first{nullptr};
        PortItem* last{nullptr};
    };

    /// What is known of a range of tasks.
    struct Range
    {
        uint64_t heavyOrder{UINT64_MAX};  ///< earliest arrival of a packet of a heavy task
        uint32_t heavyTask{UINT32_MAX};   ///< that task
        uint32_t firstLight{UINT32_MAX};  ///< first task that is not heavy and waits
        uint32_t lastWaiting{UINT32_MAX}; ///< last task that waits

        bool operator==(const Range&) const = default;
    };

    /// @return the number of a task in m_tasks, where it is put if it is not known
    uint32_t GetTask(uint64_t id);
    /// A task's first packet or weight has changed.
    void Update(uint32_t task);
    /// @return what is known of both ranges together, of which a is the first
    static Range Join(const Range& a, const Range& b);
    Range Describe(uint32_t task) const;
    /// @return what is known of the tasks before a number
    Range GetBefore(uint32_t end) const;
    /// Makes m_ranges anew, after m_tasks has changed.
    void Rebuild();

    uint32_t m_maxBytes;
    uint64_t m_heavyBytes;
    uint32_t m_bytes{0};
    uint64_t m_order{0};
    std::vector<Task> m_tasks; ///< by id
    /// A binary tree: range i is that of ranges 2i and 2i+1; the second half are single tasks.
    std::vector<Range> m_ranges = std::vector<Range>(2);
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_QUEUE_H
