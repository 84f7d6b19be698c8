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

/// The queue inside a PointToPointNetDevice, reduced to the moment between being handed a packet
/// and sending it: while the device transmits it takes nothing from its queue disc, and when it
/// looks here for the next packet, the disc is asked for it. So a port holds one packet on the
/// wire, and all others wait in the disc, where they may be ordered, marked and counted.
///
/// ns-3's own coupling of the two (NetDeviceQueue::ConnectQueueTraces) lets at least one more
/// packet leave the disc early, and costs an event per packet.
class DeviceSlot : public DropTailQueue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param txQueue the device's side of the agreement with its queue disc
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
