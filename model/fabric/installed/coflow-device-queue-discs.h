/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DEVICE_QUEUE_DISCS_H
#define COFLOW_DEVICE_QUEUE_DISCS_H

#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

// Queue discs of devices that a script has made: given to them, and checked before the run.

/// @param device a device of a node
/// @return whether it belongs to a bridge of that node: packets go from one of its ports to another
///         without IPv4 and traffic control
bool IsBridgePort(const NetDevice& device);

/// Gives a device a queue disc, in place of the one that it has, and a queue in the device that
/// leaves all waiting to the disc.
/// @param device the device
/// @param queueDisc makes the queue disc
/// @throws ::coflow::InputError where the device cannot have one
void InstallQueueDisc(const Ptr<NetDevice>& device, const ObjectFactory& queueDisc);

/// Checks that a device has the queue disc that a scheduler and a transport need.
/// @param device the device
/// @param scheduler its name, for messages
/// @param queueDisc class of the queue disc, with or without attributes; empty: any
/// @param marks whether it has to give ECN marks
/// @throws ::coflow::InputError where it has not; the message names node and device and says what
///         to call
void CheckQueueDisc(const NetDevice& device,
                    const std::string& scheduler,
                    const std::string& queueDisc,
                    bool marks);

/// @param devices devices of nodes
/// @param expected class of the queue disc that they should have
/// @return which other queue discs they have, ports of bridges left out, in words; empty: none
std::string DescribeOtherQueueDiscs(const std::vector<Ptr<NetDevice>>& devices, TypeId expected);

} // namespace ns3::coflow

#endif // COFLOW_DEVICE_QUEUE_DISCS_H
