/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_H
#define COFLOW_PFABRIC_QUEUE_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-slot-pool.h"
#include "ns3/queue-size.h"

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::coflow
{

/// The queue of pFabric (Alizadeh et al., SIGCOMM 2013, section 4.2). Packets are ordered by their
/// keys (PacketPriority::key), the smallest key first. Packets with equal keys are ordered by
/// arrival.
///
/// The port sends the earliest packet of the flow with the first packet of the order. So the
/// packets of a flow stay in order when its key improves, and an older packet with a worse key does
/// not wait. Each packet without a coflow (PacketClass::NO_COFLOW) is a flow of its own.
///
/// Where the queue has no space for an arriving packet, the last packets of the order are dropped:
/// packets with the worst key, and the newest ones among them. The arriving packet may be one of
/// these.
///
/// A packet is marked (ECN) where the packets that leave before it, this packet included, are more
/// than the threshold. These are the packets before it in the order, and earlier packets of its
/// flow. So an urgent packet is not marked because of delayed packets that it overtakes. The paper
/// has no marks. TCP over this queue needs them.
///
/// Packets with the same key form a list by arrival, and so do packets of the same flow, because
/// thousands of packets wait at a host, and each step in a tree would be a memory access. A packet
/// costs O(log k) for k different keys of waiting packets. A packet that leaves before worse
/// packets of its own flow also costs a pass over the packets within the threshold.
class PfabricQueue : public PortDiscipline
{
  public:
    /// @param limits rule for drops and marks
    explicit PfabricQueue(const FifoLimits& limits);
    ~PfabricQueue() override;

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    struct Slot;
    using List = boost::intrusive::list<Slot, boost::intrusive::constant_time_size<false>>;
    using Keys = std::map<uint64_t, List>; ///< no list is empty

    /// A packet that waits: one line of the cache.
    struct Slot : public boost::intrusive::list_base_hook<>
    {
        PortItem* item{nullptr};
        Keys::iterator ofKey;   ///< packets with its key
        Slot* earlier{nullptr}; ///< the packet of its flow that came before it, or none
        Slot* later{nullptr};   ///< the packet of its flow that came after it, or none
        uint64_t number{0};     ///< of its arrival
        uint32_t bytes{0};      ///< of the packet
        uint32_t spread{0};     ///< hash of its flow; 0: it is of no coflow
    };

    /// The waiting packets of a flow.
    struct Flow
    {
        FlowKey key;
        Slot* first{nullptr}; ///< none: this place in the table is free
        Slot* last{nullptr};
    };

    /// @return whether a packet is before another one in the order
    static bool IsBefore(const Slot& slot, const Slot& other);
    /// @return the packet after another one in the order, or none
    Slot* GetNext(Slot& slot);
    /// @return the last packet before another one in the order, or none
    Slot* GetPrevious(Slot& slot);
    /// @return the last packet in the order, or none
    Slot* GetLast();
    /// Adds a packet to the lists and before or behind the boundary.
    Slot& Add(PortItem* item);
    /// Adds a packet to the lists of its key and of its flow.
    void Insert(Slot& slot, uint64_t key);
    /// @return hash of a flow, never 0
    static uint32_t Spread(const FlowKey& key);
    /// @return position of a flow in the table without collisions
    std::size_t GetPlace(uint32_t spread) const;
    /// @return the flow, or its free position
    Flow& FindFlow(const FlowKey& key, uint32_t spread);
    /// Adds a packet after all packets of its flow.
    void AddToFlow(Slot& slot);
    /// Removes a packet from its flow.
    void TakeFromFlow(Slot& slot);
    /// Doubles the table of flows.
    void GrowFlows();
    /// Removes a packet from all lists.
    PortItem* Remove(Slot& slot);
    /// @return whether a packet that waits is before the boundary in the order
    bool IsBelowThreshold(const Slot& slot) const;
    /// Moves the boundary towards the first packet, where too many are before it.
    void MoveBoundaryForward();
    /// Moves the boundary away from the first packet, where more may be before it.
    void MoveBoundaryBack();
    /// @return whether a packet that waits is to be marked
    bool IsBehindTooMany(Slot& slot);

    FifoLimits m_limits;
    /// A packet that came while none waited, and is in no list: mostly it is sent at once. Or none.
    PortItem* m_only{nullptr};
    SlotPool<Slot> m_slots;
    Keys m_keys;
    std::vector<Keys::node_type> m_spareKeys; ///< their memory is used again
    /// By hash. A flow is at its place or behind it, with no free place in between. There are
    /// 2^m_flowBits places, of which at most half are taken.
    std::vector<Flow, ::coflow::ArenaAllocator<Flow>> m_flows;
    uint32_t m_flowBits;
    std::size_t m_nFlows{0};   ///< with packets that wait
    Slot* m_first{nullptr};    ///< the first packet of the order, or none
    Slot* m_boundary{nullptr}; ///< the first packet behind more than the threshold allows, or none
    uint32_t m_packetsBefore{0}; ///< packets before the boundary
    uint32_t m_bytesBefore{0};   ///< bytes before the boundary
    uint32_t m_packets{0};       ///< that wait
    uint32_t m_bytes{0};         ///< that wait
    uint64_t m_arrivals{0};      ///< so far
};

/// The queue of pFabric, by the key that hosts give their packets (PacketClassifier). See
/// PfabricQueue.
class PfabricQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    QueueSize m_maxSize;          ///< attribute MaxSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_H
