/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_H
#define COFLOW_PFABRIC_QUEUE_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-slot-pool.h"

#include <boost/intrusive/set.hpp>
#include <cstdint>

namespace ns3::coflow
{

/// The queue of pFabric (Alizadeh et al., SIGCOMM 2013, section 4.2): packets are ordered by their
/// keys (PacketPriority::key), the smallest first, equal ones by arrival.
///
/// What is sent is the earliest packet of the flow that has the first packet. So the packets of a
/// flow stay in order when its key improves, and an older one need not wait for its worse key.
/// Packets of no coflow (PacketClass::NO_COFLOW) are each a flow of their own.
///
/// Where an arriving packet finds no room, the last packets of the order are given up for it: the
/// worst key, and of equal ones the newest, which may be the arriving packet itself.
///
/// A packet is marked (ECN) where those that leave before it, with it, are more than the threshold:
/// those before it in the order, and earlier ones of its flow. So urgent packets do not hear of
/// the parked ones that they overtake. The paper knows no marks; TCP over this queue wants them.
///
/// A packet costs O(log n) for n that wait. One that leaves before worse packets of its own flow
/// costs, in addition, a look at as many as fit into the threshold.
class PfabricQueue : public PortDiscipline
{
  public:
    /// @param limits how much may wait, and what is marked
    explicit PfabricQueue(const FifoLimits& limits);
    ~PfabricQueue() override;

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    struct UrgencyTag;
    struct FlowTag;
    template <typename Tag>
    using Hook = boost::intrusive::set_base_hook<boost::intrusive::tag<Tag>,
                                                 boost::intrusive::optimize_size<true>>;

    /// A packet that waits.
    struct Slot : public Hook<UrgencyTag>, public Hook<FlowTag>
    {
        PortItem* item{nullptr};
        FlowKey flow;
        uint64_t key{0};
        uint64_t number{0}; ///< of its arrival
    };

    struct ByUrgency
    {
        bool operator()(const Slot& a, const Slot& b) const
        {
            return a.key != b.key ? a.key < b.key : a.number < b.number;
        }
    };

    struct ByFlow
    {
        bool operator()(const Slot& a, const Slot& b) const
        {
            return a.flow != b.flow ? a.flow < b.flow : a.number < b.number;
        }
    };

    template <typename Tag, typename Order>
    using Tree = boost::intrusive::set<Slot,
                                       boost::intrusive::base_hook<Hook<Tag>>,
                                       boost::intrusive::compare<Order>,
                                       boost::intrusive::constant_time_size<false>>;

    /// Takes a packet out.
    PortItem* Remove(Slot& slot);
    /// @return whether a packet that waits is before the border in the order
    bool IsBeforeBorder(const Slot& slot) const;
    /// Moves the border towards the first packet, where too many are before it.
    void MoveBorderForward();
    /// Moves the border away from the first packet, where more may be before it.
    void MoveBorderBack();
    /// @return whether a packet that waits is to be marked
    bool IsBehindTooMany(const Slot& slot) const;

    FifoLimits m_limits;
    SlotPool<Slot> m_slots;
    Tree<UrgencyTag, ByUrgency> m_byUrgency;
    Tree<FlowTag, ByFlow> m_byFlow;
    /// The first packet that is behind more in the order than the threshold allows, or the end.
    Tree<UrgencyTag, ByUrgency>::iterator m_border;
    uint32_t m_packetsBefore{0}; ///< packets before the border
    uint32_t m_bytesBefore{0};   ///< bytes before the border
    uint32_t m_packets{0};       ///< that wait
    uint32_t m_bytes{0};         ///< that wait
    uint64_t m_arrivals{0};      ///< so far
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_H
