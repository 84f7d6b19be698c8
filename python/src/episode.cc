/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Episodes of ns3coflow.gym: a run whose decisions somebody outside of the engine makes, one by
// one.

#include "agent.h"
#include "bindings.h"
#include "run.h"
#include "turns.h"

#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-run-parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <span>
#include <unistd.h>
#include <utility>

namespace ns3coflow
{

using ::coflow::InputError;
using ::coflow::Nanoseconds;
using ::coflow::NEVER;
using ::coflow::Workload;

namespace
{

/// Adds up for how long coflows have been unfinished: the sum of completion times so far.
class Waiting
{
  public:
    void Start(Nanoseconds time)
    {
        ++m_present;
        m_past -= time;
    }

    void Finish(Nanoseconds time)
    {
        --m_present;
        m_past += time;
    }

    /// Nanoseconds until a time before which nothing is still to be told.
    Nanoseconds Until(Nanoseconds time) const
    {
        return m_past + m_present * time;
    }

  private:
    Nanoseconds m_present{0}; ///< unfinished coflows
    Nanoseconds m_past{0};    ///< sum of finishes minus sum of starts
};

/// One run.
class Episode
{
  public:
    Episode(const Workload& workload,
            std::vector<std::string> arguments,
            std::string reproduce,
            std::size_t slots,
            Nanoseconds interval)
        : m_workload(workload),
          m_arguments(std::move(arguments)),
          m_reproduce(std::move(reproduce)),
          m_agent(slots, interval, [this] { m_turns.Yield(); })
    {
    }

    ~Episode()
    {
        Close();
    }

    Episode(const Episode&) = delete;
    Episode& operator=(const Episode&) = delete;

    /// Runs until the first decision.
    /// @returns whether there is one; otherwise the run is over
    bool Start()
    {
        RequireSimulator();
        {
            const auto engines = Turns::UseEngines();
            m_options = Parse(m_arguments, true);
        }
        if (m_options.experiment.engine == "packet")
        {
            OfSimulator() = this;
        }
        m_turns.Start([this] { Run(); });
        return m_turns.IsOpen();
    }

    /// Decides, and runs until the next decision; as Start().
    /// @throws InputError in a process that was forked from that of the run
    bool Act(std::span<const double> values)
    {
        if (IsForked())
        {
            throw InputError("the episode is of the process that this one was forked from; "
                             "allowed: to close() the environment and begin another episode");
        }
        m_agent.Act(values);
        m_turns.Resume();
        return m_turns.IsOpen();
    }

    /// Ends the run. In a process that was forked from that of the run, the simulator of a run at
    /// packet level is in no state to be used again.
    void Close()
    {
        const bool forked = IsForked();
        m_turns.Abandon();
        if (!forked)
        {
            Release();
        }
        else if (OfSimulator() == this)
        {
            LeaveSimulator();
        }
    }

    bool IsOpen() const
    {
        return m_turns.IsOpen();
    }

    const Agent& GetAgent() const
    {
        return m_agent;
    }

    /// When the decision is that is to be made, or the end.
    Nanoseconds Now() const
    {
        return m_turns.IsOpen() ? m_agent.State().now : m_end;
    }

    /// By how much the sum of completion times has grown since the last call, in seconds.
    double TakeGrowth()
    {
        const Nanoseconds before = std::exchange(m_told, m_waiting.Until(Now()));
        return static_cast<double>(m_told - before) * 1e-9;
    }

    /// Whether all coflows have finished.
    bool IsComplete() const
    {
        return m_outcome && m_outcome->result.end == ns3::coflow::RunEnd::COMPLETE;
    }

    nb::dict Outcome() const
    {
        if (!m_outcome)
        {
            throw InputError("an episode has no result yet; allowed: when it is over");
        }
        return ToDict(m_options.experiment, *m_outcome);
    }

    /// @throws InputError where another episode has the simulator of this process
    static void RequireSimulator()
    {
        if (OfSimulator() != nullptr)
        {
            throw InputError(
                "an environment of the packet engine is in an episode, and ns-3 has one simulator "
                "per process; allowed: to close() that environment first, or a process for each "
                "that was not forked meanwhile, as gymnasium.vector.AsyncVectorEnv has");
        }
    }

  private:
    /// Whether this process was forked from that of the run, which may have been abandoned since.
    bool IsForked()
    {
        m_forked = m_forked || m_turns.IsForked();
        return m_forked;
    }

    /// The episode whose packets are in ns-3's simulator; null: it is free.
    static const Episode*& OfSimulator()
    {
        static const Episode* episode = nullptr;
        return episode;
    }

    /// Has the process end without ns-3's destructors: the objects of the run are those of a thread
    /// that is not in this process.
    static void LeaveSimulator()
    {
#ifdef __GLIBC__
        static const int registered = ::on_exit(
            [](int status, void*) {
                std::fflush(nullptr);
                ::_exit(status);
            },
            nullptr);
        static_cast<void>(registered);
#endif
    }

    void Release()
    {
        if (OfSimulator() == this)
        {
            OfSimulator() = nullptr;
        }
    }

    /// What the thread of the engine does.
    void Run()
    {
        /// The simulator is free when the thread ends, for whatever reason.
        struct End
        {
            Episode& episode;

            ~End()
            {
                episode.Release();
                AgentOfThread() = nullptr;
            }
        } end{*this};

        AgentOfThread() = &m_agent;
        auto& experiment = m_options.experiment;
        experiment.poll = [this] { m_turns.CheckAbandoned(); };
        experiment.listener.started = [this](Nanoseconds time) { m_waiting.Start(time); };
        experiment.listener.finished = [this](Nanoseconds time) {
            m_waiting.Finish(time);
            m_end = std::max(m_end, time);
        };
        m_workload = ReadWorkload(&m_workload, m_options);
        m_outcome.emplace(ns3::coflow::RunExperiment(m_workload,
                                                     experiment,
                                                     m_reproduce,
                                                     m_options.out,
                                                     m_options.flows,
                                                     m_options.force));
        if (m_outcome->result.end == ns3::coflow::RunEnd::STOPPED)
        {
            m_end = *experiment.stop;
        }
        else if (m_outcome->result.end == ns3::coflow::RunEnd::STALLED)
        {
            m_end = std::llround(m_outcome->result.simulatedSeconds * 1e9);
        }
    }

    Workload m_workload;
    std::vector<std::string> m_arguments;
    std::string m_reproduce;
    ns3::coflow::ReplayOptions m_options;
    Waiting m_waiting;
    Nanoseconds m_told{0}; ///< what TakeGrowth() has told
    Nanoseconds m_end{0};  ///< when the run ended
    bool m_forked{false};  ///< see IsForked()
    std::optional<ns3::coflow::RunOutcome> m_outcome;
    Agent m_agent;
    Turns m_turns; ///< last: its thread uses all the others
};

/// What the agent is shown, as arrays by the names of the observation: copies, for whoever gets an
/// observation keeps it.
nb::dict
Observe(const Episode& episode)
{
    const Agent& agent = episode.GetAgent();
    const AttainedState& state = agent.State();
    nb::dict seen;
    seen["age"] = ToNumpy(state.age);
    seen["width"] = ToNumpy(state.width);
    seen["flows"] = ToNumpy(state.flows);
    seen["sent"] = ToNumpy(state.sent);
    seen["flows_at_port"] = ToNumpy(state.flowsAtPort);
    seen["port_rate"] = ToNumpy(state.portRate);
    if (const auto* sizes = agent.Sizes())
    {
        seen["total"] = ToNumpy(sizes->total);
        seen["length"] = ToNumpy(sizes->length);
        seen["bottleneck"] = ToNumpy(sizes->bottleneck);
        seen["remaining"] = ToNumpy(sizes->remaining);
        seen["remaining_at_port"] = ToNumpy(sizes->remainingAtPort);
    }
    return seen;
}

/// Rates of the ports of the network that arguments name: uplinks, then downlinks.
nb::object
PortRatesOf(const std::vector<std::string>& arguments)
{
    Episode::RequireSimulator();
    std::vector<double> rates;
    {
        nb::gil_scoped_release release;
        const auto engines = Turns::UseEngines();
        const auto options = Parse(arguments, true);
        const ns3::coflow::RunParts parts(options.experiment.engine, options.experiment);
        const auto topology = parts.Create<ns3::coflow::Topology>();
        topology->Build();
        auto ports = ns3::coflow::GetHostRates(*topology);
        rates = std::move(ports.ingress);
        rates.insert(rates.end(), ports.egress.begin(), ports.egress.end());
        topology->Dispose();
    }
    return ToNumpy(std::move(rates));
}

/// The thresholds that a policy of D-CLAS has by itself, in bytes.
nb::object
ThresholdsOf(const std::vector<std::string>& arguments, double scale)
{
    Episode::RequireSimulator();
    std::vector<double> thresholds;
    {
        nb::gil_scoped_release release;
        const auto engines = Turns::UseEngines();
        auto config = Parse(arguments, true).experiment;
        config.scale = config.scale.value_or(scale);
        const ns3::coflow::RunParts parts(config.engine, config);
        const auto made = ::coflow::Policies::Find(config.scheduler).make(parts.GetPolicy());
        const auto& policy = dynamic_cast<const ::coflow::DclasPolicy&>(*made);
        for (int queue = 0; !policy.IsLast(queue); ++queue)
        {
            thresholds.push_back(std::rint(policy.Threshold(queue) / policy.ARRIVED));
        }
    }
    return ToNumpy(std::move(thresholds));
}

/// A time as options have it.
/// @throws InputError
Nanoseconds
ParseInterval(const std::string& text)
{
    const ::coflow::ParameterSpec spec{"interval",
                                       ::coflow::Unit::SECONDS,
                                       0,
                                       1e-9,
                                       1e6,
                                       "time between two decisions of the agent",
                                       ""};
    return ::coflow::Parameters("environment", {spec}, {"interval=" + text}).Time("interval");
}

} // namespace

void
RequireSimulator()
{
    Episode::RequireSimulator();
}

void
BindEpisode(nb::module_& module)
{
    using namespace nb::literals;
    nb::class_<Episode>(module, "Episode", "A run whose decisions an agent makes, one by one.")
        .def(nb::init<const Workload&,
                      std::vector<std::string>,
                      std::string,
                      std::size_t,
                      Nanoseconds>(),
             "workload"_a,
             "arguments"_a,
             "reproduce"_a,
             "slots"_a,
             "interval_ns"_a)
        .def("start",
             &Episode::Start,
             nb::call_guard<nb::gil_scoped_release>(),
             "Runs until the first decision; False where the run ends without one.")
        .def(
            "act",
            [](Episode& episode, const Array<double>& values) {
                const std::span<const double> said(values.data(), values.size());
                nb::gil_scoped_release release;
                return episode.Act(said);
            },
            "values"_a,
            "Decides and runs until the next decision; False where the run ends.")
        .def("close", &Episode::Close, nb::call_guard<nb::gil_scoped_release>(), "Ends the run.")
        .def("observe",
             &Observe,
             nb::sig("def observe(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
             "The observation: new arrays; sizes only if the policy knows them.")
        .def("take_growth",
             &Episode::TakeGrowth,
             "Seconds by which the sum of completion times has grown since the last call.")
        .def(
            "ids",
            [](const Episode& episode) { return episode.GetAgent().State().ids; },
            "Ids of the coflows in the slots.")
        .def_prop_ro(
            "hidden",
            [](const Episode& episode) { return episode.GetAgent().State().hidden; },
            "Coflows for which there was no slot.")
        .def_prop_ro(
            "now",
            [](const Episode& episode) { return static_cast<double>(episode.Now()) / 1e9; },
            "Time of the decision, or of the end, seconds.")
        .def_prop_ro("open", &Episode::IsOpen, "Whether there is a decision to be made.")
        .def_prop_ro("complete", &Episode::IsComplete, "Whether all coflows have finished.")
        .def("outcome",
             &Episode::Outcome,
             nb::sig("def outcome(self) -> dict[str, typing.Any]"),
             "The outcome as run() returns it, after the end of the run.");
    module.def("enter_agent_policies",
               &EnterAgentPolicies,
               "Enters the schedulers that ask an agent into the registry of policies.");
    module.def("parse_interval", &ParseInterval, "text"_a, "A time with its unit, as nanoseconds.");
    module.def("port_rates",
               &PortRatesOf,
               "arguments"_a,
               nb::sig("def port_rates(arguments: collections.abc.Sequence[str]) -> "
                       "numpy.typing.NDArray[numpy.float64]"),
               "Rates of the hosts' ports, bytes per second: uplinks, then downlinks.");
    module.def("thresholds",
               &ThresholdsOf,
               "arguments"_a,
               "scale"_a,
               nb::sig("def thresholds(arguments: collections.abc.Sequence[str], scale: float) -> "
                       "numpy.typing.NDArray[numpy.float64]"),
               "Thresholds of the queues of D-CLAS, bytes.");
}

} // namespace ns3coflow
