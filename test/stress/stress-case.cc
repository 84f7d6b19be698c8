/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stress-case.h"

#include "stress-dice.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>

namespace ns3::coflow::test
{

using ::coflow::Bytes;
using ::coflow::Coflow;
using ::coflow::Control;
using ::coflow::FlowId;
using ::coflow::Nanoseconds;
using ::coflow::Workload;

namespace
{

constexpr Nanoseconds US = 1'000;
constexpr Nanoseconds MS = 1'000'000;
constexpr Nanoseconds S = 1'000'000'000;

std::string
Text(Nanoseconds time)
{
    return std::to_string(time) + "ns";
}

std::string
Uniform(Nanoseconds most)
{
    std::ostringstream text;
    text << "ns3::UniformRandomVariable[Min=0|Max=" << static_cast<double>(most) * 1e-9 << "]";
    return text.str();
}

bool
IsOneOf(const std::string& name, std::initializer_list<const char*> all)
{
    return std::find(all.begin(), all.end(), name) != all.end();
}

Bytes
DrawBytes(Dice& dice)
{
    switch (dice.Between(0, 6))
    {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return dice.Between(2, 1448);
    case 3:
        return 1448 * dice.Between(1, 12);
    case 4:
    case 5:
        return dice.Between(1449, 100'000);
    default:
        return dice.Between(100'000, 1'500'000);
    }
}

/// Coflows with flows of all kinds.
Workload
DrawMix(uint64_t seed, ::coflow::HostId hosts)
{
    Dice dice(seed, "coflows");
    Dice flows(seed, "flows");
    Dice parents(seed, "parents");
    Workload workload;
    workload.hosts = hosts;
    const auto nCoflows = dice.Between(1, 12);
    const Nanoseconds within = dice.OneOf<Nanoseconds>({0, 0, 10 * US, MS, 100 * MS});
    const int local = dice.OneOf({0, 10, 30, 100});
    const bool hasParents = parents.Chance(30);
    for (int64_t c = 0; c < nCoflows; ++c)
    {
        Coflow coflow;
        coflow.id = static_cast<::coflow::CoflowId>(c + 1);
        coflow.arrival = dice.Between(0, within);
        if (c == nCoflows - 1 && dice.Chance(30))
        {
            coflow.arrival += dice.OneOf({100 * MS, S, 4 * S}); // a late one
        }
        const bool isLocal = flows.Chance(local == 100 ? 100 : local / 3);
        const auto nFlows = flows.Chance(5) ? 0 : flows.Between(1, flows.OneOf({1, 4, 10}));
        for (int64_t f = 0; f < nFlows; ++f)
        {
            ::coflow::Flow flow;
            flow.id = static_cast<FlowId>(f);
            flow.src = static_cast<::coflow::HostId>(flows.Between(0, hosts - 1));
            flow.dst = isLocal || flows.Chance(local)
                           ? flow.src
                           : static_cast<::coflow::HostId>(flows.Between(0, hosts - 1));
            flow.bytes = DrawBytes(flows);
            coflow.flows.push_back(flow);
        }
        if (hasParents && c > 0 && parents.Chance(50))
        {
            coflow.parents.push_back(static_cast<::coflow::CoflowId>(parents.Between(1, c)));
        }
        workload.coflows.push_back(std::move(coflow));
    }
    return workload;
}

/// A folded trace: many local flows, and several flows between the same hosts.
Workload
DrawTrace(uint64_t seed, ::coflow::HostId hosts)
{
    Dice dice(seed, "trace");
    auto workload = ::coflow::Generate(
        "fb-like",
        {"coflows=10", "hosts=40", "seed=" + std::to_string(dice.Between(1, 1'000'000'000))});
    const std::string scaleTime = dice.OneOf({"1e-9", "1e-5", "1e-3"});
    for (const auto& step : ::coflow::ParseTransforms("remap=fold:" + std::to_string(hosts) +
                                                      ",scale-bytes=1e-4,scale-time=" + scaleTime))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    for (auto& coflow : workload.coflows)
    {
        constexpr std::size_t MOST_FLOWS = 40;
        coflow.flows.resize(std::min(coflow.flows.size(), MOST_FLOWS));
        for (auto& flow : coflow.flows)
        {
            flow.bytes = std::min<Bytes>(flow.bytes, 1'000'000);
        }
    }
    return workload;
}

void
DrawDeadlines(uint64_t seed, int percent, Workload& workload)
{
    Dice dice(seed, "deadlines");
    if (!dice.Chance(percent))
    {
        return;
    }
    for (auto& coflow : workload.coflows)
    {
        if (dice.Chance(70))
        {
            coflow.deadline = dice.OneOf({100 * US, 5 * MS, 50 * MS, S, 20 * S});
        }
    }
}

/// Options of a run, each with draws of its own.
class Options
{
  public:
    Options(uint64_t seed, ExperimentConfig& config)
        : m_seed(seed),
          m_attributes(config.attributes)
    {
    }

    void Set(const std::string& name, const std::string& value)
    {
        m_attributes.emplace_back(name, value);
    }

    bool Has(const std::string& name) const
    {
        return std::any_of(m_attributes.begin(), m_attributes.end(), [&name](const auto& option) {
            return option.first == name;
        });
    }

    /// @return the draws of an option
    Dice Roll(const std::string& name) const
    {
        return {m_seed, "--" + name};
    }

    /// Sets an option to one of some values.
    std::string Draw(const std::string& name, std::initializer_list<const char*> values)
    {
        const std::string value = Roll(name).OneOf(values);
        Set(name, value);
        return value;
    }

    /// Sets an option in some percent of all cases; in the others it has its default.
    void Maybe(int percent, const std::string& name, std::initializer_list<const char*> values)
    {
        auto dice = Roll(name);
        if (dice.Chance(percent))
        {
            Set(name, dice.OneOf(values));
        }
    }

    /// Of every scheduler: drivers hear of completion in messages.
    void AddControl()
    {
        if (Draw("controlTransport", {"tcp", "tcp", "tcp", "ideal"}) != "ideal")
        {
            Maybe(40, "controlLossRate", {"0.01", "0.1", "0.3"});
        }
        else
        {
            Maybe(30, "controlMessageDelay", {"100us", "5ms"});
        }
        Maybe(20, "completion", {"instant"});
    }

    void AddJumps()
    {
        Set("jump", "true");
        Set("ratePhase", "spread");
        for (auto& [name, value] : m_attributes)
        {
            value = name == "bypassBytes" ? "0" : value; // what bypasses has no rates
        }
        Maybe(50, "settleTime", {"0s", "100us"});
        // Most flows of a stress run are short.
        Maybe(90, "fewestSegments", {"0", "0", "10"});
    }

    void AddCentral(const std::string& scheduler)
    {
        const auto heartbeat = Roll("heartbeat").OneOf({MS, 4 * MS, 20 * MS, 200 * MS, S});
        Set("heartbeat", Text(heartbeat));
        Set("masterTimeout", Text(heartbeat * Roll("masterTimeout").OneOf({3, 4, 20}) / 2));
        Set("daemonTimeout", Text(heartbeat * Roll("daemonTimeout").OneOf({5, 20, 60})));
        if (FindSchedulerType(scheduler).policy->knowledge == ::coflow::Knowledge::CLAIRVOYANT)
        {
            Draw("bypassBytes", {"0", "0", "0", "1e4", "25e6"});
        }
        Draw("controlBatch", {"0s", "100us", "400us", "5ms", "100ms"});
        Maybe(50, "rebuildTime", {"0s", "1ms", "20ms"});
        Maybe(50, "unregisterGrace", {"0s", "1ms", "20ms"});
        Maybe(10, "readyTimeout", {"0s", "1ms", "30ms"});
        Maybe(20, "computeDelay", {"100us", "5ms"});
        Maybe(20, "dispatchDelay", {"100us", "5ms"});
        Maybe(30, "reportProgress", {"true"});
        Maybe(30, "onFlowCompletion", {"always", "never"});
        if (Has("reportProgress"))
        {
            Maybe(30, "remaining", {"reported", "completion-only"});
        }
        else
        {
            Maybe(30, "remaining", {"completion-only"});
        }
        Maybe(30, "minFlowRate", {"1kbps", "5Mbps", "40Mbps"});
        Maybe(20, "kappa", {"0.5", "1"});
    }

    /// Of a coordinator that needs time.
    void AddMessageTime()
    {
        Maybe(20, "messageTime", {"1us", "20us", "300us"});
    }

    /// Parameters of single central policies.
    void AddPolicy(const std::string& scheduler)
    {
        // Representatives: all that derive from AdmittingPolicy, whose options these are.
        const bool chooses = IsOneOf(scheduler, {"dcoflow", "wdcoflow", "cs-mha"});
        if (chooses || scheduler == "varys-deadline")
        {
            Maybe(30, "bestEffort", {"true"});
            Maybe(30, "retryAfter", {"0.005"});
        }
        if (chooses)
        {
            Maybe(30, "displace", {"false"});
        }
        // Representatives of those that guard against starvation.
        if (IsOneOf(scheduler, {"varys", "rapier"}))
        {
            Maybe(50, "T", {"0.02"});
            Maybe(50, "delta", {"0.002"});
        }
        if (scheduler == "saath")
        {
            Draw("delta", {"1e-5", "0.001", "0.02"});
            Maybe(50, "firstThreshold", {"1e3", "1e5"});
            Maybe(50, "deadlineFactor", {"0", "0.01"});
            Maybe(30, "workConservation", {"false"});
        }
        if (scheduler == "rapier")
        {
            Maybe(50, "reroute", {"true"});
            Maybe(30, "routing", {"hash"});
            Maybe(30, "order", {"all"});
            Maybe(30, "backfill", {"false"});
        }
        if (scheduler == "philae")
        {
            Maybe(70, "thinLimit", {"0", "2"});
            Maybe(50, "pilotShare", {"0", "0.5", "1"});
            Maybe(50, "coalesce", {"0", "0.001"});
            Maybe(50, "slots", {"1", "8"});
            Maybe(50, "slot", {"0.001"});
        }
        if (scheduler == "sincronia")
        {
            Maybe(30, "epoch", {"0.001", "0.05"});
            Maybe(30, "enforceAt", {"sender"});
            Maybe(50, "keepOrder", {"true"});
            Maybe(30, "classes", {"1", "2"});
        }
    }

    void AddHybrid()
    {
        Draw("delta", {"100us", "1ms", "10ms", "100ms"});
        Draw("enforcement", {"nic", "nic", "gating", "dscp"});
        Maybe(70, "firstThreshold", {"1e3", "1e5"});
        Maybe(20, "receiverMatch", {"false"});
        Maybe(20, "localEstimate", {"false"});
        Maybe(20, "sharing", {"strict"});
        Maybe(30, "silentPeriods", {"2", "4"});
        Maybe(20, "minNotify", {"20000"});
    }

    void AddLocal(const std::string& scheduler)
    {
        if (scheduler == "baraat")
        {
            Maybe(60, "baraatMode", {"explicit-rate"});
            Maybe(40, "minPeriod", {"10us", "1ms", "100ms"});
            Maybe(50, "heavyBytes", {"10000", "1000000"});
        }
        if (scheduler == "pfabric")
        {
            Maybe(30, "pfabricTransport", {"profile"});
        }
        if (scheduler == "dcas")
        {
            Maybe(70, "delta", {"1ms", "10ms"});
            Maybe(70, "T", {"2ms", "30ms"});
            Maybe(50, "expiry", {"5ms", "100ms"});
            Maybe(30, "lossRate", {"0.1", "0.5"});
            Maybe(50, "threshold", {"0", "10000"});
        }
    }

  private:
    uint64_t m_seed;
    std::vector<std::pair<std::string, std::string>>& m_attributes;
};

std::vector<StressFailure>
DrawFailures(uint64_t seed, ::coflow::HostId hosts)
{
    Dice dice(seed, "failures");
    std::vector<StressFailure> failures;
    if (dice.Chance(35))
    {
        return failures;
    }
    const auto within = dice.OneOf<Nanoseconds>({200 * US, 5 * MS, 50 * MS, S});
    const auto n = dice.Between(1, dice.OneOf({1, 3, 10}));
    for (int64_t i = 0; i < n; ++i)
    {
        StressFailure failure;
        if (dice.Chance(60))
        {
            failure.daemon = static_cast<::coflow::HostId>(dice.Between(0, hosts - 1));
        }
        failure.at = NanoSeconds(dice.Between(0, within));
        failure.downTime =
            dice.Chance(10)
                ? Time::Max()
                : NanoSeconds(dice.OneOf<Nanoseconds>({0, 50 * US, MS, 20 * MS, 300 * MS, 2 * S}));
        failures.push_back(failure);
    }
    return failures;
}

} // namespace

std::string
DrawScheduler(uint64_t seed, const std::vector<std::string>& names)
{
    const auto hash = [seed](const auto& name) { return Hash(seed, "scheduler " + name); };
    return *std::max_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return hash(a) < hash(b);
    });
}

StressCase
MakeStressCase(uint64_t seed, const std::string& scheduler)
{
    StressCase stress;
    stress.rngRun = seed;
    auto& config = stress.config;
    config.scheduler = scheduler;
    if (scheduler.empty())
    {
        std::vector<std::string> names;
        for (const auto& type : GetSchedulerTypes())
        {
            names.push_back(type.name);
        }
        config.scheduler = DrawScheduler(seed, names);
    }
    const auto& name = config.scheduler;
    Options options(seed, config);
    config.fabric = options.Roll("fabric").Chance(20) ? "nodes" : "express";
    std::vector<std::string> topologies{"big-switch"}; // more often than others
    for (const auto& type : GetNamedTypes(Topology::GetTypeId()))
    {
        topologies.push_back(type.name);
    }
    config.topology = options.Roll("topology").OneOf(topologies);
    ::coflow::HostId hosts = 16;
    if (config.topology == "big-switch")
    {
        hosts = static_cast<::coflow::HostId>(options.Roll("hosts").Between(2, 12));
        options.Set("hosts", std::to_string(hosts));
    }
    options.Draw("linkRate", {"1Gbps", "1Gbps", "100Mbps", "10Gbps"});
    options.Draw("linkDelay", {"0s", "500ns", "5us", "50us", "1ms", "5ms"});
    options.Set(
        "startJitter",
        Uniform(options.Roll("startJitter").OneOf({Nanoseconds{0}, 10 * US, 10 * US, 2 * MS})));
    options.Set(
        "getJitter",
        Uniform(options.Roll("getJitter").OneOf({Nanoseconds{0}, Nanoseconds{0}, 50 * MS})));
    options.AddControl();
    const auto control = ::coflow::MakePolicy(name)->GetControl();
    if (control == Control::LOCAL)
    {
        options.AddLocal(name);
    }
    else
    {
        if (control == Control::HYBRID)
        {
            options.AddHybrid();
        }
        else
        {
            options.AddCentral(name);
            options.AddPolicy(name);
        }
        options.AddMessageTime();
        stress.failures = DrawFailures(seed, hosts);
    }
    // Where nothing can be jumped over, the option is refused.
    const bool byOrder = ::coflow::MakePolicy(name)->PrefersOrder();
    const bool givesRates = control == Control::CENTRAL && byOrder == options.Has("enforceAt");
    if (config.fabric == "express" && givesRates && options.Roll("jump").Chance(30))
    {
        options.AddJumps();
    }

    // The last host may have nothing to do but to coordinate.
    Dice dice(seed, "workload");
    const auto used = hosts > 2 && dice.Chance(50) ? hosts - 1 : hosts;
    stress.workload = dice.Chance(20) ? DrawTrace(seed, used) : DrawMix(seed, used);
    // Representatives of those that act on deadlines.
    const bool actsOnDeadlines =
        IsOneOf(name, {"varys-deadline", "vc", "edf", "dcoflow", "wdcoflow", "cs-mha"});
    DrawDeadlines(seed, actsOnDeadlines ? 80 : 15, stress.workload);
    ::coflow::SortCoflows(stress.workload);
    stress.workload.history = {"stress " + std::to_string(seed)};
    ::coflow::CheckWorkload(stress.workload, "stress " + std::to_string(seed));
    return stress;
}

} // namespace ns3::coflow::test
