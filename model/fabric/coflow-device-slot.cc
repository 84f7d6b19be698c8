/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-device-slot.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(DeviceSlot);

TypeId
DeviceSlot::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::DeviceSlot")
                            .SetParent<DropTailQueue<Packet>>()
                            .SetGroupName("Coflow")
                            .AddConstructor<DeviceSlot>();
    return tid;
}

void
DeviceSlot::DoDispose()
{
    m_txQueue = nullptr;
    DropTailQueue<Packet>::DoDispose();
}

bool
DeviceSlot::Enqueue(Ptr<Packet> packet)
{
    m_txQueue->Stop();
    return DropTailQueue<Packet>::Enqueue(packet);
}

Ptr<Packet>
DeviceSlot::Dequeue()
{
    if (IsEmpty())
    {
        // The device has just finished a packet. If the queue disc has another packet, Wake() makes
        // the queue disc call the device's Send(). The device is then ready, and begins the
        // transmission before Wake() returns.
        m_txQueue->Wake();
        return nullptr;
    }
    return DropTailQueue<Packet>::Dequeue();
}

} // namespace ns3::coflow
