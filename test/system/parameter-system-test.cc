/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One parameter system for both engines: declarations, texts, names, scales.

#include "coflow-expect-error.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-attributes.h"
#include "ns3/coflow-central-coordinator.h"
#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-fluid-experiment.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;
using ::coflow::ParameterSpec;
using ::coflow::Scaling;
using ::coflow::Unit;
using ::coflow::test::ErrorOf;

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

ExperimentConfig
Make(const std::string& scheduler, Attributes attributes = {})
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.attributes = std::move(attributes);
    return config;
}

std::vector<std::string>
GetSchedulers(const std::string& engine)
{
    std::vector<std::string> names;
    for (const auto& scheduler : FindEngine(engine).getSchedulers())
    {
        names.push_back(scheduler.name);
    }
    return names;
}

/// All parameters of a run that are numbers, flags or names, by the names of options.
std::multimap<std::string, ParameterSpec>
GetSpecs(const std::string& engine, const std::string& scheduler)
{
    std::multimap<std::string, ParameterSpec> specs;
    for (const auto& part : GetRunParts(engine, ExperimentConfig(), scheduler))
    {
        for (const auto& spec : part.specs)
        {
            specs.emplace(spec.name, spec);
        }
        for (const auto& name :
             part.type ? GetAttributeNames(*part.type) : std::vector<std::string>())
        {
            if (const auto spec = GetSpec(*FindAttribute(*part.type, name)))
            {
                specs.emplace(name, *spec);
            }
        }
    }
    return specs;
}

/// What ErrorOf() says where nothing is wrong.
const std::string NO_ERROR = "(no error)";

std::string
ErrorOfOptions(const std::string& engine, const ExperimentConfig& config)
{
    return ErrorOf(
        [&] { ResolveOptions(engine, config, GetRunParts(engine, config, config.scheduler)); });
}

const std::vector<std::string> MALFORMED{"",
                                         " ",
                                         "-",
                                         "abc",
                                         "1x",
                                         "1e999",
                                         "-1e999",
                                         "nan",
                                         "1 2",
                                         "99999999999999999999999",
                                         "[",
                                         "]",
                                         "[]",
                                         "=",
                                         "ns3::Nothing",
                                         "ns3::Object[",
                                         "ns3::Object[]]",
                                         "ns3::UniformRandomVariable[Min=x]",
                                         "ns3::UniformRandomVariable[Min=0|Max]",
                                         "ns3::UniformRandomVariable[Nothing=0]",
                                         "ns3::UniformRandomVariable[[Min=0]",
                                         "ns3::coflow::FifoQueueDisc[MaxSize=1z]"};

} // namespace

// ns-3 ends the process for many of these texts. No process was started to try them out.
TEST(AttributeText, NoMalformedTextOfAnyAttributeEndsTheProcess)
{
    std::set<std::string> types;
    uint64_t refused = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const auto attribute = type.GetAttribute(j);
            if (!types
                     .insert(attribute.checker->GetValueTypeName() +
                             (attribute.checker->HasUnderlyingTypeInformation()
                                  ? attribute.checker->GetUnderlyingTypeInformation()
                                  : ""))
                     .second)
            {
                continue; // its like has been tried
            }
            for (const auto& text : MALFORMED)
            {
                try
                {
                    ParseAttribute("option --x", attribute, text);
                }
                catch (const InputError& error)
                {
                    ++refused;
                    EXPECT_NE(std::string(error.what()).find("; allowed: "), std::string::npos)
                        << error.what();
                }
            }
        }
    }
    EXPECT_GT(types.size(), 40U);
    EXPECT_GT(refused, 500U);
}

TEST(AttributeText, EveryQuantityRefusesMalformedTexts)
{
    for (const auto& engine : AllEngines())
    {
        for (const auto& scheduler : GetSchedulers(engine.name))
        {
            for (const auto& [name, spec] : GetSpecs(engine.name, scheduler))
            {
                if (name == "port")
                {
                    continue; // of two parts under dcas
                }
                for (const std::string text : {"", "abc", "1x", "1e999", "nan", "["})
                {
                    EXPECT_NE(ErrorOfOptions(engine.name, Make(scheduler, {{name, text}})),
                              NO_ERROR)
                        << scheduler << " --" << name << "=" << text;
                }
            }
        }
    }
}

TEST(AttributeText, HasTheGrammarOfAllParameters)
{
    const auto parse = [](TypeId type, const std::string& name, const std::string& text) {
        return ParseAttribute("option --" + name, *FindAttribute(type, name), text);
    };
    const auto daemon = ClairvoyantDaemon::GetTypeId();
    const auto bypass = parse(daemon, "bypassBytes", "25MB");
    EXPECT_EQ(dynamic_cast<const DoubleValue&>(*bypass).Get(), 25e6);
    const auto batch = parse(daemon, "controlBatch", "400us");
    EXPECT_EQ(dynamic_cast<const TimeValue&>(*batch).Get(), MicroSeconds(400));
    const auto threshold = parse(DcasAgent::GetTypeId(), "threshold", "1e6");
    EXPECT_EQ(dynamic_cast<const UintegerValue&>(*threshold).Get(), 1'000'000U);
    const auto never = parse(CentralCoordinator::GetTypeId(), "readyTimeout", "inf");
    EXPECT_EQ(dynamic_cast<const TimeValue&>(*never).Get(), Time::Max());
    // Others are added to the time of the run, which has to have room for them.
    parse(CentralCoordinator::GetTypeId(), "daemonTimeout", "1e6s");
    for (const std::string text : {"inf", "1e30s", "9e9s", "1000001s", "-1ns"})
    {
        EXPECT_NE(ErrorOf([&] { parse(CentralCoordinator::GetTypeId(), "daemonTimeout", text); }),
                  NO_ERROR)
            << text;
    }
    // Exactly at the ends of a range, and just beyond.
    parse(daemon, "heartbeat", "1us");
    parse(daemon, "heartbeat", "1000ns");
    EXPECT_NE(ErrorOf([&] { parse(daemon, "heartbeat", "999ns"); }), NO_ERROR);
    parse(TransportProfile::GetTypeId(), "segmentSize", "65483");
    EXPECT_NE(ErrorOf([&] { parse(TransportProfile::GetTypeId(), "segmentSize", "65484"); }),
              NO_ERROR);
}

// The same text has to mean the same in both engines. What differs is listed here, and says so in
// its help.
TEST(Parameters, ANameMeansTheSameInBothEngines)
{
    uint64_t shared = 0;
    for (const auto& scheduler : GetSchedulers("packet"))
    {
        // An attribute T is an option t, too.
        std::multimap<std::string, ParameterSpec> packet;
        for (const auto& [name, spec] : GetSpecs("packet", scheduler))
        {
            packet.emplace(GetOptionName(name), spec);
        }
        for (const auto& [name, fluid] : GetSpecs("fluid", scheduler))
        {
            const auto [begin, end] = packet.equal_range(GetOptionName(name));
            for (auto other = begin; other != end; ++other)
            {
                ++shared;
                const auto& spec = other->second;
                EXPECT_EQ(spec.unit, fluid.unit) << scheduler << ": " << name;
                EXPECT_EQ(spec.scaling, fluid.scaling) << scheduler << ": " << name;
                EXPECT_EQ(spec.choices, fluid.choices) << scheduler << ": " << name;
                if (name == "sampleInterval")
                {
                    EXPECT_EQ(spec.help, fluid.help);
                    EXPECT_NE(fluid.help.find("0 in the fluid engine"), std::string::npos);
                    continue;
                }
                EXPECT_EQ(spec.defaultValue, fluid.defaultValue) << scheduler << ": " << name;
            }
        }
    }
    EXPECT_GT(shared, 100U);
}

TEST(Parameters, BothEnginesTakeTheSameTexts)
{
    const std::vector<std::tuple<std::string, std::string, std::string>> texts{
        {"varys", "bypassBytes", "25MB"},
        {"varys", "bypassBytes", "1e6"},
        {"varys", "controlBatch", "10ms"},
        {"varys", "controlBatch", "0.1"},
        {"varys", "T", "1e-3"},
        {"dcas", "threshold", "1e6"},
        {"dcas", "threshold", "1MB"},
        {"dcas", "delta", "1ms"},
        {"dcas", "T", "2"},
        {"baraat", "heavyBytes", "8e6"},
        {"aalo", "firstThreshold", "1MiB"},
        {"fair", "linkRate", "1e9"},
        {"fair", "linkRate", "10Gbps"},
        {"fair", "shortBytes", "20kB"},
        {"fair", "sampleInterval", "10ms"}};
    for (const auto& [scheduler, name, text] : texts)
    {
        for (const auto& engine : AllEngines())
        {
            EXPECT_EQ(ErrorOfOptions(engine.name, Make(scheduler, {{name, text}})), NO_ERROR)
                << engine.name << ": " << scheduler << " --" << name << "=" << text;
        }
    }
}

TEST(Options, OfAnotherEngineAreRefusedAndTheEngineIsNamed)
{
    for (const std::string option :
         {"heartbeat", "segmentSize", "rateInterval", "entryPoints", "controlLossRate", "kappa"})
    {
        const auto error = ErrorOfOptions("fluid", Make("varys", {{option, "1"}}));
        EXPECT_EQ(error,
                  "option --" + option +
                      " has no effect in the fluid engine; allowed: with --engine=packet");
    }
    for (const std::string option : {"controlDelay", "controlPeriod", "control"})
    {
        const auto error = ErrorOfOptions("packet", Make("varys", {{option, "1"}}));
        EXPECT_EQ(error,
                  "option --" + option +
                      " has no effect in the packet engine; allowed: with --engine=fluid");
    }
}

TEST(Options, OfAnotherSchedulerNameTheSchedulersThatHaveThem)
{
    for (const auto& engine : AllEngines())
    {
        const auto error = ErrorOfOptions(engine.name, Make("fair", {{"heavyBytes", "1"}}));
        EXPECT_NE(error.find("one of baraat"), std::string::npos) << error;
        auto compared = Make("fair", {{"heavyBytes", "1"}});
        compared.others = {"fair", "baraat"};
        EXPECT_EQ(ErrorOfOptions(engine.name, compared), NO_ERROR);
    }
}

TEST(Options, NoNameIsOfTwoPartsOfARun)
{
    for (const auto& engine : AllEngines())
    {
        for (const auto& scheduler : GetSchedulers(engine.name))
        {
            std::map<std::string, std::string> owners;
            for (const auto& part : GetRunParts(engine.name, ExperimentConfig(), scheduler))
            {
                for (const auto& name : part.GetNames())
                {
                    const auto [owner, isNew] = owners.emplace(name, part.name);
                    // Where one has to choose, by Part::name.
                    EXPECT_TRUE(isNew || name == "port" || name == "profile")
                        << scheduler << ": " << name << " of " << part.name << " and "
                        << owner->second;
                }
            }
        }
    }
}

TEST(Options, WhatAnExperimentSetsItselfIsRefused)
{
    for (const std::string option : {"policy", "policyParameters", "policyScale", "mtu"})
    {
        const auto error = ErrorOfOptions("packet", Make("varys", {{option, "1"}}));
        EXPECT_NE(error.find("is set by the program; allowed: "), std::string::npos) << error;
    }
}

// The constants that the demo had to be given by hand.
TEST(Scale, DefaultsComeOutAsTheyWereScaledByHand)
{
    auto config = Make("varys");
    config.scale = 1.0 / 250;
    const RunParts varys("packet", config);
    const auto daemon = varys.GetFactory(CentralDaemon::GetTypeId()).Create<Object>();
    const auto time = [](Ptr<Object> object, const std::string& name) {
        TimeValue value;
        object->GetAttribute(name, value);
        return value.Get();
    };
    EXPECT_EQ(time(daemon, "ControlBatch"), MicroSeconds(400));
    EXPECT_EQ(time(daemon, "Heartbeat"), MilliSeconds(4));
    EXPECT_EQ(time(daemon, "MasterTimeout"), MilliSeconds(12));
    DoubleValue bypass;
    daemon->GetAttribute("BypassBytes", bypass);
    EXPECT_EQ(bypass.Get(), 100e3);
    EXPECT_EQ(varys.GetPolicy().Time("T"), 8'000'000);
    EXPECT_EQ(varys.GetPolicy().Time("delta"), 800'000);
    EXPECT_EQ(varys.GetEngine().Size("shortBytes"), 20'000);
    // The network's own times stay.
    const auto profile = varys.Create<TransportProfile>();
    EXPECT_EQ(time(profile, "MinRto"), MilliSeconds(5));

    config.scheduler = "nc-drf";
    const RunParts ncDrf("packet", config);
    EXPECT_EQ(ncDrf.GetPolicy().Time("coalesce"), 40'000);

    config.scheduler = "dcas";
    const auto dcas =
        RunParts("packet", config).GetFactory(DcasAgent::GetTypeId()).Create<Object>();
    EXPECT_EQ(time(dcas, "Delta"), MicroSeconds(400));
    EXPECT_EQ(time(dcas, "FeedbackDelay"), MicroSeconds(100));
    UintegerValue threshold;
    dcas->GetAttribute("Threshold", threshold);
    EXPECT_EQ(threshold.Get(), 4000U);
}

TEST(Scale, GivenValuesCountAsGiven)
{
    auto config = Make("varys", {{"heartbeat", "20ms"}, {"T", "3s"}});
    config.scale = 0.5;
    SetDefaultAttribute("ns3::coflow::CentralDaemon::MasterTimeout", "7s");
    const RunParts parts("packet", config);
    const auto daemon = parts.GetFactory(CentralDaemon::GetTypeId()).Create<Object>();
    ns3::Config::Reset();
    TimeValue value;
    daemon->GetAttribute("MasterTimeout", value);
    EXPECT_EQ(value.Get(), Seconds(7));
    daemon->GetAttribute("Heartbeat", value);
    EXPECT_EQ(value.Get(), MilliSeconds(20));
    daemon->GetAttribute("ControlBatch", value);
    EXPECT_EQ(value.Get(), MilliSeconds(50));
    EXPECT_NE(parts.DescribePolicy().ToString().find("\"T\": \"3s\""), std::string::npos);
    EXPECT_NE(parts.DescribePolicy().ToString().find("\"delta\": \"0.1\""), std::string::npos);
}

// Every parameter in bytes or seconds either scales or is of the network; a new one has to decide.
TEST(Scale, EveryTimeOfASchedulerIsDecided)
{
    const std::set<std::string> ofTheNetwork{
        // delays and timers of links and transport
        "linkDelay",
        "flowletTimeout",
        "controlMessageDelay",
        "minRto",
        "maxRto",
        "clockGranularity",
        "initialRtt",
        "connTimeout",
        "delAckTimeout",
        "persistTimeout",
        "maxSegmentLifetime",
        "rateInterval",
        "reconnectDelay",
        "lookInterval",
        "settleTime",
        "feedbackDelay",
        "minPeriod",
        "setup",
        // what is given as such, or is 0: a machine's speed, moments, other engines' control
        "computeDelay",
        "dispatchDelay",
        "coordinatorFailAt",
        "coordinatorDownTime",
        "controlDelay",
        "controlPeriod",
        // what is told, not what is run
        "sampleInterval",
        // another simulator's step of time
        "quantum"};
    for (const auto& engine : AllEngines())
    {
        for (const auto& scheduler : GetSchedulers(engine.name))
        {
            for (const auto& [name, spec] : GetSpecs(engine.name, scheduler))
            {
                if (spec.unit == Unit::SECONDS)
                {
                    EXPECT_EQ(spec.scaling == Scaling::FIXED, ofTheNetwork.count(name) == 1)
                        << engine.name << ": " << scheduler << ": " << name;
                }
                if (spec.unit == Unit::BYTES)
                {
                    EXPECT_EQ(spec.scaling, Scaling::WORKLOAD)
                        << engine.name << ": " << scheduler << ": " << name;
                }
            }
        }
    }
}

TEST(FluidControl, IsIdealByDefaultAndHasTheDefaultsOfPacketsWhereItIsReal)
{
    ::coflow::Workload workload{.hosts = 2};
    workload.coflows.push_back({.id = 1, .flows = {{0, 0, 1, 1000}}});
    const auto engineOf = [&workload](Attributes attributes) {
        auto config = Make("varys", std::move(attributes));
        config.engine = "fluid";
        config.topology = "big-switch";
        config.attributes.emplace_back("hosts", "2");
        const auto text = RunFluidExperiment(workload, config).configuration.ToString();
        const auto value = [&text](const std::string& name) {
            const auto at = text.find("\"" + name + "\": \"") + name.size() + 5;
            return text.substr(at, text.find('"', at) - at);
        };
        return value("controlBatch") + " " + value("bypassBytes");
    };
    EXPECT_EQ(engineOf({}), "0 0");
    EXPECT_EQ(engineOf({{"controlDelay", "1ms"}}), "0 2.5e+07");
    EXPECT_EQ(engineOf({{"control", "real"}}), "0.1 2.5e+07");
    EXPECT_EQ(engineOf({{"control", "real"}, {"controlBatch", "1ms"}}), "1ms 2.5e+07");
    workload.scale = 0.004;
    EXPECT_EQ(engineOf({{"control", "real"}}), "4e-04 1e+05");
}
