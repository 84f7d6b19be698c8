/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "storm-case.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <initializer_list>
#include <sstream>

namespace ns3::coflow::test
{

using ::coflow::Bytes;
using ::coflow::Coflow;
using ::coflow::FlowId;
using ::coflow::Nanoseconds;
using ::coflow::Workload;

namespace
{

constexpr Nanoseconds US = 1'000;
constexpr Nanoseconds MS = 1'000'000;
constexpr Nanoseconds S = 1'000'000'000;

/// Draws, the same on every platform.
class Dice
{
  public:
    explicit Dice(uint64_t seed)
        : m_random(static_cast<uint32_t>(seed * 2654435761U + 1))
    {
    }

    /// @return a whole number from @p least to @p most
    int64_t Between(int64_t least, int64_t most)
    {
        return boost::random::uniform_int_distribution<int64_t>(least, most)(m_random);
    }

    bool Chance(int percent)
    {
        return Between(1, 100) <= percent;
    }

    /// @return one of them; those that stand there twice are drawn twice as often
    template <class T>
    T OneOf(std::initializer_list<T> all)
    {
        return *(all.begin() + Between(0, static_cast<int64_t>(all.size()) - 1));
    }

    std::string Word(std::initializer_list<const char*> all)
    {
        return OneOf(all);
    }

  private:
    boost::random::mt19937 m_random;
};

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
DrawMix(Dice& dice, ::coflow::HostId hosts)
{
    Workload workload;
    workload.hosts = hosts;
    const auto nCoflows = dice.Between(1, 12);
    const Nanoseconds within = dice.OneOf<Nanoseconds>({0, 0, 10 * US, MS, 100 * MS});
    const int local = dice.OneOf({0, 10, 30, 100});
    const bool parents = dice.Chance(30);
    for (int64_t c = 0; c < nCoflows; ++c)
    {
        Coflow coflow;
        coflow.id = static_cast<::coflow::CoflowId>(c + 1);
        coflow.arrival = dice.Between(0, within);
        if (c == nCoflows - 1 && dice.Chance(30))
        {
            coflow.arrival += dice.OneOf({100 * MS, S, 4 * S}); // a late one
        }
        const bool isLocal = dice.Chance(local == 100 ? 100 : local / 3);
        const auto nFlows = dice.Chance(5) ? 0 : dice.Between(1, dice.OneOf({1, 4, 10}));
        for (int64_t f = 0; f < nFlows; ++f)
        {
            ::coflow::Flow flow;
            flow.id = static_cast<FlowId>(f);
            flow.src = static_cast<::coflow::HostId>(dice.Between(0, hosts - 1));
            flow.dst = isLocal || dice.Chance(local)
                           ? flow.src
                           : static_cast<::coflow::HostId>(dice.Between(0, hosts - 1));
            flow.bytes = DrawBytes(dice);
            coflow.flows.push_back(flow);
        }
        if (parents && c > 0 && dice.Chance(50))
        {
            coflow.parents.push_back(static_cast<::coflow::CoflowId>(dice.Between(1, c)));
        }
        workload.coflows.push_back(std::move(coflow));
    }
    return workload;
}

/// A folded trace: many local flows, and several flows between the same hosts.
Workload
DrawTrace(Dice& dice, ::coflow::HostId hosts)
{
    auto workload = ::coflow::Generate(
        "fb-like",
        {"coflows=10", "hosts=40", "seed=" + std::to_string(dice.Between(1, 1'000'000'000))});
    const std::string scaleTime = dice.Word({"1e-9", "1e-5", "1e-3"});
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
DrawDeadlines(Dice& dice, Workload& workload)
{
    for (auto& coflow : workload.coflows)
    {
        if (dice.Chance(70))
        {
            coflow.deadline = dice.OneOf({100 * US, 5 * MS, 50 * MS, S, 20 * S});
        }
    }
}

/// What depends on how the scheduler is controlled.
class Options
{
  public:
    Options(Dice& dice, ExperimentConfig& config)
        : m_dice(dice),
          m_attributes(config.attributes)
    {
    }

    void Add(const std::string& name, const std::string& value)
    {
        m_attributes.emplace_back(name, value);
    }

    /// Sets an option in some percent of all cases; in the others it has its default.
    void Maybe(int percent, const std::string& name, std::initializer_list<const char*> values)
    {
        const bool chosen = m_dice.Chance(percent);
        const auto value = m_dice.Word(values);
        if (chosen)
        {
            Add(name, value);
        }
    }

    void AddControl()
    {
        const auto transport = m_dice.Word({"tcp", "tcp", "udp", "ideal"});
        Add("controlTransport", transport);
        if (transport != "ideal")
        {
            Maybe(40, "controlLossRate", {"0.01", "0.1", "0.3"});
        }
        Maybe(10, "isolatedControl", {"true"});
    }

    void AddCoordinated(const std::string& scheduler)
    {
        const auto heartbeat = m_dice.OneOf({MS, 4 * MS, 20 * MS, 200 * MS, S});
        Add("heartbeat", Text(heartbeat));
        Add("masterTimeout", Text(heartbeat * m_dice.OneOf({3, 4, 20}) / 2));
        Add("daemonTimeout", Text(heartbeat * m_dice.OneOf({5, 20, 60})));
        const auto bypass = m_dice.Word({"0", "0", "0", "1e4", "25e6"});
        const auto type = FindSchedulerType(scheduler);
        if (type.policy->knowledge == ::coflow::Knowledge::CLAIRVOYANT)
        {
            Add("bypassBytes", bypass);
        }
        Add("controlBatch", m_dice.Word({"0s", "100us", "400us", "5ms", "100ms"}));
        Maybe(50, "rebuildTime", {"0s", "1ms", "20ms"});
        Maybe(50, "unregisterGrace", {"0s", "1ms", "20ms"});
        Maybe(10, "readyTimeout", {"0s", "1ms", "30ms"});
        Maybe(20, "computeDelay", {"100us", "5ms"});
        Maybe(20, "dispatchDelay", {"100us", "5ms"});
        Maybe(20, "decreaseFirst", {"true"});
        Maybe(30, "reportProgress", {"true"});
        Maybe(30, "onFlowCompletion", {"always", "never"});
        Maybe(30, "remaining", {"reported", "completion-only"});
        Maybe(30, "minFlowRate", {"1kbps", "5Mbps", "40Mbps"});
        Maybe(20, "kappa", {"0.5", "1"});
        if (scheduler == "varys")
        {
            Maybe(50, "T", {"0.02"});
            Maybe(50, "delta", {"0.002"});
        }
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
    }

    /// Parameters of single policies, and a coordinator that needs time.
    void AddLate(const std::string& scheduler, bool mayServeInNetwork)
    {
        Maybe(20, "messageTime", {"1us", "20us", "300us"});
        if (scheduler == "saath")
        {
            Add("delta", m_dice.Word({"1e-5", "0.001", "0.02"}));
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
            Maybe(50, "T", {"0.02"});
            Maybe(50, "delta", {"0.002"});
        }
        if (scheduler == "philae")
        {
            Maybe(70, "thinLimit", {"0", "2"});
            Maybe(50, "pilotShare", {"0", "0.5", "1"});
            Maybe(50, "coalesce", {"0", "0.001"});
            Maybe(50, "T", {"0.02"});
            Maybe(50, "delta", {"0.002"});
        }
        if (scheduler == "sincronia")
        {
            Maybe(30, "epoch", {"0.001", "0.05"});
            if (mayServeInNetwork)
            {
                Maybe(70, "enforceAt", {"network"});
                Maybe(50, "keepOrder", {"true"});
                Maybe(30, "classes", {"1", "2"});
            }
        }
    }

    void AddHybrid()
    {
        Add("delta", m_dice.Word({"100us", "1ms", "10ms", "100ms"}));
        Add("enforcement", m_dice.Word({"nic", "nic", "gating", "dscp"}));
        Maybe(70, "firstThreshold", {"1e3", "1e5"});
        Maybe(20, "receiverMatch", {"false"});
        Maybe(20, "localEstimate", {"false"});
        Maybe(20, "sharing", {"strict"});
        Maybe(30, "silentPeriods", {"2", "4"});
        Maybe(20, "minNotify", {"20000"});
    }

    void AddBaraat()
    {
        Maybe(60, "baraatMode", {"explicit-rate"});
        Maybe(40, "minPeriod", {"10us", "1ms", "100ms"});
        Maybe(50, "heavyBytes", {"10000", "1000000"});
    }

    void AddDcas()
    {
        Maybe(70, "delta", {"1ms", "10ms"});
        Maybe(70, "T", {"2ms", "30ms"});
        Maybe(50, "expiry", {"5ms", "100ms"});
        Maybe(30, "lossRate", {"0.1", "0.5"});
        Maybe(50, "threshold", {"0", "10000"});
    }

  private:
    Dice& m_dice;
    std::vector<std::pair<std::string, std::string>>& m_attributes;
};

void
DrawFailures(Dice& dice, StormCase& storm, ::coflow::HostId hosts)
{
    if (dice.Chance(35))
    {
        return;
    }
    const auto within = dice.OneOf<Nanoseconds>({200 * US, 5 * MS, 50 * MS, S});
    const auto n = dice.Between(1, dice.OneOf({1, 3, 10}));
    for (int64_t i = 0; i < n; ++i)
    {
        StormFailure failure;
        if (dice.Chance(60))
        {
            failure.daemon = static_cast<::coflow::HostId>(dice.Between(0, hosts - 1));
        }
        failure.at = NanoSeconds(dice.Between(0, within));
        failure.downTime =
            dice.Chance(10)
                ? Time::Max()
                : NanoSeconds(dice.OneOf<Nanoseconds>({0, 50 * US, MS, 20 * MS, 300 * MS, 2 * S}));
        storm.failures.push_back(failure);
    }
}

} // namespace

StormCase
MakeStormCase(uint64_t seed, const std::string& scheduler)
{
    Dice dice(seed);
    StormCase storm;
    storm.seed = seed;
    auto& config = storm.config;
    const auto& types = GetSchedulerTypes();
    const auto drawn =
        types[static_cast<std::size_t>(dice.Between(0, static_cast<int64_t>(types.size()) - 1))]
            .name;
    config.scheduler = scheduler.empty() ? drawn : scheduler;
    const auto& name = config.scheduler;
    config.fabric = dice.Chance(20) ? "nodes" : "express";
    config.topology = dice.Word({"big-switch", "big-switch", "fat-tree", "leaf-spine"});
    Options options(dice, config);
    ::coflow::HostId hosts = 16;
    if (config.topology == "big-switch")
    {
        hosts = static_cast<::coflow::HostId>(dice.Between(2, 12));
        options.Add("hosts", std::to_string(hosts));
    }
    options.Add("linkRate", dice.Word({"1Gbps", "1Gbps", "100Mbps", "10Gbps"}));
    options.Add("linkDelay", dice.Word({"0s", "500ns", "5us", "50us", "1ms", "5ms"}));
    options.Add("startJitter", Uniform(dice.OneOf({Nanoseconds{0}, 10 * US, 10 * US, 2 * MS})));
    options.Add("getJitter", Uniform(dice.OneOf({Nanoseconds{0}, Nanoseconds{0}, 50 * MS})));

    const auto control = ::coflow::MakePolicy(name)->GetControl();
    const bool hybrid = control == ::coflow::Control::HYBRID;
    const bool alone = control == ::coflow::Control::LOCAL;
    options.AddControl(); // drivers hear of completion in messages under every scheduler
    options.Maybe(20, "completion", {"instant"});
    if (hybrid)
    {
        options.AddHybrid();
    }
    // Paths are told to senders, for each of their connections.
    const bool choosesPaths = ::coflow::MakePolicy(name)->ChoosesPaths();
    const bool reuse = !hybrid && dice.Chance(20) && !choosesPaths;
    if (reuse)
    {
        options.Add("connectionReuse", "true");
    }
    if (!alone && !hybrid)
    {
        options.AddCoordinated(name);
        if (!reuse && !choosesPaths)
        {
            options.Maybe(20, "enforceAt", {"receiver"});
        }
    }
    if (name == "baraat" && !reuse)
    {
        options.AddBaraat();
    }
    if (name == "pfabric")
    {
        options.Maybe(30, "pfabricTransport", {"profile"});
    }
    if (name == "dcas")
    {
        options.AddDcas();
    }

    // The last host may have nothing to do but to coordinate.
    const auto used = hosts > 2 && dice.Chance(50) ? hosts - 1 : hosts;
    storm.workload = dice.Chance(20) ? DrawTrace(dice, used) : DrawMix(dice, used);
    // Representatives of those that act on deadlines.
    if (dice.Chance(IsOneOf(name, {"varys-deadline", "vc", "edf", "dcoflow", "wdcoflow", "cs-mha"})
                        ? 80
                        : 15))
    {
        DrawDeadlines(dice, storm.workload);
    }
    ::coflow::SortCoflows(storm.workload);
    storm.workload.history = {"storm " + std::to_string(seed)};
    ::coflow::CheckWorkload(storm.workload, "storm " + std::to_string(seed));
    if (!alone)
    {
        DrawFailures(dice, storm, hosts);
    }
    const auto isEnforcementGiven = [&config] {
        return std::any_of(config.attributes.begin(),
                           config.attributes.end(),
                           [](const auto& option) { return option.first == "enforceAt"; });
    };
    if (!alone)
    {
        // From dice of their own, so that the cases of seeds stay what they were.
        Dice late(seed ^ 0x5eed);
        Options(late, config).AddLate(name, !reuse && !isEnforcementGiven());
    }
    // Likewise. Where nothing can be jumped over, such an option is refused.
    Dice jumps(seed ^ 0x10bb);
    const bool givesRates =
        ::coflow::MakePolicy(name)->GetControl() == ::coflow::Control::CENTRAL &&
        !isEnforcementGiven();
    if (config.fabric == "express" && givesRates && !reuse && jumps.Chance(30))
    {
        Options(jumps, config).Add("jump", "true");
        Options(jumps, config).Add("ratePhase", "spread");
        Options(jumps, config).Maybe(50, "settleTime", {"0s", "100us"});
        // Most flows of a storm are short.
        Options(jumps, config).Maybe(90, "fewestSegments", {"0", "0", "10"});
    }
    config.stop = 1000 * S;
    return storm;
}

} // namespace ns3::coflow::test
