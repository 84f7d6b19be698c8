/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_H
#define COFLOW_PFABRIC_QUEUE_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-slot-pool.h"

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
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
/// the parked ones that they overtake. The paper knows no marks; TCP over this queue wants them.
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
    struct KeyTag;
    struct FlowTag;
    template <typename Tag>
    using Hook = boost::intrusive::list_base_hook<boost::intrusive::tag<Tag>>;
    struct Slot;
    template <typename Tag>
    using List = boost::intrusive::list<Slot,
                                        boost::intrusive::base_hook<Hook<Tag>>,
                                        boost::intrusive::constant_time_size<false>>;
    using Keys = std::map<uint64_t, List<KeyTag>>; ///< no list is empty

    struct FlowHash
    {
        std::size_t operator()(const FlowKey& flow) const;
    };

    using Flows = std::unordered_map<FlowKey, List<FlowTag>, FlowHash>; ///< no list is empty

    /// A packet that waits.
    struct Slot : public Hook<KeyTag>, public Hook<FlowTag>
    {
        PortItem* item{nullptr};
        uint32_t bytes{0};                  ///< of the packet
        uint64_t number{0};                 ///< of its arrival
        Keys::iterator ofKey;               ///< packets with its key
        Flows::value_type* ofFlow{nullptr}; ///< those of its flow; none: it is of no coflow
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
    void Insert(Slot& slot, uint64_t key, const FlowKey& flow);
    /// Takes a packet out.
    PortItem* Remove(Slot& slot);
    /// @return whether a packet that waits is before the border in the order
    bool IsBeforeBorder(const Slot& slot) const;
    /// Moves the border towards the first packet, where too many are before it.
    void MoveBorderForward();
    /// Moves the border away from the first packet, where more may be before it.
    void MoveBorderBack();
    /// @return whether a packet that waits is to be marked
    bool IsBehindTooMany(Slot& slot);

    FifoLimits m_limits;
    SlotPool<Slot> m_slots;
    Keys m_keys;
    Flows m_flows;
    std::vector<Keys::node_type> m_spareKeys; ///< their memory is used again
    std::vector<Flows::node_type> m_spareFlows;
    Slot* m_border{nullptr}; ///< the first packet behind more than the threshold allows, or none
    uint32_t m_packetsBefore{0}; ///< packets before the border
    uint32_t m_bytesBefore{0};   ///< bytes before the border
    uint32_t m_packets{0};       ///< that wait
    uint32_t m_bytes{0};         ///< that wait
    uint64_t m_arrivals{0};      ///< so far
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_H
