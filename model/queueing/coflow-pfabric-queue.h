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
    using Keys = std::map<uint64_t, List>; ///< waiting packets by key; no list is empty

    /// A waiting packet. A slot has the size of one cache line.
    struct Slot : public boost::intrusive::list_base_hook<>
    {
        PortItem* item{nullptr};
        Keys::iterator ofKey;   ///< key of the packet, and packets with the same key
        Slot* earlier{nullptr}; ///< previous packet of the flow; null: none
        Slot* later{nullptr};   ///< next packet of the flow; null: none
        uint64_t number{0};     ///< number of the packet in the order of arrival
        uint32_t bytes{0};      ///< bytes of the packet
        uint32_t spread{0};     ///< hash of the flow; 0: the packet has no coflow
    };

    /// The waiting packets of a flow.
    struct Flow
    {
        FlowKey key;
        Slot* first{nullptr}; ///< first packet; null: this position of the table is free
        Slot* last{nullptr};
    };

    /// @return whether a packet is before another one in the order
    static bool IsBefore(const Slot& slot, const Slot& other);
    /// @return next packet in the order; null: none
    Slot* GetNext(Slot& slot);
    /// @return previous packet in the order; null: none
    Slot* GetPrevious(Slot& slot);
    /// @return last packet in the order; null: none
    Slot* GetLast();
    /// Adds a packet to the lists, and updates the boundary.
    /// @return slot of the packet
    Slot& Add(PortItem* item);
    /// Adds a packet to the lists of its key and of its flow.
    void Insert(Slot& slot, uint64_t key);
    /// @return hash of a flow, never 0
    static uint32_t Spread(const FlowKey& key);
    /// @return position of a flow in the table without collisions
    std::size_t GetPlace(uint32_t spread) const;
    /// @return position of the flow in the table, or a free position for the flow
    Flow& FindFlow(const FlowKey& key, uint32_t spread);
    /// Adds a packet after all packets of its flow.
    void AddToFlow(Slot& slot);
    /// Removes a packet from its flow.
    void TakeFromFlow(Slot& slot);
    /// Doubles the table of flows.
    void GrowFlows();
    /// Removes a packet from all lists.
    /// @return the packet
    PortItem* Remove(Slot& slot);
    /// @return whether a waiting packet is before the boundary in the order
    bool IsBelowThreshold(const Slot& slot) const;
    /// Moves the boundary towards the first packet, while too many packets are before the boundary.
    void MoveBoundaryForward();
    /// Moves the boundary away from the first packet, while the threshold allows more packets.
    void MoveBoundaryBack();
    /// @return whether a waiting packet must be marked
    bool IsBehindTooMany(Slot& slot);

    FifoLimits m_limits;
    /// A packet that arrived while no packet waited, and that is in no list, because mostly this
    /// packet is sent at once; null: none.
    PortItem* m_only{nullptr};
    SlotPool<Slot> m_slots;
    Keys m_keys;
    std::vector<Keys::node_type> m_spareKeys; ///< removed nodes of m_keys, for reuse
    /// Hash table of flows with linear probing: 2^m_flowBits positions, at most half of them taken.
    /// There is no free position between GetPlace() of a flow and the position of the flow.
    std::vector<Flow, ::coflow::ArenaAllocator<Flow>> m_flows;
    uint32_t m_flowBits;
    std::size_t m_nFlows{0}; ///< number of flows with waiting packets
    Slot* m_first{nullptr};  ///< first packet of the order; null: none
    /// First packet of the order that exceeds the marking threshold; null: none.
    Slot* m_boundary{nullptr};
    uint32_t m_packetsBefore{0}; ///< number of packets before the boundary
    uint32_t m_bytesBefore{0};   ///< bytes of the packets before the boundary
    uint32_t m_packets{0};       ///< number of waiting packets
    uint32_t m_bytes{0};         ///< bytes of the waiting packets
    uint64_t m_arrivals{0};      ///< number of packets that were added to the lists
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
