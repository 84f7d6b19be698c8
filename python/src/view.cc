/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "view.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-order-by.h"

namespace ns3coflow
{

using ::coflow::Bytes;
using ::coflow::CoflowLoads;
using ::coflow::InputError;
using ::coflow::MaxMinFiller;
using ::coflow::PortBudget;
using ::coflow::PortRates;
using ::coflow::StructureView;

namespace
{

using Rates = nb::ndarray<double, nb::ndim<1>, nb::c_contig>;

/// @throws InputError where an array does not have as many elements as it should
void
CheckSize(const char* what, std::size_t size, std::size_t expected)
{
    if (size != expected)
    {
        throw InputError(std::string(what) + " has " + std::to_string(size) +
                         " elements; allowed: " + std::to_string(expected));
    }
}

} // namespace

void
Loan::End(const std::string& who)
{
    std::string kept;
    for (auto& [name, array] : m_lent)
    {
        if (Py_REFCNT(array.ptr()) > 1)
        {
            kept += kept.empty() ? "" : ", ";
            kept += name;
        }
    }
    m_lent.clear();
    if (!kept.empty())
    {
        throw InputError(who + " keeps " + kept +
                         " of a view after the call; allowed: a copy, such as view." +
                         kept.substr(0, kept.find(',')) + ".copy()");
    }
}

const StructureView&
PyView::Structure() const
{
    if (m_view == nullptr)
    {
        throw InputError("a view was used after the call that it was handed to; allowed: only "
                         "during the call");
    }
    return *m_view;
}

const PortRates&
PyView::Capacity() const
{
    Structure();
    return *m_capacity;
}

nb::object
PyView::SumByCoflow(const Array<double>& values) const
{
    const auto& view = Structure();
    CheckSize("the array to be summed up", values.size(), view.Positions());
    std::vector<double> sums;
    sums.reserve(view.coflows.size());
    for (const CoflowRow& row : view.coflows)
    {
        double sum = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            sum += values(f);
        }
        sums.push_back(sum);
    }
    return ToNumpy(std::move(sums));
}

void
PyView::ServeClasses(const Array<std::uint32_t>& classes, Rates rates) const
{
    const auto& view = Structure();
    CheckSize("the array of classes", classes.size(), view.coflows.size());
    CheckSize("the array of rates", rates.size(), view.Positions());
    std::vector<std::uint32_t> rows;
    ::coflow::OrderBy(rows, std::span<const std::uint32_t>(classes.data(), classes.size()));
    PortBudget budget;
    budget.Reset(Capacity());
    MaxMinFiller filler;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const CoflowRow& row = view.coflows[rows[i]];
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            filler.Add(f, view.src[f], view.dst[f], 1.0, budget);
        }
        if (i + 1 == rows.size() || classes(rows[i]) != classes(rows[i + 1]))
        {
            filler.Fill(budget, std::span<double>(rates.data(), rates.size()));
        }
    }
}

nb::object
PyClairvoyantView::SizeMember(const char* name, std::int64_t CoflowSizes::* member)
{
    const auto sizes = Sizes().sizes;
    const auto* first = sizes.empty() ? nullptr : &(sizes.data()->*member);
    return m_loan.Lend(name, first, sizes.size(), sizeof(CoflowSizes) / sizeof(std::int64_t));
}

nb::object
PyClairvoyantView::Gamma() const
{
    const auto& view = Sizes();
    CoflowLoads computed;
    if (m_loads == nullptr)
    {
        computed.ComputeBytes(view, Capacity());
    }
    const CoflowLoads& loads = m_loads == nullptr ? computed : *m_loads;
    std::vector<double> gamma(view.coflows.size());
    for (std::size_t r = 0; r < gamma.size(); ++r)
    {
        gamma[r] = loads.GammaOf(r);
    }
    return ToNumpy(std::move(gamma));
}

void
PyClairvoyantView::ServeInOrder(const Array<std::uint32_t>& order, Rates rates, bool backfill) const
{
    const auto& view = Sizes();
    CheckSize("the array of rates", rates.size(), view.Positions());
    std::vector<bool> named(view.coflows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        if (order(i) >= named.size() || named[order(i)])
        {
            throw InputError("an order of coflows names " + std::to_string(order(i)) +
                             "; allowed: rows of the view, each at most once");
        }
        named[order(i)] = true;
    }
    PortBudget budget;
    budget.Reset(Capacity());
    CoflowLoads loads;
    loads.ComputeBytes(view, Capacity());
    const std::span<const std::uint32_t> rows(order.data(), order.size());
    const std::span<double> out(rates.data(), rates.size());
    for (const auto r : rows)
    {
        const double gamma = ::coflow::Gamma(loads.Of(r), budget);
        if (gamma != ::coflow::INFINITE_TIME)
        {
            ::coflow::Madd(view.coflows[r], view.remaining, loads.Of(r), gamma, budget, out);
        }
    }
    if (backfill)
    {
        MaxMinFiller filler;
        ::coflow::Backfill(view, view.remaining, rows, loads, budget, filler, out);
    }
}

void
BindViews(nb::module_& module)
{
    using namespace nb::literals;
    using View = PyView;
    nb::class_<View>(
        module,
        "View",
        "The unfinished coflows as parallel arrays, by (ready, id), without copies.\n"
        "Flows of coflow row r are the positions begin[r] to end[r] of the arrays per\n"
        "flow; some positions may belong to no row. Valid during the call only.")
        .def("__len__", [](const View& v) { return v.Structure().coflows.size(); })
        .def_prop_ro(
            "now_ns",
            [](const View& v) { return v.Structure().now; },
            "Time, ns.")
        .def_prop_ro(
            "now",
            [](const View& v) { return static_cast<double>(v.Structure().now) / 1e9; },
            "Time, seconds.")
        .def_prop_ro(
            "id",
            [](View& v) { return v.RowMember("id", &CoflowRow::id); },
            nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint64]"),
            "Per coflow: its id.")
        .def_prop_ro(
            "index",
            [](View& v) { return v.RowMember("index", &CoflowRow::index); },
            nb::sig("def index(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per coflow: a small number, unique during the run, as an index of your own state.")
        .def_prop_ro(
            "ready_ns",
            [](View& v) { return v.RowMember("ready_ns", &CoflowRow::ready); },
            nb::sig("def ready_ns(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per coflow: when it could start, ns.")
        .def_prop_ro(
            "width",
            [](View& v) { return v.RowMember("width", &CoflowRow::width); },
            nb::sig("def width(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per coflow: number of flows that it was registered with.")
        .def_prop_ro(
            "begin",
            [](View& v) { return v.RowMember("begin", &CoflowRow::begin); },
            nb::sig("def begin(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per coflow: position of its first unfinished flow.")
        .def_prop_ro(
            "end",
            [](View& v) { return v.RowMember("end", &CoflowRow::end); },
            nb::sig("def end(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per coflow: position after its last unfinished flow.")
        .def_prop_ro(
            "sent",
            [](View& v) { return v.RowMember("sent", &CoflowRow::sent); },
            nb::sig("def sent(self) -> numpy.typing.NDArray[numpy.float64]"),
            "Per coflow: bytes moved so far.")
        .def_prop_ro(
            "src",
            [](View& v) { return v.Lend("src", v.Structure().src); },
            nb::sig("def src(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per flow: sending host.")
        .def_prop_ro(
            "dst",
            [](View& v) { return v.Lend("dst", v.Structure().dst); },
            nb::sig("def dst(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per flow: receiving host.")
        .def_prop_ro(
            "flow",
            [](View& v) { return v.Lend("flow", v.Structure().flow); },
            nb::sig("def flow(self) -> numpy.typing.NDArray[numpy.uint32]"),
            "Per flow: its id in its coflow.")
        .def_prop_ro(
            "ingress_rate",
            [](View& v) { return v.Lend("ingress_rate", std::span(v.Capacity().ingress)); },
            nb::sig("def ingress_rate(self) -> numpy.typing.NDArray[numpy.float64]"),
            "Per host: the rate of its uplink, bytes per second.")
        .def_prop_ro(
            "egress_rate",
            [](View& v) { return v.Lend("egress_rate", std::span(v.Capacity().egress)); },
            nb::sig("def egress_rate(self) -> numpy.typing.NDArray[numpy.float64]"),
            "Per host: the rate of its downlink, bytes per second.")
        .def("sum_by_coflow",
             &View::SumByCoflow,
             "per_flow"_a,
             "Sums of an array per flow, coflow by coflow; a new array.")
        .def("serve_classes",
             &View::ServeClasses,
             "classes"_a,
             "rates"_a.noconvert(),
             "Adds max-min fair rates to `rates`, class by class: 0 is served first. `classes` "
             "is per coflow.");
    nb::class_<PyAttainedView, View>(module,
                                     "AttainedView",
                                     "The view of a non-clairvoyant policy: it has no sizes.");
    using Clairvoyant = PyClairvoyantView;
    nb::class_<Clairvoyant, View>(
        module,
        "ClairvoyantView",
        "The view of a clairvoyant policy: it also has sizes and deadlines.")
        .def_prop_ro(
            "length",
            [](Clairvoyant& v) { return v.SizeMember("length", &CoflowSizes::length); },
            nb::sig("def length(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per coflow: bytes of its largest flow, as registered.")
        .def_prop_ro(
            "total",
            [](Clairvoyant& v) { return v.SizeMember("total", &CoflowSizes::total); },
            nb::sig("def total(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per coflow: bytes of all its flows, as registered.")
        .def_prop_ro(
            "bottleneck",
            [](Clairvoyant& v) { return v.SizeMember("bottleneck", &CoflowSizes::bottleneck); },
            nb::sig("def bottleneck(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per coflow: bytes of its most loaded port, as registered.")
        .def_prop_ro(
            "deadline_ns",
            [](Clairvoyant& v) { return v.SizeMember("deadline_ns", &CoflowSizes::deadline); },
            nb::sig("def deadline_ns(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per coflow: absolute deadline, ns; the largest number: none.")
        .def_prop_ro(
            "bytes",
            [](Clairvoyant& v) { return v.Lend("bytes", v.Sizes().bytes); },
            nb::sig("def bytes(self) -> numpy.typing.NDArray[numpy.int64]"),
            "Per flow: its size as registered.")
        .def_prop_ro(
            "remaining",
            [](Clairvoyant& v) { return v.Lend("remaining", v.Sizes().remaining); },
            nb::sig("def remaining(self) -> numpy.typing.NDArray[numpy.float64]"),
            "Per flow: bytes still to move.")
        .def("gamma",
             &Clairvoyant::Gamma,
             nb::sig("def gamma(self) -> numpy.typing.NDArray[numpy.float64]"),
             "Per coflow: seconds that it still needs if all ports are free; a new array.")
        .def("serve_in_order",
             &Clairvoyant::ServeInOrder,
             "order"_a,
             "rates"_a.noconvert(),
             "backfill"_a = true,
             "Adds rates by MADD, coflow by coflow in this order of rows. With `backfill`, also "
             "hands out the remaining rate of ports.");
}

} // namespace ns3coflow
