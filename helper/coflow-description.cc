/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-description.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-version.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/queue-disc.h"

namespace ns3::coflow
{

using ::coflow::Json;

namespace
{

Json
DescribeEngines()
{
    auto engines = Json::Array();
    for (const auto& engine : AllEngines())
    {
        auto schedulers = Json::Array();
        for (const auto& scheduler : engine.getSchedulers())
        {
            schedulers.Add(Json::Object()
                               .Set("name", scheduler.name)
                               .Set("description", scheduler.description)
                               .Set("attributes", scheduler.parameters));
        }
        engines.Add(Json::Object()
                        .Set("name", engine.name)
                        .Set("description", engine.description)
                        .Set("attributes", DescribeParameters(engine.parameters))
                        .Set("schedulers", schedulers));
    }
    return engines;
}

/// @return the names of all engines, or of the packet engine only
Json
ListEngines(bool inAll)
{
    auto names = Json::Array();
    for (const auto& engine : AllEngines())
    {
        if (inAll || engine.name == "packet")
        {
            names.Add(engine.name);
        }
    }
    return names;
}

Json
DescribeTypes(TypeId parent)
{
    const bool inAll = parent == Topology::GetTypeId();
    auto types = Json::Array();
    for (const auto& type : GetNamedTypes(parent))
    {
        types.Add(Json::Object()
                      .Set("name", type.name)
                      .Set("type", type.typeId.GetName())
                      .Set("description", type.description)
                      .Set("engines", ListEngines(inAll))
                      .Set("attributes", DescribeAttributes(type.typeId)));
    }
    return types;
}

Json
DescribeType(TypeId type)
{
    return Json::Object()
        .Set("type", type.GetName())
        .Set("engines", ListEngines(false))
        .Set("attributes", DescribeAttributes(type));
}

/// Describes the queue discs of ports. Options for their attributes have full names.
Json
DescribeQueueDiscs()
{
    auto queueDiscs = Json::Array();
    for (const auto& type : GetQueueDiscTypes())
    {
        queueDiscs.Add(Json::Object()
                           .Set("type", type.GetName())
                           .Set("description", GetDescription(type))
                           .Set("engines", ListEngines(false))
                           .Set("attributes", DescribeAttributes(type, QueueDisc::GetTypeId())));
    }
    return queueDiscs;
}

Json
DescribeGenerators()
{
    auto generators = Json::Array();
    for (const auto& [name, generator] : ::coflow::Generators::All())
    {
        generators.Add(Json::Object()
                           .Set("name", name)
                           .Set("description", generator.help)
                           .Set("attributes", DescribeParameters(generator.parameters)));
    }
    return generators;
}

Json
DescribeTransforms()
{
    auto transforms = Json::Array();
    for (const auto& [name, kind] : ::coflow::TransformKinds::All())
    {
        transforms.Add(Json::Object()
                           .Set("name", name)
                           .Set("argument", kind.syntax)
                           .Set("description", kind.help));
    }
    return transforms;
}

Json
DescribeFiles()
{
    return Json::Object()
        .Set("coflows.csv", ::coflow::DescribeColumns(::coflow::CoflowColumns()))
        .Set("flows.csv", ::coflow::DescribeColumns(::coflow::FlowColumns()))
        .Set("timeseries.csv", ::coflow::DescribeColumns(::coflow::SampleColumns()));
}

} // namespace

std::map<std::string, SchedulerOffer>
GetAllSchedulers()
{
    std::map<std::string, SchedulerOffer> schedulers;
    for (const auto& engine : AllEngines())
    {
        for (const auto& scheduler : engine.getSchedulers())
        {
            auto& offer = schedulers[scheduler.name];
            offer.info = offer.info.name.empty() ? scheduler : offer.info;
            offer.engines += offer.engines.empty() ? "" : ",";
            offer.engines += engine.name;
        }
    }
    return schedulers;
}

Json
DescribeModule()
{
    return Json::Object()
        .Set("version", GetModuleVersion())
        .Set("ns3_version", GetNs3Version())
        .Set("engines", DescribeEngines())
        .Set("topologies", DescribeTypes(Topology::GetTypeId()))
        .Set("fabrics", DescribeTypes(Fabric::GetTypeId()))
        .Set("queue_discs", DescribeQueueDiscs())
        .Set("transport", DescribeType(TransportProfile::GetTypeId()))
        .Set("source", DescribeType(CoflowSource::GetTypeId()))
        .Set("jumps", DescribeType(TimeJumper::GetTypeId()))
        .Set("driver", DescribeType(WorkloadDriver::GetTypeId()))
        .Set("control", DescribeType(ControlPlane::GetTypeId()))
        .Set("generators", DescribeGenerators())
        .Set("transforms", DescribeTransforms())
        .Set("files", DescribeFiles())
        .Set("options", DescribeReplayOptions());
}

Json
DescribeRun(const ExperimentConfig& config)
{
    auto description = DescribeModule();
    if (config.engine == "packet")
    {
        const PacketCluster cluster(config);
        description.Set("network_constants", cluster.GetInstallation()->GetSizes().ToJson());
    }
    return description;
}

} // namespace ns3::coflow
