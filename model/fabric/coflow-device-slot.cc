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
        // The device has just finished a packet. If the disc has another one, it calls the
        // device's Send(), which finds the device ready, and starts it before this returns.
        m_txQueue->Wake();
        return nullptr;
    }
    return DropTailQueue<Packet>::Dequeue();
}

} // namespace ns3::coflow
