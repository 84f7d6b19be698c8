# SPDX-License-Identifier: GPL-2.0-only
"""Policies in Python next to those in C++."""

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from conftest import run_python


class ShortestFirst(nc.OrderPolicy):
    """Shortest coflow first, the twin of scf."""

    def keys(self, view):
        return view.length


class Bottleneck(nc.OrderPolicy):
    """Smallest bottleneck first, the twin of varys."""

    def keys(self, view):
        return view.gamma()


class EvenShares(nc.AttainedRatePolicy):
    """Per-flow fairness, the twin of fair and max-min."""

    on_flow_completion = True

    def allocate(self, view, rates):
        view.serve_classes(np.zeros(len(view), np.uint32), rates)


class LeastAttained(nc.AttainedOrderPolicy):
    """Least attained service first."""

    period = 0.001

    def keys(self, view):
        return view.sent


class InOrder(nc.RatePolicy):
    """Shortest first by hand, the twin of scf without its guard."""

    backfill = nc.Parameter(True, help="hand out what is left")

    def allocate(self, view, rates):
        order = np.argsort(view.length, kind="stable").astype(np.uint32)
        view.serve_in_order(order, rates, backfill=self.backfill)


@pytest.mark.parametrize("engine", ["fluid", "packet"])
def test_hosts_report_what_they_have_sent_once_per_period(engine):
    class LeastFirst(nc.AttainedOrderPolicy):
        period = 0.01

        def keys(self, view):
            return view.sent

    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    flows = [(1, 0.0, 0, 1, 5_000_000), (2, 0.0, 0, 2, 5_000_000), (3, 0.0, 0, 3, 1_000_000)]
    trace = nc.Trace.from_frame(pd.DataFrame(flows, columns=columns), hosts=5)
    run = nc.Experiment(
        trace, nc.BigSwitch(hosts=5), LeastFirst, engine=engine, linkRate="1Gbps",
        **({"controlTransport": "ideal"} if engine == "packet" else {}),
    ).run()  # fmt: skip
    # In turns of 10 ms: the last one comes as third, and not after the 80 ms of the others.
    ccts = run.coflows.set_index("coflow_id")["cct_s"]
    assert ccts[3] < 0.04
    assert min(ccts[1], ccts[2]) > 0.06


@pytest.mark.parametrize(
    ("own", "twin"),
    [
        (ShortestFirst, nc.schedulers.Scf()),
        (ShortestFirst(T=0, backfill=False), nc.schedulers.Scf(T=0, backfill=False)),
        (Bottleneck, nc.schedulers.Varys()),
        (InOrder, nc.schedulers.Scf(T=0)),
        (InOrder(backfill=False), nc.schedulers.Scf(T=0, backfill=False)),
    ],
    ids=["shortest", "shortest-plain", "bottleneck", "in-order", "in-order-plain"],
)
def test_same_as_its_twin(fluid, own, twin):
    ours = fluid.with_options(scheduler=own).run()
    theirs = fluid.with_options(scheduler=twin).run()
    pd.testing.assert_frame_equal(ours.flows, theirs.flows, check_exact=True)


def test_fair_twin(fluid):
    ours = fluid.with_options(scheduler=EvenShares).run().coflows["cct_s"]
    theirs = fluid.with_options(scheduler="fair").run().coflows["cct_s"]
    # The built-in one keeps clocks per port instead of rates: the same but for rounding.
    np.testing.assert_allclose(ours, theirs, atol=2e-8)


def test_least_attained_serves_small_ones_sooner(fluid):
    ours = fluid.with_options(scheduler=LeastAttained).run()
    fifo = fluid.with_options(scheduler="fifo").run()
    assert ours.unfinished == 0
    assert ours.coflows["cct_s"].median() < fifo.coflows["cct_s"].median()


class Nosy(nc.AttainedOrderPolicy):
    """Wants to know sizes."""

    def keys(self, view):
        return view.remaining


@pytest.mark.parametrize("isolate", [True, False])
def test_non_clairvoyant_cannot_see_sizes(fluid, isolate):
    with pytest.raises(AttributeError, match="'AttainedView' object has no attribute 'remaining'"):
        fluid.with_options(scheduler=Nosy).run(isolate=isolate)
    for name in ("length", "total", "bottleneck", "deadline_ns", "bytes", "remaining", "gamma"):
        from ns3coflow._core import AttainedView

        assert not hasattr(AttainedView, name)


SEEN = {}


class Looker(nc.OrderPolicy):
    """Looks at everything."""

    weight = nc.Parameter(2.5, unit="s", least=0, help="a number")
    mode = nc.Parameter("one", choices=["one", "two"], help="a choice")

    def setup(self):
        self.calls = 0

    def keys(self, view):
        self.calls += 1
        of_coflows = ["id", "index", "ready_ns", "width", "begin", "end", "sent"]
        of_sizes = ["length", "total", "bottleneck", "deadline_ns", "bytes", "remaining"]
        others = ["src", "dst", "flow", "ingress_rate", "egress_rate"]
        for name in of_coflows + of_sizes + others:
            array = getattr(view, name)
            assert not array.flags.owndata
            assert not array.flags.writeable, name
            assert array is getattr(view, name)
        assert (view.end > view.begin).all()
        assert view.now == view.now_ns / 1e9
        sums = view.sum_by_coflow(view.remaining)
        for row in range(len(view)):
            part = slice(view.begin[row], view.end[row])
            assert sums[row] == pytest.approx(view.remaining[part].sum())
            assert (view.remaining[part] <= view.bytes[part]).all()
        if self.calls == 1:
            SEEN.update(weight=self.weight, mode=self.mode, rates=view.ingress_rate.copy())
        with pytest.raises(ValueError, match="read-only"):
            view.sent[0] = 1
        return np.arange(len(view))


def test_views(fluid):
    SEEN.clear()
    fluid.with_options(scheduler=Looker(weight=7, mode="two")).run(isolate=False)
    assert SEEN["weight"] == 7
    assert SEEN["mode"] == "two"
    assert (SEEN["rates"] == 1.25e8).all()


def test_parameters_are_checked(fluid):
    with pytest.raises(nc.InputError, match="'x' is no parameter; allowed: weight, mode, T, "):
        Looker(x=1)
    with pytest.raises(nc.InputError, match="weight is '-1'; allowed"):
        fluid.with_options(scheduler=Looker(weight=-1)).run()
    with pytest.raises(nc.InputError, match="mode is 'three'; allowed: one, two"):
        fluid.with_options(scheduler=Looker(mode="three")).run()


class Keeper(nc.AttainedOrderPolicy):
    """Keeps what it may only look at."""

    def keys(self, view):
        self.kept = view.sent[::2]
        return view.sent


class LateViewer(nc.AttainedOrderPolicy):
    """Looks at a view when the call is over."""

    def keys(self, view):
        if hasattr(self, "view"):
            return self.view.sent
        self.view = view
        return view.ready_ns


class Greedy(nc.RatePolicy):
    """Gives everybody everything."""

    def allocate(self, view, rates):
        rates[:] = view.ingress_rate[view.src]


class Negative(nc.RatePolicy):
    """Takes rates away."""

    def allocate(self, view, rates):
        rates[:] = -1


class Undecided(nc.OrderPolicy):
    """Knows no order."""

    def keys(self, view):
        return np.full(len(view), np.nan)


class TooMany(nc.OrderPolicy):
    """Has too many keys."""

    def keys(self, view):
        return np.zeros(len(view) + 1)


class Impatient(nc.AttainedRatePolicy):
    """Wants to be asked in the past."""

    def allocate(self, view, rates):
        return -1.0


class Hasty(nc.AttainedRatePolicy):
    """Wants to be asked again before the clock goes on."""

    def allocate(self, view, rates):
        return 1e-12


class Wordy(nc.AttainedRatePolicy):
    """Answers in words."""

    def allocate(self, view, rates):
        return "soon"


class Ragged(nc.OrderPolicy):
    """Has rows of several lengths."""

    def keys(self, view):
        return [[1, 2], [3]]


class Reader(nc.OrderPolicy):
    """Asks somebody, and goes."""

    def keys(self, view):
        import sys

        sys.stdin.read()
        sys.stdin.close()
        raise ZeroDivisionError("nobody answers")


class Broken(nc.OrderPolicy):
    """Raises."""

    def keys(self, view):
        raise ZeroDivisionError("by design")


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        (Keeper, nc.InputError, r"keeps sent of a view after the call; .*view\.sent\.copy\(\)"),
        (LateViewer, nc.InputError, "a view was used after the call"),
        (Greedy, nc.InputError, "scheduler greedy gives the .*link of host"),
        (Negative, nc.InputError, "gives a flow the rate -1"),
        (Undecided, nc.InputError, "the key NaN"),
        (TooMany, nc.InputError, "allowed: shape"),
        (Ragged, nc.InputError, "allowed: shape"),
        (Impatient, nc.InputError, "asked again after -1"),
        (Hasty, nc.InputError, "asked again after 1e-12 s; allowed: a number of at least 1e-9"),
        (Wordy, nc.InputError, "asked again after 'soon' s; allowed: a number of at least 1e-9"),
        (Broken, ZeroDivisionError, "by design"),
    ],
)
def test_mistakes_are_told(fluid, policy, error, message, isolate):
    with pytest.raises(error, match=message):
        fluid.with_options(scheduler=policy).run(isolate=isolate)


def test_standard_input_of_a_policy_is_empty(fluid):
    with pytest.raises(ZeroDivisionError, match="nobody answers"):
        fluid.with_options(scheduler=Reader).run()


class NegativeZero(nc.RatePolicy):
    """Serves one flow, and gives the others minus nothing."""

    on_flow_completion = True

    def allocate(self, view, rates):
        rates[:] = -0.0
        rates[0] = 1e6


def test_minus_zero_is_no_rate():
    trace = nc.Trace.generate("incast", senders=3, bytes=100_000)
    run = nc.Experiment(trace, nc.BigSwitch(hosts=4), NegativeZero, engine="fluid").run()
    assert run.coflows["cct_s"].tolist() == pytest.approx([0.3])


def test_names(fluid):
    class Varys(nc.OrderPolicy):
        """Has a name that is taken."""

        def keys(self, view):
            return view.length

    with pytest.raises(nc.InputError, match="scheduler 'varys' is built in"):
        fluid.with_options(scheduler=Varys)
    assert ShortestFirst.name == "shortest-first"


def test_a_class_made_again_replaces_the_first(fluid):
    def make(sign):
        class Again(nc.OrderPolicy):
            """One cell of a notebook, run twice."""

            def keys(self, view):
                return sign * view.length

        return Again

    first = fluid.with_options(scheduler=make(1)).run(isolate=False).mean_cct
    second = fluid.with_options(scheduler=make(-1)).run(isolate=False).mean_cct
    assert first == fluid.with_options(scheduler="scf").run().mean_cct
    assert second > first


def test_control_model_applies(fluid):
    ideal = fluid.with_options(scheduler=Bottleneck, bypassBytes=0).run()
    late = fluid.with_options(scheduler=Bottleneck, bypassBytes=0, controlDelay="5ms").run()
    assert late.mean_cct > ideal.mean_cct
    twin = fluid.with_options(scheduler="varys", bypassBytes=0, controlDelay="5ms").run()
    assert late.mean_cct == twin.mean_cct


@pytest.mark.parametrize(
    ("own", "twin"), [(ShortestFirst, "scf"), (Bottleneck, "varys")], ids=["scf", "varys"]
)
def test_same_at_packet_level(trace, own, twin):
    """A coordinator takes a policy in Python as it takes one in C++."""
    base = nc.Experiment(trace.first(8), nc.BigSwitch(hosts=16), engine="packet", bypassBytes=0)
    ours = base.with_options(scheduler=own).run()
    theirs = base.with_options(scheduler=twin).run()
    assert ours.unfinished == 0
    assert ours.summary["network"]["control_messages"] > 0
    pd.testing.assert_frame_equal(ours.flows, theirs.flows, check_exact=True)


def test_non_clairvoyant_at_packet_level(trace):
    base = nc.Experiment(trace.first(8), nc.BigSwitch(hosts=16), engine="packet")
    assert base.with_options(scheduler=LeastAttained).run().unfinished == 0
    with pytest.raises(AttributeError, match="no attribute 'remaining'"):
        base.with_options(scheduler=Nosy).run()


def test_a_module_that_starts_runs_when_it_is_imported_is_an_error(tmp_path):
    """Each of its runs would import it, and start more."""
    (tmp_path / "careless.py").write_text(
        "import ns3coflow as nc\n"
        "class Own(nc.OrderPolicy):\n"
        "    def keys(self, view):\n"
        "        return view.length\n"
        "trace = nc.Trace.generate('incast', senders=2)\n"
        "base = nc.Experiment(trace, nc.BigSwitch(hosts=3), engine='fluid')\n"
        "base.with_options(scheduler=Own).run(timeout=60)\n"
    )
    first = run_python("import careless", cwd=tmp_path)
    assert first.returncode == 1
    assert "allowed: below the line if __name__ == '__main__':" in first.stderr
