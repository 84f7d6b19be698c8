/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-discipline-queue-disc.h"

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/queue.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowDisciplineQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(DisciplineQueueDisc);

/// The internal queue of the queue disc. It owns the waiting packets, and ns-3 counts them here.
/// The discipline has their order.
class DisciplineQueue : public Queue<QueueDiscItem>
{
  public:
    /// A packet for the discipline.
    struct Entry : public PortItem
    {
        Ptr<QueueDiscItem> item;
        Iterator position; ///< position of the packet in the container
    };

    /// Adds a packet that the discipline has accepted.
    void Insert(Entry* entry)
    {
        DoEnqueue(GetContainer().end(), entry->item, entry->position);
    }

    /// Removes a packet that the discipline has removed, and deletes the entry.
    /// @return the packet
    Ptr<QueueDiscItem> Take(Entry* entry)
    {
        const auto item = DoDequeue(entry->position);
        delete entry;
        return item;
    }

    bool Enqueue(Ptr<QueueDiscItem>) override
    {
        NS_ABORT_MSG("the order is the discipline's");
    }

    Ptr<QueueDiscItem> Dequeue() override
    {
        NS_ABORT_MSG("the order is the discipline's");
    }

    Ptr<QueueDiscItem> Remove() override
    {
        return DoRemove(GetContainer().begin());
    }

    Ptr<const QueueDiscItem> Peek() const override
    {
        return DoPeek(GetContainer().begin());
    }
};

TypeId
DisciplineQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::DisciplineQueueDisc").SetParent<QueueDisc>().SetGroupName("Coflow");
    return tid;
}

DisciplineQueueDisc::DisciplineQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::NO_LIMITS)
{
    NS_LOG_FUNCTION(this);
}

DisciplineQueueDisc::~DisciplineQueueDisc() = default;

std::vector<BandStatistics>
DisciplineQueueDisc::GetBandStatistics() const
{
    return m_bands.Get();
}

void
DisciplineQueueDisc::SetLinkRate(DataRate rate)
{
    m_linkRate = rate;
    if (m_discipline)
    {
        m_discipline->SetLinkRate(rate);
    }
}

void
DisciplineQueueDisc::DoDispose()
{
    while (PortItem* item = m_discipline ? m_discipline->Dequeue() : nullptr)
    {
        delete static_cast<DisciplineQueue::Entry*>(item);
    }
    m_discipline.reset();
    m_queue = nullptr;
    QueueDisc::DoDispose();
}

bool
DisciplineQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const auto entry = new DisciplineQueue::Entry;
    entry->item = item;
    entry->bytes = item->GetSize();
    item->GetUint8Value(QueueItem::IP_DSFIELD, entry->dsField);
    entry->ecnCapable = (entry->dsField & 3) != 0;
    if (const auto ipv4 = DynamicCast<Ipv4QueueDiscItem>(item))
    {
        entry->flowHash = GetFlowHash(GetFlowTuple(ipv4->GetHeader(), *item->GetPacket()));
    }
    PacketClassTag tag;
    if (item->GetPacket()->PeekPacketTag(tag))
    {
        entry->packetClass = tag.Get();
    }

    bool refused = false;
    PortItem* next = nullptr;
    PortItem* dropped = m_discipline->Enqueue(entry);
    m_bands.CountArrival(*entry, entry->marked);
    for (; dropped; dropped = next)
    {
        next = dropped->next;
        m_bands.CountDrop(*dropped);
        if (dropped == entry)
        {
            refused = true;
        }
        else
        {
            DropAfterDequeue(m_queue->Take(static_cast<DisciplineQueue::Entry*>(dropped)),
                             PortDiscipline::PUSHED_OUT_DROP);
        }
    }
    if (refused)
    {
        delete entry;
        DropBeforeEnqueue(item, PortDiscipline::REFUSED_DROP);
        return false;
    }
    if (entry->packetClass != tag.Get())
    {
        PacketClassTag changed(entry->packetClass);
        item->GetPacket()->ReplacePacketTag(changed);
    }
    if (entry->marked)
    {
        Mark(item, DISCIPLINE_MARK);
    }
    m_queue->Insert(entry);
    return true;
}

Ptr<QueueDiscItem>
DisciplineQueueDisc::DoDequeue()
{
    PortItem* item = m_discipline->Dequeue();
    if (!item)
    {
        return nullptr;
    }
    m_bands.CountSent(*item);
    return m_queue->Take(static_cast<DisciplineQueue::Entry*>(item));
}

bool
DisciplineQueueDisc::CheckConfig()
{
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0 || GetNInternalQueues() > 0)
    {
        NS_LOG_ERROR("a discipline has neither classes, filters nor other queues");
        return false;
    }
    m_queue = CreateObject<DisciplineQueue>();
    m_queue->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, UINT32_MAX));
    AddInternalQueue(m_queue);
    return true;
}

void
DisciplineQueueDisc::InitializeParams()
{
    m_discipline = CreateDiscipline();
    m_discipline->SetLinkRate(m_linkRate);
    m_bands = BandCounters(m_discipline->GetNBands());
}

} // namespace ns3::coflow
