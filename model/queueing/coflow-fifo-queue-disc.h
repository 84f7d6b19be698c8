/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_QUEUE_DISC_H
#define COFLOW_FIFO_QUEUE_DISC_H

#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// The rule of a first-in first-out port for an arriving packet, in all fabrics.
///
/// The limits apply to the IPv4 packets in the queue, without the frame around them. The arriving
/// packet is included, and the packet on the wire is not. A packet that arrives at an idle port
/// also passes the queue, in no time.
class FifoLimits
{
  public:
    /// @param maxSize largest queue, in packets or bytes
    /// @param markingThreshold packets are marked where the queue is longer; 0: never
    FifoLimits(const QueueSize& maxSize, const QueueSize& markingThreshold)
        : m_max(maxSize),
          m_marking(markingThreshold.GetValue() == 0 ? QueueSize(QueueSizeUnit::BYTES, UINT32_MAX)
                                                     : markingThreshold)
    {
    }

    /// @param packets packets that wait already
    /// @param bytes bytes that wait already
    /// @param size bytes of the arriving packet
    /// @return whether the queue has space for the packet; otherwise it is dropped
    bool Admits(uint32_t packets, uint32_t bytes, uint32_t size) const
    {
        return !m_max.IsExceeded(packets, bytes, size);
    }

    /// @param packets packets that wait already
    /// @param bytes bytes that wait already
    /// @param size bytes of the arriving packet, which has been admitted
    /// @return whether the packet is to be marked, if it is ECN-capable
    bool Marks(uint32_t packets, uint32_t bytes, uint32_t size) const
    {
        return m_marking.IsExceeded(packets, bytes, size);
    }

  private:
    /// A QueueSize in a form that is fast to compare.
    struct Limit
    {
        explicit Limit(const QueueSize& size)
            : inPackets(size.GetUnit() == QueueSizeUnit::PACKETS),
              value(size.GetValue())
        {
        }

        /// @return whether a queue with the arriving packet in it is longer
        bool IsExceeded(uint32_t packets, uint32_t bytes, uint32_t size) const
        {
            return inPackets ? packets + 1 > value : bytes + size > value;
        }

        bool inPackets; ///< unit of `value`: packets; otherwise bytes
        uint32_t value; ///< largest queue
    };

    Limit m_max;
    Limit m_marking;
};

/// First in, first out. The queue disc drops the arriving packet where the queue has no space for
/// it. It marks the packet where the queue, this packet included, is longer than a threshold
/// (DCTCP: Alizadeh et al., SIGCOMM 2010, section 3.1). Packets that are not ECN-capable are not
/// dropped in place of a mark. FifoLimits says which packets count.
class FifoQueueDisc : public QueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FifoQueueDisc();

    /// @return the rule, from the attributes MaxSize and MarkingThreshold
    FifoLimits GetLimits() const;

    // Reason of a drop and of a mark, in QueueDisc::Stats and in traces.
    static constexpr const char* FULL_DROP = "Queue full";                      ///< drop
    static constexpr const char* THRESHOLD_MARK = "Marking threshold exceeded"; ///< mark

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    QueueSize m_markingThreshold;       ///< attribute MarkingThreshold
    std::optional<FifoLimits> m_limits; ///< the rule; none before the initialization
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_QUEUE_DISC_H
