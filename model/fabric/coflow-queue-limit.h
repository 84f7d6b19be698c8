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

/// What a queue's attributes say of its length.
struct QueueLimit
{
    const char* attribute{nullptr}; ///< that says it; null: none does
    uint64_t bytes{0};              ///< most that may wait, of all bands; 0: unlimited
    bool holdsPacket{true};         ///< whether a full packet fits
};

/// @param queueDisc a queue disc
/// @param mtu bytes of a full packet
/// @return its class and sizes
PortQueue DescribeQueue(const ObjectBase& queueDisc, uint16_t mtu);

/// @param queue a queue disc, or a queue of packets
/// @param mtu bytes of a full packet
/// @return how long it may get
QueueLimit GetQueueLimit(const ObjectBase& queue, uint16_t mtu);

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_LIMIT_H
