/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DEVICE_SLOT_H
#define COFLOW_DEVICE_SLOT_H

#include "ns3/drop-tail-queue.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/packet.h"

namespace ns3::coflow
{

/// The queue inside a PointToPointNetDevice, which holds a packet only between the device's call of
/// Enqueue() and its transmission. While the device transmits, this queue stops the device's queue
/// disc. When the device asks this queue for the next packet, this queue wakes the queue disc,
/// which sends its next packet. So a port has one packet on the wire, and all others wait in the
/// queue disc, which orders, marks and counts them.
///
/// ns-3 couples device and queue disc by NetDeviceQueue::ConnectQueueTraces. With this coupling at
/// least one more packet leaves the queue disc early, and each packet costs an event.
class DeviceSlot : public DropTailQueue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param txQueue the device queue by which the device stops and wakes its queue disc
    void SetTxQueue(Ptr<NetDeviceQueue> txQueue)
    {
        m_txQueue = txQueue;
    }

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;

  protected:
    void DoDispose() override;

  private:
    Ptr<NetDeviceQueue> m_txQueue; ///< stopped while the device transmits
};

} // namespace ns3::coflow

#endif // COFLOW_DEVICE_SLOT_H
