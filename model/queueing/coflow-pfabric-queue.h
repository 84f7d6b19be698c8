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
/// the delayed ones that they overtake. The paper knows no marks; TCP over this queue wants them.
///
/// Packets with the same key are a list by arrival, and so are those of the same flow: thousands
/// wait at a host, and each step down a tree would be a memory access. A packet costs O(log k) for
/// k different keys that wait. One that leaves before worse packets of its own flow costs, in
/// addition, a look at as many as fit into the threshold.
class PfabricQueue : public PortDiscipline
{
  public:
    /// @param limits how much may wait, and what is marked
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

    /// The packets of a flow that wait.
    struct Flow
    {
        FlowKey key;
        Slot* first{nullptr}; ///< none: this place in the table is free
        Slot* last{nullptr};
    };

    /// @return whether a packet is before another one in the order
    static bool IsBefore(const Slot& slot, const Slot& other);
    /// @return the packet behind another one in the order, or none
    Slot* GetNext(Slot& slot);
    /// @return the last packet before another one in the order, or none
    Slot* GetPrevious(Slot& slot);
    /// @return the last packet in the order, or none
    Slot* GetLast();
    /// Puts a packet into the lists of its key and of its flow.
    void Insert(Slot& slot, uint64_t key);
    /// @return hash of a flow, never 0
    static uint32_t Spread(const FlowKey& key);
    /// @return place of a flow in the table, if it were there by itself
    std::size_t GetPlace(uint32_t spread) const;
    /// @return the flow, or where it would be
    Flow& FindFlow(const FlowKey& key, uint32_t spread);
    /// Puts a packet behind all of its flow.
    void AddToFlow(Slot& slot);
    /// Takes a packet from its flow.
    void TakeFromFlow(Slot& slot);
    /// Makes the table of flows twice as long.
    void GrowFlows();
    /// Takes a packet out.
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
