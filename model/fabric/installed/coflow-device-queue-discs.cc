/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-device-queue-discs.h"

#include "ns3/boolean.h"
#include "ns3/coflow-device-slot.h"
#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-node-graph.h"
#include "ns3/ipv4.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <map>

namespace ns3::coflow
{

using ::coflow::InputError;

namespace
{

constexpr const char* INSTALL = "; call CoflowHelper::InstallQueueDiscs() with it before "
                                "CoflowHelper::Install()";

/// @return name of a class, without values of attributes
std::string
GetClass(const std::string& queueDisc)
{
    return queueDisc.substr(0, queueDisc.find('['));
}

/// @return whether a queue disc sets ECN marks, according to its attributes
bool
Marks(const QueueDisc& queueDisc)
{
    BooleanValue uses;
    QueueSizeValue threshold;
    if (queueDisc.GetAttributeFailSafe("UseEcn", uses))
    {
        return uses.Get();
    }
    return queueDisc.GetAttributeFailSafe("MarkingThreshold", threshold);
}

/// @return the rest of a message about a port of a bridge without a queue disc
std::string
SayBridge(const std::string& lacks, const std::string& instead)
{
    return " is a port of a bridge and has no queue disc, " + lacks +
           "; allowed: nodes that route, or " + instead;
}

/// Limits the queue of the device to one packet, so that all other packets wait in the queue disc.
void
ShortenDeviceQueue(const Ptr<NetDevice>& device)
{
    auto interface = device->GetObject<NetDeviceQueueInterface>();
    if (const auto link = DynamicCast<PointToPointNetDevice>(device))
    {
        if (!interface)
        {
            interface = CreateObject<NetDeviceQueueInterface>();
            device->AggregateObject(interface);
        }
        // The same queue as in NodesFabric, so that ports have the same times to the nanosecond.
        const auto slot = CreateObject<DeviceSlot>();
        slot->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 1));
        slot->SetTxQueue(interface->GetTxQueue(0));
        link->SetQueue(slot);
        return;
    }
    PointerValue queue;
    if (!interface || !device->GetAttributeFailSafe("TxQueue", queue) ||
        !queue.Get<Queue<Packet>>())
    {
        throw InputError(NameDevice(*device) +
                         " takes all packets at once and leaves none to a queue disc; allowed: "
                         "devices of PointToPointHelper, and others with flow control and an "
                         "attribute TxQueue, such as those of CsmaHelper");
    }
    queue.Get<Queue<Packet>>()->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 1));
}

} // namespace

bool
IsBridgePort(const NetDevice& device)
{
    const auto node = device.GetNode();
    bool bridges = false;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        bridges = bridges || node->GetDevice(i)->IsBridge();
    }
    const auto ipv4 = node->GetObject<Ipv4>();
    return bridges && !device.IsBridge() &&
           (!ipv4 || ipv4->GetInterfaceForDevice(Ptr<const NetDevice>(&device)) < 0);
}

Ptr<QueueDisc>
GetRootQueueDisc(const Ptr<NetDevice>& device)
{
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    return layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
}

void
InstallQueueDisc(const Ptr<NetDevice>& device, const ObjectFactory& queueDisc)
{
    if (IsBridgePort(*device))
    {
        throw InputError(NameDevice(*device) +
                         " is a port of a bridge, which passes no queue discs; allowed: "
                         "devices of hosts and of nodes that route, or "
                         "CoflowHelper::InstallQueueDiscs() without devices, which leaves "
                         "bridges out");
    }
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!layer)
    {
        throw InputError(NameDevice(*device) +
                         " is of a node without traffic control; call "
                         "InternetStackHelper::Install() with its node before "
                         "CoflowHelper::Install()");
    }
    ShortenDeviceQueue(device);
    if (layer->GetRootQueueDiscOnDevice(device))
    {
        layer->DeleteRootQueueDiscOnDevice(device); // Ipv4AddressHelper has installed a queue disc
    }
    const auto disc = queueDisc.Create<QueueDisc>();
    layer->SetRootQueueDiscOnDevice(device, disc);
    if (const auto discipline = DynamicCast<DisciplineQueueDisc>(disc))
    {
        discipline->SetLinkRate(GetDeviceRate(*device));
    }
}

void
CheckQueueDisc(const Ptr<NetDevice>& device,
               const std::string& scheduler,
               const std::string& queueDisc,
               bool marks)
{
    const auto disc = GetRootQueueDisc(device);
    const auto needed = GetClass(queueDisc);
    const auto present = disc ? disc->GetInstanceTypeId().GetName() : "no queue disc";
    const bool bridge = IsBridgePort(*device); // packets at a bridge pass no queue disc
    if (!needed.empty() && bridge)
    {
        throw InputError(NameDevice(*device) +
                         SayBridge("but the scheduler " + scheduler + " needs a " + needed +
                                       " at every port between hosts",
                                   "a scheduler that asks for none"));
    }
    if (marks && bridge)
    {
        throw InputError(NameDevice(*device) +
                         SayBridge("and gives no ECN marks, but the hosts' TCP goes by them",
                                   "a TCP that does without: CoflowHelper::Set(\"congestionOps\", "
                                   "\"ns3::TcpNewReno\")"));
    }
    if (!needed.empty() && present != needed)
    {
        throw InputError(NameDevice(*device) + " has " + present + ", but the scheduler " +
                         scheduler + " needs a " + needed + " at every port between hosts" +
                         INSTALL);
    }
    if (marks && !(disc && Marks(*disc)))
    {
        throw InputError(NameDevice(*device) + " has " + present +
                         " and gives no ECN marks, but the hosts' TCP goes by them" + INSTALL +
                         ", or choose a TCP that does without: CoflowHelper::Set("
                         "\"congestionOps\", \"ns3::TcpNewReno\")");
    }
}

std::string
DescribeOtherQueueDiscs(const std::vector<Ptr<NetDevice>>& devices, TypeId expected)
{
    std::map<std::string, std::size_t> others;
    std::size_t checked = 0;
    for (const auto& device : devices)
    {
        if (IsBridgePort(*device))
        {
            continue;
        }
        ++checked;
        const auto disc = GetRootQueueDisc(device);
        if (!disc || disc->GetInstanceTypeId() != expected)
        {
            ++others[disc ? disc->GetInstanceTypeId().GetName() : "no queue disc"];
        }
    }
    std::string text;
    for (const auto& [name, count] : others)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " with " + name;
    }
    return text.empty() ? ""
                        : "of " + std::to_string(checked) +
                              " devices between hosts, some do not "
                              "have " +
                              expected.GetName() +
                              ", with which schedulers and TCP are "
                              "tested here: " +
                              text;
}

} // namespace ns3::coflow
