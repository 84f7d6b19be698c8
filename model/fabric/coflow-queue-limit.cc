/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-queue-limit.h"

#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::coflow
{

PortQueue
DescribeQueue(const ObjectBase& queueDisc, uint16_t mtu)
{
    const auto tell = [&queueDisc](const char* attribute) {
        QueueSizeValue value;
        const bool has = queueDisc.GetAttributeFailSafe(attribute, value);
        return has ? value.SerializeToString(nullptr) : std::string();
    };
    const auto bands = tell("BandSize");
    QueueSizeValue threshold;
    queueDisc.GetAttributeFailSafe("MarkingThreshold", threshold);
    const bool inPackets = threshold.Get().GetUnit() == QueueSizeUnit::PACKETS;
    return {queueDisc.GetInstanceTypeId().GetName(),
            tell("MarkingThreshold"),
            uint64_t{threshold.Get().GetValue()} * (inPackets ? mtu : 1),
            bands.empty() ? tell("MaxSize") : bands};
}

QueueLimit
GetQueueLimit(const ObjectBase& queue, uint16_t mtu)
{
    QueueLimit result;
    // The limit of all packets, or of the packets of a band.
    for (const char* attribute : {"MaxSize", "BandSize"})
    {
        QueueSizeValue value;
        if (!queue.GetAttributeFailSafe(attribute, value))
        {
            continue;
        }
        const QueueSize limit = value.Get();
        const bool inBytes = limit.GetUnit() == QueueSizeUnit::BYTES;
        UintegerValue bands(1);
        if (std::string(attribute) == "BandSize")
        {
            queue.GetAttribute("Bands", bands);
        }
        result = {attribute,
                  bands.Get() * limit.GetValue() * (inBytes ? 1 : mtu),
                  limit.GetValue() >= (inBytes ? uint32_t{mtu} : 1)};
        if (!result.holdsPacket)
        {
            return result;
        }
    }
    return result;
}

} // namespace ns3::coflow
