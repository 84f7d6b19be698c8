/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Policies written in Python. They enter the same registry as the built-in ones, and whoever asks
// the registry for a policy by name cannot tell the difference.

#include "bindings.h"
#include "serving.h"
#include "view.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-order-policy.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace ns3coflow
{

using ::coflow::AttainedPolicy;
using ::coflow::AttainedView;
using ::coflow::ClairvoyantPolicy;
using ::coflow::ClairvoyantView;
using ::coflow::CoflowLoads;
using ::coflow::Decision;
using ::coflow::InputError;
using ::coflow::Nanoseconds;
using ::coflow::NEVER;
using ::coflow::Parameters;
using ::coflow::ParameterSpec;
using ::coflow::PortBudget;
using ::coflow::PortRates;
using ::coflow::Triggers;
using ::coflow::Unit;

namespace
{

/// The instance of a class in Python that decides. Engines run without the interpreter's lock, so
/// it is taken for each call and for the end.
class Decider
{
  public:
    Decider(std::string name, const Parameters& parameters)
        : m_who("scheduler " + name)
    {
        nb::gil_scoped_acquire lock;
        // Looked up when it is needed: a static registry must not own Python objects.
        m_object = nb::module_::import_("ns3coflow.policy").attr("_make")(name, parameters.Text());
        m_onFlowCompletion = nb::cast<bool>(m_object.attr("on_flow_completion"));
        if (nb::hasattr(m_object, "period"))
        {
            m_period = ToNanoseconds(m_object.attr("period"), "has the period");
        }
    }

    ~Decider()
    {
        nb::gil_scoped_acquire lock;
        m_object.reset();
    }

    Decider(const Decider&) = delete;
    Decider& operator=(const Decider&) = delete;

    const std::string& Who() const
    {
        return m_who;
    }

    bool OnFlowCompletion() const
    {
        return m_onFlowCompletion;
    }

    /// @return the attribute `period` of the class; NEVER: it has none
    Nanoseconds Period() const
    {
        return m_period;
    }

    /// Calls a method with a view and an array to be filled in.
    /// @param loads of the view where the caller has them
    /// @return what it returned, as nanoseconds until it wants to be asked again
    template <typename PythonView, typename View, typename... Loads>
    Nanoseconds Call(const char* method,
                     const View& view,
                     const PortRates& capacity,
                     std::span<double> out,
                     const Loads*... loads) const
    {
        nb::gil_scoped_acquire lock;
        // A long run in the main thread is to be interruptible even where Python has little to do.
        if (PyErr_CheckSignals() != 0)
        {
            throw nb::python_error();
        }
        auto* shown = new PythonView(view, capacity, loads...);
        nb::object owner = nb::cast(shown, nb::rv_policy::take_ownership);
        Loan loan;
        nb::object answer =
            m_object.attr(method)(owner, loan.Lend("rates", out.data(), out.size()));
        const auto again = ToNanoseconds(answer, "wants to be asked again after");
        shown->Expire(m_who);
        loan.End(m_who);
        return again;
    }

  private:
    /// @param seconds a number, or None
    /// @param what what it is, for messages
    /// @return the same in nanoseconds; NEVER for None
    Nanoseconds ToNanoseconds(const nb::object& seconds, const char* what) const
    {
        if (seconds.is_none())
        {
            return NEVER;
        }
        // The clock has nanoseconds. Less than one would be asked for ever at one time.
        constexpr double LEAST = 1e-9;
        double value = 0;
        if (!nb::try_cast<double>(seconds, value) || !(value >= LEAST))
        {
            throw InputError(m_who + " " + what + " " + nb::cast<std::string>(nb::repr(seconds)) +
                             " s; allowed: a number of at least 1e-9, or None");
        }
        return value < 4e9 ? std::llround(value * 1e9) : NEVER;
    }

    std::string m_who;
    nb::object m_object;
    bool m_onFlowCompletion{false};
    Nanoseconds m_period{NEVER};
};

/// The unit that a parameter in Python names.
Unit
UnitOf(const std::string& name)
{
    static const std::map<std::string, Unit> units{{"", Unit::NUMBER},
                                                   {"count", Unit::COUNT},
                                                   {"bytes", Unit::BYTES},
                                                   {"s", Unit::SECONDS},
                                                   {"bit/s", Unit::BITS_PER_SECOND}};
    const auto found = units.find(name);
    if (found == units.end())
    {
        throw InputError("the unit of a parameter is '" + name +
                         "'; allowed: '' (a number), count, bytes, s, bit/s");
    }
    return found->second;
}

/// @throws InputError where rates are no numbers, negative, or more than a port has
void
CheckRates(const std::string& who,
           const ::coflow::StructureView& view,
           const PortRates& capacity,
           std::span<const double> rates)
{
    std::vector<double> sending(capacity.ingress.size(), 0.0);
    std::vector<double> receiving(capacity.egress.size(), 0.0);
    view.ForEachFlow([&](std::uint32_t f) {
        if (!(rates[f] >= 0 && std::isfinite(rates[f])))
        {
            throw InputError(who + " gives a flow the rate " + std::to_string(rates[f]) +
                             "; allowed: 0 or more bytes per second");
        }
        sending[view.src[f]] += rates[f];
        receiving[view.dst[f]] += rates[f];
    });
    const auto check = [&who](const char* port, const auto& used, const auto& has) {
        for (std::size_t host = 0; host < used.size(); ++host)
        {
            if (used[host] > has[host] * (1 + 1e-6))
            {
                throw InputError(who + " gives the " + port + " of host " + std::to_string(host) +
                                 " " + std::to_string(used[host]) + " bytes per second; allowed: " +
                                 "at most " + std::to_string(has[host]));
            }
        }
    };
    check("uplink", sending, capacity.ingress);
    check("downlink", receiving, capacity.egress);
}

void
CheckKeys(const std::string& who, std::span<const double> keys)
{
    if (std::any_of(keys.begin(), keys.end(), [](double key) { return std::isnan(key); }))
    {
        throw InputError(who + " gives a coflow the key NaN; allowed: numbers that have an order");
    }
}

/// Order of coflows from Python, rates by MADD and backfill as Varys has them.
class PythonOrderPolicy final : public ::coflow::OrderPolicy
{
  public:
    PythonOrderPolicy(const std::string& name, const Parameters& parameters)
        : OrderPolicy(parameters),
          m_decider(name, parameters)
    {
    }

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override
    {
        const PortRates capacity = CapacityOf(budget);
        m_decider.Call<PyClairvoyantView>("_keys", view, capacity, keys, &loads);
        CheckKeys(m_decider.Who(), keys);
    }

  private:
    Decider m_decider;
};

/// Rates from Python.
/// @tparam Base what the policy may know: ClairvoyantPolicy or AttainedPolicy
/// @tparam View the view of such a policy
/// @tparam PythonView the same in Python
template <typename Base, typename View, typename PythonView>
class PythonRatePolicy final : public Base
{
  public:
    PythonRatePolicy(const std::string& name, const Parameters& parameters)
        : m_decider(name, parameters)
    {
    }

    Triggers GetTriggers() const override
    {
        return {m_decider.OnFlowCompletion(), 0};
    }

    Nanoseconds ReportPeriod() const override
    {
        return std::is_same_v<Base, AttainedPolicy> ? m_decider.Period() : NEVER;
    }

    Decision Allocate(const View& view, const PortRates& capacity, std::span<double> rates) override
    {
        const auto again = m_decider.Call<PythonView>("_allocate", view, capacity, rates);
        CheckRates(m_decider.Who(), view, capacity, rates);
        return {again == NEVER ? NEVER : view.now + again, false};
    }

  private:
    Decider m_decider;
};

/// Order of coflows from Python, sizes unknown: coflow by coflow, flows share what is left fairly.
class PythonAttainedOrderPolicy final : public AttainedPolicy
{
  public:
    PythonAttainedOrderPolicy(const std::string& name, const Parameters& parameters)
        : m_decider(name, parameters)
    {
    }

    /// What a flow leaves when it finishes is handed on at once.
    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    Nanoseconds ReportPeriod() const override
    {
        return m_decider.Period();
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override
    {
        m_keys.assign(view.coflows.size(), 0.0);
        const auto again = m_decider.Call<PyAttainedView>("_keys", view, capacity, m_keys);
        CheckKeys(m_decider.Who(), m_keys);
        m_server.Serve(view, capacity, m_keys, rates);
        return {again == NEVER ? NEVER : view.now + again, false};
    }

  private:
    Decider m_decider;
    std::vector<double> m_keys;
    FairInOrder m_server;
};

/// Enters a class of Python under a name.
/// @return the names of all its parameters
template <typename P>
std::vector<std::string>
Enter(const std::string& name, const std::string& summary, std::vector<ParameterSpec> parameters)
{
    std::vector<std::string> names;
    for (const auto& spec : parameters)
    {
        names.push_back(spec.name);
    }
    ::coflow::Policies::Replace(
        {name,
         summary,
         std::is_base_of_v<ClairvoyantPolicy, P> ? ::coflow::Knowledge::CLAIRVOYANT
                                                 : ::coflow::Knowledge::ATTAINED,
         std::move(parameters),
         [name](const Parameters& given) { return std::make_unique<P>(name, given); }});
    return names;
}

std::vector<std::string>
EnterPolicy(const std::string& kind,
            const std::string& name,
            const std::string& summary,
            std::vector<ParameterSpec> parameters)
{
    if (kind == "order")
    {
        // What is declared comes before what the C++ side adds.
        const auto added = PythonOrderPolicy::Specs();
        parameters.insert(parameters.end(), added.begin(), added.end());
        return Enter<PythonOrderPolicy>(name, summary, std::move(parameters));
    }
    if (kind == "rate")
    {
        return Enter<PythonRatePolicy<ClairvoyantPolicy, ClairvoyantView, PyClairvoyantView>>(
            name,
            summary,
            std::move(parameters));
    }
    if (kind == "attained order")
    {
        return Enter<PythonAttainedOrderPolicy>(name, summary, std::move(parameters));
    }
    return Enter<PythonRatePolicy<AttainedPolicy, AttainedView, PyAttainedView>>(
        name,
        summary,
        std::move(parameters));
}

} // namespace

void
BindPolicies(nb::module_& module)
{
    using namespace nb::literals;
    nb::class_<ParameterSpec>(module, "ParameterSpec", "A parameter of a policy as data.")
        .def_static(
            "number",
            [](std::string name,
               const std::string& unit,
               double byDefault,
               double least,
               double most,
               std::string help,
               bool scales) {
                ParameterSpec spec;
                spec.name = std::move(name);
                spec.unit = UnitOf(unit);
                spec.defaultValue = byDefault;
                spec.least = least;
                spec.most = most;
                spec.help = std::move(help);
                spec.scaling = scales ? ::coflow::Scaling::WORKLOAD : ::coflow::Scaling::FIXED;
                return spec;
            },
            "name"_a,
            "unit"_a,
            "default"_a,
            "least"_a,
            "most"_a,
            "help"_a,
            "scales"_a = false)
        .def_static(
            "flag",
            [](std::string name, bool byDefault, std::string help) {
                return ParameterSpec::Flag(std::move(name), byDefault, std::move(help), "");
            },
            "name"_a,
            "default"_a,
            "help"_a)
        .def_static(
            "choice",
            [](std::string name, std::vector<std::string> choices, std::string help) {
                return ParameterSpec::Choice(std::move(name),
                                             std::move(choices),
                                             std::move(help),
                                             "");
            },
            "name"_a,
            "choices"_a,
            "help"_a);
    module.def("enter_policy",
               &EnterPolicy,
               "kind"_a,
               "name"_a,
               "summary"_a,
               "parameters"_a,
               "Enters a class of ns3coflow.policy into the registry of policies.");
    module.def(
        "built_in_policies",
        [] {
            std::vector<std::string> names;
            for (const auto& [name, info] : ::coflow::Policies::All())
            {
                names.push_back(name);
            }
            return names;
        },
        "Names of the registry.");
}

} // namespace ns3coflow
