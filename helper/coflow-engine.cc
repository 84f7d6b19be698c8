/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-engine.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fluid-experiment.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-text.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;

namespace
{

/// @return the parameters of a scheduler in an engine
Json
DescribeScheduler(const std::string& engine, const std::string& scheduler)
{
    auto attributes = Json::Array();
    for (const auto& part : GetSchedulerParts(engine, scheduler))
    {
        attributes.Append(part.type ? DescribeAttributes(*part.type)
                                    : DescribeParameters(part.specs));
    }
    return attributes;
}

std::vector<SchedulerInfo>
GetPacketSchedulers()
{
    std::vector<SchedulerInfo> schedulers;
    for (const auto& type : GetSchedulerTypes())
    {
        schedulers.push_back({type.name, type.description, DescribeScheduler("packet", type.name)});
    }
    return schedulers;
}

std::vector<SchedulerInfo>
GetFluidSchedulers()
{
    std::vector<SchedulerInfo> schedulers;
    for (const auto& [name, info] : ::coflow::Policies::All())
    {
        auto attributes = DescribeScheduler("fluid", name);
        attributes.Append(DescribeParameters(FluidSchedulerSpecs(name)));
        schedulers.push_back({name, info.summary, attributes});
    }
    return schedulers;
}

} // namespace

const std::vector<Engine>&
AllEngines()
{
    static const std::vector<Engine> engines{
        {"packet",
         "ns-3 with TCP, queues and control messages",
         GetPacketSchedulers,
         PacketEngineSpecs(),
         RunPacketExperiment},
        {"fluid",
         "rates instead of packets, limited by the hosts' ports; fast",
         GetFluidSchedulers,
         FluidEngineSpecs(),
         RunFluidExperiment},
    };
    return engines;
}

const Engine&
FindEngine(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& engine : AllEngines())
    {
        if (engine.name == name)
        {
            return engine;
        }
        names.push_back(engine.name);
    }
    throw InputError("option --engine is '" + name + "'; allowed: " + ::coflow::JoinNames(names) +
                     ::coflow::SuggestName(name, names));
}

void
CheckNames(const ExperimentConfig& config)
{
    const auto schedulers = FindEngine(config.engine).getSchedulers();
    std::vector<std::string> names;
    for (const auto& scheduler : schedulers)
    {
        names.push_back(scheduler.name);
    }
    if (std::ranges::find(names, config.scheduler) == names.end())
    {
        throw InputError("option --scheduler is '" + config.scheduler + "'; allowed in the " +
                         config.engine + " engine: " + ::coflow::JoinNames(names) +
                         ::coflow::SuggestName(config.scheduler, names));
    }
    ResolveOptions(config.engine, config, GetRunParts(config.engine, config, config.scheduler));
}

} // namespace ns3::coflow
