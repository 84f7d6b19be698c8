/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUEUE_LIMIT_H
#define COFLOW_QUEUE_LIMIT_H

#include "ns3/coflow-host-network.h"
#include "ns3/object-base.h"

#include <cstdint>

namespace ns3::coflow
{

/// The largest length of a queue, from its attributes.
struct QueueLimit
{
    const char* attribute{nullptr}; ///< attribute with the length; null: no such attribute
    uint64_t bytes{0};              ///< sum over all bands; 0: unlimited
    bool holdsPacket{true};         ///< whether the queue has space for a full packet
};

/// @param queueDisc a queue disc
/// @param mtu bytes of a full packet
/// @return class and sizes of the queue disc
PortQueue DescribeQueue(const ObjectBase& queueDisc, uint16_t mtu);

/// @param queue a queue disc, or a queue of packets
/// @param mtu bytes of a full packet
/// @return the largest length of the queue
QueueLimit GetQueueLimit(const ObjectBase& queue, uint16_t mtu);

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_LIMIT_H
