/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_H
#define COFLOW_PFABRIC_QUEUE_H

#include "ns3/coflow-port-discipline.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::coflow
{

/// The queue of pFabric (Alizadeh et al., SIGCOMM 2013, section 4.1). Sends the earliest packet of
/// the flow that has the packet with the best key, so that a flow stays in order when its key
/// improves. Where there is no room, the packet with the worst key is dropped, of several the
/// newest, which may be the arriving one.
///
/// Keys are those of PacketPriority; of equal ones, the packet that came first is the better. So
/// where all keys are equal, it is first in, first out, and drops what arrives. A flow is a
/// 5-tuple. All is done in O(log n), without allocations once a queue has been as long before.
class PFabricQueue : public PortDiscipline
{
  public:
    /// @param maxBytes most bytes that may wait
    explicit PFabricQueue(uint32_t maxBytes);

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    using SetHook =
        boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;
    using ListHook = boost::intrusive::list_base_hook<
        boost::intrusive::link_mode<boost::intrusive::normal_link>>;

    struct Flow;

    /// A packet that waits.
    struct Entry : public SetHook, public ListHook
    {
        PortItem* item{nullptr};
        uint64_t order{0}; ///< number of packets that came before
        Flow* flow{nullptr};

        /// @return whether this one is better
        bool operator<(const Entry& other) const
        {
            const uint64_t key = item->packetClass.priority.key;
            const uint64_t otherKey = other.item->packetClass.priority.key;
            return key != otherKey ? key < otherKey : order < other.order;
        }
    };

    /// A flow with packets that wait.
    struct Flow : public SetHook
    {
        uint64_t hash{0};                      ///< of its 5-tuple
        boost::intrusive::list<Entry> packets; ///< earliest first

        bool operator<(const Flow& other) const
        {
            return hash < other.hash;
        }
    };

    /// Objects for reuse.
    template <typename T>
    struct Pool
    {
        T* Take();

        void Return(T* object)
        {
            free.push_back(object);
        }

        std::deque<T> all;
        std::vector<T*> free;
    };

    /// Takes a packet out.
    PortItem* Remove(Entry& entry);

    uint32_t m_maxBytes;
    uint32_t m_bytes{0};
    uint64_t m_order{0};
    Pool<Entry> m_entryPool;
    Pool<Flow> m_flowPool;
    boost::intrusive::set<Entry> m_packets; ///< best first
    boost::intrusive::set<Flow> m_flows;    ///< by hash
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_H
