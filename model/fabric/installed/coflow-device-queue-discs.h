/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DEVICE_QUEUE_DISCS_H
#define COFLOW_DEVICE_QUEUE_DISCS_H

#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

// Installs queue discs at devices that a script has made, and checks queue discs before the run.

/// @param device a device of a node
/// @return whether the device belongs to a bridge of its node. A bridge passes packets from one of
///         its ports to another without IPv4 and traffic control
bool IsBridgePort(const NetDevice& device);

/// @param device a device of a node
/// @return the root queue disc of the device; null: none
Ptr<QueueDisc> GetRootQueueDisc(const Ptr<NetDevice>& device);

/// Replaces the queue disc of a device. The queue inside the device is limited to one packet, so
/// that all other packets wait in the queue disc.
/// @param device the device
/// @param queueDisc factory of the queue disc
/// @throws ::coflow::InputError where the device cannot have one
void InstallQueueDisc(const Ptr<NetDevice>& device, const ObjectFactory& queueDisc);

/// Checks that a device has the queue disc that a scheduler and a transport need.
/// @param device the device
/// @param scheduler name of the scheduler, for messages
/// @param queueDisc class of the queue disc, with or without attributes; empty: any
/// @param marks whether the queue disc has to set ECN marks
/// @throws ::coflow::InputError where the device has another queue disc; the message names node and
///         device and says what to call
void CheckQueueDisc(const Ptr<NetDevice>& device,
                    const std::string& scheduler,
                    const std::string& queueDisc,
                    bool marks);

/// @param devices devices of nodes
/// @param expected expected class of their queue discs
/// @return text that names the other queue discs of these devices, without ports of bridges; empty:
///         none
std::string DescribeOtherQueueDiscs(const std::vector<Ptr<NetDevice>>& devices, TypeId expected);

} // namespace ns3::coflow

#endif // COFLOW_DEVICE_QUEUE_DISCS_H
