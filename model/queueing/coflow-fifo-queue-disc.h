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

/// What a first-in first-out port does with an arriving packet; the one rule of all fabrics.
///
/// What counts is what waits: the IPv4 packets (without the frame around them) that are in the
/// queue, the arriving one included. Not counted is the packet on the wire. A packet that finds
/// the port idle goes through the queue, too, for no time.
class FifoLimits
{
  public:
    /// @param maxSize most that may wait, in packets or bytes
    /// @param markingThreshold more than this is congestion; 0: never
    FifoLimits(const QueueSize& maxSize, const QueueSize& markingThreshold)
        : m_max(maxSize),
          m_marking(markingThreshold.GetValue() == 0 ? QueueSize(QueueSizeUnit::BYTES, UINT32_MAX)
                                                     : markingThreshold)
    {
    }

    /// @param packets packets that wait already
    /// @param bytes bytes that wait already
    /// @param size bytes of the arriving packet
    /// @return whether the packet finds room; otherwise it is dropped
    bool Admits(uint32_t packets, uint32_t bytes, uint32_t size) const
    {
        return !m_max.IsExceeded(packets, bytes, size);
    }

    /// @param packets packets that wait already
    /// @param bytes bytes that wait already
    /// @param size bytes of the arriving packet, which has been admitted
    /// @return whether the packet is to be marked, should it be ECN-capable
    bool Marks(uint32_t packets, uint32_t bytes, uint32_t size) const
    {
        return m_marking.IsExceeded(packets, bytes, size);
    }

  private:
    /// A QueueSize that is asked for every packet.
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

        bool inPackets; ///< or in bytes
        uint32_t value; ///< most that may wait
    };

    Limit m_max;
    Limit m_marking;
};

/// First in, first out; drops the arriving packet where there is no room for it, and marks it
/// where the queue, this packet included, is longer than a threshold (DCTCP: Alizadeh et al.,
/// SIGCOMM 2010, section 3.1). Packets that are not ECN-capable are never dropped for want of a
/// mark. See FifoLimits for what counts.
class FifoQueueDisc : public QueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FifoQueueDisc();

    /// @return the rule, as the attributes MaxSize and MarkingThreshold say
    FifoLimits GetLimits() const;

    // Reason of a drop and of a mark, in QueueDisc::Stats and in traces.
    static constexpr const char* FULL_DROP = "Queue full";                      ///< no room
    static constexpr const char* THRESHOLD_MARK = "Marking threshold exceeded"; ///< too long

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    Ptr<const QueueDiscItem> DoPeek() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    QueueSize m_markingThreshold;       ///< attribute MarkingThreshold
    std::optional<FifoLimits> m_limits; ///< the rule while packets flow
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_QUEUE_DISC_H
