/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-options.h"

#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-attributes.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-fluid-experiment.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/queue-disc.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::JoinNames;
using ::coflow::ParameterSpec;
using ::coflow::Policies;

namespace
{

/// @return the declaration of a parameter `name` or `Part::name`; null where the part has none
const ParameterSpec*
FindSpec(const RunPart& part, const std::string& option)
{
    const auto separator = option.rfind("::");
    if (separator != std::string::npos && option.substr(0, separator) != part.name)
    {
        return nullptr;
    }
    const auto name = separator == std::string::npos ? option : option.substr(separator + 2);
    const auto found = std::ranges::find(part.specs, name, &::coflow::ParameterSpec::name);
    return found == part.specs.end() ? nullptr : &*found;
}

/// Whether a part of a run with a scheduler has an option.
bool
SchedulerHas(const std::string& engine,
             const ExperimentConfig& config,
             const std::string& scheduler,
             const std::string& option)
{
    const auto parts = GetRunParts(engine, config, scheduler);
    return std::ranges::any_of(parts, [&](const auto& part) { return part.Has(option); });
}

bool
EngineHasScheduler(const std::string& engine, const std::string& scheduler)
{
    const auto schedulers = FindEngine(engine).getSchedulers();
    return std::ranges::any_of(schedulers,
                               [&](const auto& info) { return info.name == scheduler; });
}

/// Throws InputError for an option that needs the sizes of coflows, where the scheduler must not
/// know the sizes.
void
RefuseSizeAccess(const std::string& option, const std::string& scheduler)
{
    const auto& policies = Policies::All();
    const auto policy = policies.find(scheduler);
    const auto daemon = ClairvoyantDaemon::GetTypeId();
    if (policy != policies.end() && policy->second.knowledge != ::coflow::Knowledge::CLAIRVOYANT &&
        FindAttribute(daemon, option) && !FindAttribute(daemon.GetParent(), option))
    {
        throw InputError("option --" + option + " looks at sizes of coflows, which the scheduler " +
                         scheduler +
                         " must not know; allowed: with schedulers that are clairvoyant, and in "
                         "--compare with one that is, where the others ignore the option");
    }
}

/// Throws InputError for an option that only other schedulers of the engine have.
void
RefuseOtherSchedulers(const std::string& option,
                      const std::string& engine,
                      const ExperimentConfig& config)
{
    std::vector<std::string> others;
    for (const auto& scheduler : FindEngine(engine).getSchedulers())
    {
        if (SchedulerHas(engine, config, scheduler.name, option))
        {
            others.push_back(scheduler.name);
        }
    }
    if (!others.empty())
    {
        throw InputError("option --" + option + " is of other schedulers than " + config.scheduler +
                         "; allowed: with --scheduler one of " + JoinNames(others) +
                         ", and in --compare with one of these");
    }
}

/// Throws InputError for an option that only other topologies or fabrics have.
void
RefuseOtherNetworks(const std::string& option,
                    const std::string& engine,
                    const ExperimentConfig& config)
{
    for (const auto& [kind, parent, chosen] :
         {std::tuple("topology", Topology::GetTypeId(), config.topology),
          std::tuple("fabric", Fabric::GetTypeId(), config.fabric)})
    {
        const bool hasEffect = engine == "packet" || parent == Topology::GetTypeId();
        std::vector<std::string> others;
        for (const auto& type : GetNamedTypes(parent))
        {
            if (hasEffect && FindAttribute(type.typeId, option))
            {
                others.push_back(type.name);
            }
        }
        if (!chosen.empty() && !others.empty())
        {
            throw InputError("option --" + option + " is of the " + kind + " " + JoinNames(others) +
                             ", not of " + chosen + "; allowed: with --" + kind + "=" +
                             others.front() + ", or what --describe lists under " + chosen);
        }
    }
}

/// Throws InputError for an option that has an effect only in another engine.
void
RefuseOtherEngines(const std::string& option,
                   const std::string& engine,
                   const ExperimentConfig& config)
{
    for (const auto& other : AllEngines())
    {
        if (other.name == engine || !EngineHasScheduler(other.name, config.scheduler))
        {
            continue;
        }
        for (const auto& part : GetRunParts(other.name, config, config.scheduler))
        {
            if (part.Has(option))
            {
                throw InputError("option --" + option + " has no effect in the " + engine +
                                 " engine; allowed: with --engine=" + other.name);
            }
        }
    }
}

/// Throws InputError for an option that no part has.
[[noreturn]] void
RefuseUnknown(const std::string& option, const std::vector<RunPart>& parts)
{
    std::vector<std::string> ofQueueDiscs;
    for (const auto& type : GetQueueDiscTypes())
    {
        if (const auto attribute = FindAttribute(type, option))
        {
            ofQueueDiscs.push_back("--" + type.GetName() + "::" + attribute->name);
        }
    }
    if (!ofQueueDiscs.empty())
    {
        throw InputError("option --" + option +
                         " is of the queue discs of ports; allowed: " + JoinNames(ofQueueDiscs));
    }
    auto known = GetReplayOptionNames();
    std::vector<std::string> names;
    for (const auto& part : parts)
    {
        names.push_back(part.name);
        const auto ofPart = part.GetNames();
        known.insert(known.end(), ofPart.begin(), ofPart.end());
    }
    // Names of other programs for some options.
    static const std::map<std::string, std::string> OTHER_NAMES{
        {"seed", "RngRun"},
        {"run", "RngRun"},
        {"bandwidth", "linkRate"},
        {"dataRate", "linkRate"},
        {"rate", "linkRate"},
        {"delay", "linkDelay"},
        {"latency", "linkDelay"},
        {"mtu", "segment"},
        {"policy", "scheduler"},
    };
    const auto meant = OTHER_NAMES.find(option);
    const auto nearest =
        meant == OTHER_NAMES.end() ? ::coflow::FindNearest(option, known) : meant->second;
    throw InputError(
        "option --" + option +
        " is unknown; allowed: " + (nearest.empty() ? "" : "perhaps --" + nearest + ", ") +
        "those of --help, and the parameters of " + JoinNames(names) + " (see --describe)");
}

/// Throws InputError for an attribute that the experiment sets from other options.
void
RefuseSetByExperiment(const std::string& option, const std::string& attribute)
{
    static const std::pair<const char*, const char*> SAID[] = {
        {"Policy", "--scheduler=NAME (see --list)"},
        {"PolicyParameters", "the policy's parameters each by its name (see --describe)"},
        {"PolicyScale", "--scaleControl"},
        {"Topology", "--topology=NAME"},
        {"Mtu", "--segment, from which it follows"},
        {"Profile", "the attributes of TransportProfile (see --describe)"},
    };
    for (const auto& [name, instead] : SAID)
    {
        if (attribute == name)
        {
            throw InputError("option --" + option + " is set by the program; allowed: " + instead);
        }
    }
}

/// Reads a value for a part. Objects may be created here; a run resets the numbers of ns-3's random
/// streams afterwards.
GivenOption
Read(const RunPart& part, std::size_t place, const std::string& option, const std::string& text)
{
    if (const auto* spec = FindSpec(part, option))
    {
        if (!spec->Parse(text))
        {
            throw InputError("option --" + option + " is '" + text +
                             "'; allowed: " + spec->Allowed());
        }
        return {place, spec->name, nullptr, text};
    }
    const auto attribute = FindAttribute(part.type.value(), option);
    RefuseSetByExperiment(option, attribute->name);
    return {place, attribute->name, ParseAttribute("option --" + option, *attribute, text), {}};
}

} // namespace

bool
RunPart::Has(const std::string& option) const
{
    return FindSpec(*this, option) != nullptr || (type && FindAttribute(*type, option));
}

std::vector<std::string>
RunPart::GetNames() const
{
    std::vector<std::string> names;
    for (const auto& spec : specs)
    {
        names.push_back(spec.name);
    }
    if (type)
    {
        const auto attributes = GetAttributeNames(*type);
        names.insert(names.end(), attributes.begin(), attributes.end());
    }
    return names;
}

std::vector<TypeId>
GetQueueDiscTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.IsChildOf(QueueDisc::GetTypeId()) && type.HasConstructor() &&
            type.GetName().starts_with("ns3::coflow::"))
        {
            types.push_back(type);
        }
    }
    std::ranges::sort(types, {}, &TypeId::GetName);
    return types;
}

std::vector<RunPart>
GetSchedulerParts(const std::string& engine, const std::string& scheduler)
{
    if (engine == "fluid")
    {
        return {{scheduler, Policies::Find(scheduler).parameters}};
    }
    const auto type = FindSchedulerType(scheduler);
    std::vector<RunPart> parts;
    if (type.policy)
    {
        parts.push_back({scheduler, type.policy->parameters});
    }
    parts.push_back({GetBareName(type.typeId), {}, type.typeId});
    for (const auto& part : type.GetPartTypes())
    {
        parts.push_back({GetBareName(part), {}, part});
    }
    return parts;
}

std::vector<RunPart>
GetRunParts(const std::string& engine, const ExperimentConfig& config, const std::string& scheduler)
{
    std::vector<RunPart> parts;
    const auto add = [&parts](TypeId type) {
        if (std::ranges::none_of(parts, [&](const auto& part) { return part.type == type; }))
        {
            parts.push_back({GetBareName(type), {}, type});
        }
    };
    const auto ofScheduler = GetSchedulerParts(engine, scheduler);
    if (engine == "fluid")
    {
        auto specs = FluidEngineSpecs();
        const auto more = FluidSchedulerSpecs(scheduler);
        specs.insert(specs.end(), more.begin(), more.end());
        parts.push_back({engine, specs});
        parts.push_back(ofScheduler.front());
        if (!config.topology.empty())
        {
            add(FindNamedType(Topology::GetTypeId(), config.topology));
        }
        return parts;
    }
    parts.push_back({engine, PacketEngineSpecs()});
    if (!ofScheduler.front().type)
    {
        parts.push_back(ofScheduler.front());
    }
    if (!config.topology.empty())
    {
        add(FindNamedType(Topology::GetTypeId(), config.topology));
        add(FindNamedType(Fabric::GetTypeId(), config.fabric));
    }
    add(TransportProfile::GetTypeId());
    add(CoflowSource::GetTypeId());
    if (!config.topology.empty())
    {
        add(TimeJumper::GetTypeId());
    }
    add(WorkloadDriver::GetTypeId());
    for (const auto& part : ofScheduler)
    {
        if (part.type)
        {
            add(*part.type);
        }
    }
    add(ControlPlane::GetTypeId()); // applications always have a control plane
    return parts;
}

bool
IsFlag(const ExperimentConfig& config, const std::string& option)
{
    const auto parts = GetRunParts(config.engine, config, config.scheduler);
    return std::ranges::any_of(parts, [&option](const RunPart& part) {
        const auto attribute = part.type ? FindAttribute(*part.type, option) : std::nullopt;
        const auto* spec = FindSpec(part, option);
        return attribute ? attribute->checker->GetValueTypeName() == "ns3::BooleanValue"
                         : spec && spec->unit == ::coflow::Unit::FLAG;
    });
}

std::vector<GivenOption>
ResolveOptions(const std::string& engine,
               const ExperimentConfig& config,
               const std::vector<RunPart>& parts)
{
    std::vector<GivenOption> given;
    for (const auto& attribute : config.attributes)
    {
        // Clang before version 16 cannot capture the names of a structured binding in a lambda.
        const auto& option = attribute.first;
        std::vector<std::size_t> having;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            if (parts[i].Has(option))
            {
                having.push_back(i);
                names.push_back("--" + parts[i].name + "::" + option);
            }
        }
        if (having.size() > 1)
        {
            throw InputError("option --" + option +
                             " is one of several parts; allowed: " + JoinNames(names));
        }
        if (having.size() == 1)
        {
            given.push_back(Read(parts[having.front()], having.front(), option, attribute.second));
            continue;
        }
        const bool ofAnother = std::ranges::any_of(config.others, [&](const auto& other) {
            return SchedulerHas(engine, config, other, option);
        });
        if (!ofAnother)
        {
            RefuseSizeAccess(option, config.scheduler);
            RefuseOtherSchedulers(option, engine, config);
            RefuseOtherNetworks(option, engine, config);
            RefuseOtherEngines(option, engine, config);
            RefuseUnknown(option, parts);
        }
    }
    return given;
}

} // namespace ns3::coflow
