# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-coflow: the same option names and statuses as coflow-replay.

Status: 0 all coflows finished; 2 bad usage or input, reported in one line; 3 some coflows were
unfinished at --stop or when nothing could happen any more (--watchdog), or some runs of a sweep
failed; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ns3coflow import NS3_VERSION, InputError, __version__, _core
from ns3coflow.programs import become

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from ns3coflow.files import ExperimentFile

BAD_USAGE = 2
UNFINISHED = 3
INTERRUPTED = 130
BROKEN_PIPE = 141  # as a shell has it for a program whose reader went away


class ReplayCommand(click.Command):
    """A command that takes the options of coflow-replay, which the C++ side reads."""

    def __init__(self, *args: Any, **keywords: Any) -> None:  # noqa: ANN401
        keywords["context_settings"] = {"ignore_unknown_options": True}
        super().__init__(*args, **keywords)

    def get_help(self, ctx: click.Context) -> str:
        """The lines of this command, then the options as coflow-replay prints them."""
        _, _, options = _core.help().partition("\nWorkload")
        options, _, _ = options.partition("\nExamples")
        return f"{super().get_help(ctx)}\n\nOptions of experiments\n\nWorkload{options}"

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Also completes options and attributes that the C++ side knows."""
        from click.shell_completion import CompletionItem

        from ns3coflow import metadata

        known = {f"--{option.name}": option.help for option in metadata.options().values()}
        known |= {f"--{name}": each.help for name, each in metadata.attribute_names().items()}
        ours = [
            CompletionItem(name, help=text.partition("\n")[0])
            for name, text in sorted(known.items())
            if name.startswith(incomplete) and name.isascii() and "::" not in name
        ]
        return super().shell_complete(ctx, incomplete) + ours


def _complete_value(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Completes the value of the option that stands before, or the name of a file."""
    from ns3coflow import metadata

    # Bash parts words at '='.
    before = [word for word in ctx.params.get("arguments") or () if word != "="]
    option = before[-1].removeprefix("--") if before else ""
    values = {
        "scheduler": list(metadata.schedulers()),
        "compare": ["all", *metadata.schedulers()],
        "topology": list(metadata.topologies()),
        "fabric": list(metadata.fabrics()),
        "generate": list(metadata.generators()),
        "transform": list(metadata.transforms()),
        "engine": [engine["name"] for engine in metadata.describe()["engines"]],
    }.get(option)
    if values is None:
        values = [str(path) for path in Path().glob(f"{incomplete}*")]
    return [value for value in values if value.startswith(incomplete)]


def _replay_arguments(command: Any) -> Any:  # noqa: ANN401
    return click.argument(
        "arguments", nargs=-1, type=click.UNPROCESSED, shell_complete=_complete_value
    )(command)


def read_arguments(arguments: Sequence[str]) -> tuple[ExperimentFile, dict[str, Any]]:
    """An experiment file, if one is named, and options `--name=value` and `--flag`."""
    from ns3coflow import metadata
    from ns3coflow.files import ExperimentFile, load

    options: dict[str, Any] = {}
    found: ExperimentFile | None = None
    for argument, following in zip(arguments, [*arguments, "--"][1:], strict=True):
        if not argument.startswith("--"):
            if found is not None:
                raise InputError(
                    f"argument '{argument}'; allowed: one experiment file, --NAME=VALUE"
                )
            found = load(Path(argument))
            continue
        name, equals, value = argument[2:].partition("=")
        flag = name in metadata.options() and metadata.options()[name].placeholder == ""
        bare = name.replace("::", ".").rpartition(".")[2]  # without its part or scheduler
        if not equals and bare[:1].lower() + bare[1:] in metadata.switches():
            equals, value = "=", "true"
        if flag == bool(equals):
            needs = "no value" if flag else "a value, as in --NAME=VALUE"
            if not flag and not following.startswith("--"):
                needs = f"{argument}={following}, with = in place of the space"
            raise InputError(f"option --{name} is '{argument}'; allowed: {needs}")
        if name in options and name != "transform":
            raise InputError(f"option --{name} is given twice; allowed: once (see --transform)")
        if name == "transform" and name in options:
            value = f"{options[name]},{value}"
        options[name] = True if flag else value
    return found or ExperimentFile(), options


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    __version__, prog_name="ns3-coflow", message=f"%(prog)s %(version)s (ns-3 {NS3_VERSION})"
)
def cli() -> None:
    """Coflow schedulers at packet level (ns-3) and flow level."""


@cli.command(cls=ReplayCommand, short_help="Run one experiment and print its table.")
@_replay_arguments
def run(arguments: tuple[str, ...]) -> int:
    """Run one experiment: [FILE.yaml|FILE.toml] [--NAME=VALUE]...

    Options on the command line override those of the file.
    """
    from ns3coflow import Experiment
    from ns3coflow.applying import is_of_one_scheduler

    file, options = read_arguments(arguments)
    if "list" in options:
        return _print_schedulers()
    if "describe" in options:
        described = Experiment(**file.experiment).with_options(**options)
        click.echo(_core.describe_run(described.arguments()), nl=False)
        return 0
    if "version" in options:
        click.echo(f"ns3-coflow {__version__} (ns-3 {NS3_VERSION})")
        return 0
    if "compare" in options:
        raise InputError("option --compare is of the command compare; allowed: ns3-coflow compare")
    out = _read_out(options) or file.out
    flows = options.pop("flows", False)
    force = options.pop("force", False)
    if sys.stderr.isatty():
        options.setdefault("progress", True)
    experiment = Experiment(**file.experiment).with_options(**options)
    # A file may also say something about schedulers that this run is not about.
    others = [
        name
        for name in file.experiment
        if is_of_one_scheduler(name) and name.partition(".")[0] != experiment.scheduler
    ]
    experiment = experiment.with_options(**dict.fromkeys(others))
    job = experiment.job({} if out is None else {"out": out, "flows": flows, "force": force})
    from ns3coflow.process import run_isolated

    outcome = run_isolated(job)
    click.echo(outcome["text"], nl=False)
    if outcome["unfinished"]:
        click.echo(outcome["unfinished"], err=True)
        return UNFINISHED
    return 0


@cli.command(cls=ReplayCommand, short_help="Run several schedulers and print them side by side.")
@_replay_arguments
def compare(arguments: tuple[str, ...]) -> int:
    """Run several schedulers on the same workload: [FILE] --compare=A,B,...|all [--NAME=VALUE]...

    An option applies to the schedulers that have it. --varys.T=8ms sets the option T of Varys
    alone. Ratios compare each scheduler with the first one. With --out, each scheduler has its own
    folder.
    """
    from ns3coflow import Experiment, metadata
    from ns3coflow.comparison import compare as run_all
    from ns3coflow.comparison import compare_into

    file, options = read_arguments(arguments)
    given = options.pop("compare", None)
    if given is None and "scheduler" in options and not file.compare:
        names = options["scheduler"]
        raise InputError(
            f"option --scheduler is of the command run; allowed: --compare={names}, or "
            f"ns3-coflow run --scheduler={names.partition(',')[0]}"
        )
    named = file.compared() if given is None else _read_names(given)
    out = _read_out(options) or file.out
    flows = options.pop("flows", False)
    force = options.pop("force", False)
    jobs = _read_jobs(options.pop("jobs", None))
    progress = options.pop("progress", None)
    base = Experiment(**{**file.experiment, **options})
    if list(named) == ["all"]:
        known = metadata.schedulers().items()
        every = (name for name, info in known if base.engine in info.engines)
        named = {name: {} for name in sorted(every, key=_fair_first)}
    if not named:
        raise InputError(
            "option --compare names no scheduler; allowed: one or more, as in "
            "--compare=fair,varys, or --compare=all"
        )
    if out is None:
        comparison = run_all(base, named, jobs=jobs, progress=progress)
    else:
        comparison = compare_into(
            out, base, named, flows=flows, force=force, jobs=jobs, progress=progress
        )
    click.echo(comparison)
    return UNFINISHED if comparison.table["unfinished"].any() else 0


def _read_names(text: str) -> dict[str, dict[str, Any]]:
    names = text.split(",")
    if "" in names or len(set(names)) != len(names):
        raise InputError(
            f"option --compare is '{text}'; allowed: one or more schedulers, each once, as in "
            "fair,varys, or all"
        )
    return {name: {} for name in names}


def _read_jobs(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise InputError(f"option --jobs is '{text}'; allowed: a whole number, at least 1")
    return int(text)


def _read_out(options: dict[str, Any]) -> str | None:
    """Takes the folder of results out of options."""
    out: str | None = options.pop("out", None)
    if out == "":
        raise InputError("option --out is ''; allowed: the name of a folder")
    return out


def _fair_first(name: str) -> tuple[bool, str]:
    return name != "fair", name


@cli.command(short_help="Compare five schedulers on the sample trace, in seconds.")
@click.option("--out", help="Folder for the results of each scheduler, and a report.")
@click.option("--force", is_flag=True, help="Replace an earlier comparison in the folder of --out.")
def demo(out: str | None, force: bool) -> int:
    """Compare five schedulers on the sample trace, in the packet and the fluid engine."""
    from ns3coflow.demo import NOTE, TITLE, format_demo, run_demo

    click.echo(TITLE)
    table = run_demo(out, force=force)
    click.echo(format_demo(table))
    click.echo(NOTE)
    for line in table.attrs["diagnosis"]:
        click.echo(line)
    if out is not None:
        from ns3coflow.report import write_report

        click.echo(f"report: {write_report(Path(out))}")
    return 0


@cli.command(short_help="Run a grid of experiments, or resume it.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", help="Folder of the results; default: the folder that FILE names.")
@click.option("--jobs", type=click.IntRange(1), help="Processes at a time; default: all cores.")
@click.option("--repeats", type=click.IntRange(1), help="Runs per point, with RngRun = 1, 2, ...")
@click.option("--client", metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786.")
@click.option("--timeout", type=float, metavar="SECONDS", help="Time limit of a run.")
@click.option("--retry-failed", is_flag=True, help="Run failed runs again.")
@click.option("--metric", default="cct_s.all.mean", show_default=True, help="Metric of the table.")
def sweep(
    file: Path,
    out: str | None,
    jobs: int | None,
    repeats: int | None,
    client: str | None,
    timeout: float | None,
    retry_failed: bool,
    metric: str,
) -> int:
    """Run the grid of FILE (YAML or TOML). Runs with results in the folder are not repeated."""
    from ns3coflow.campaign import sweep as run_all
    from ns3coflow.diagnosis import in_lines
    from ns3coflow.files import load

    plan = load(file)
    folder = out or plan.out
    if folder is None:
        raise InputError(f"{file}: no section 'out'; allowed: out, or --out=DIR")
    try:
        result = run_all(
            plan.grid,
            repeats or plan.repeats,
            out=folder,
            base=plan.base(),
            jobs=jobs,
            client=client,
            timeout=timeout,
            retry_failed=retry_failed,
        )
    except KeyboardInterrupt:
        click.echo(f"interrupted; the same command goes on with what {folder} lacks", err=True)
        return INTERRUPTED
    if len(result.done):
        click.echo(result.table(metric).to_string(index=False, float_format=lambda x: f"{x:.4g}"))
        click.echo("\n".join(in_lines(result.diagnosis)))
    for row in result.failed.to_dict("records"):
        click.echo(f"failed: {row['error']}\n  {row['reproduce']}", err=True)
    unfinished = int(result.done["unfinished"].sum()) if len(result.done) else 0
    if unfinished:
        click.echo(f"{unfinished} coflows unfinished, over all runs", err=True)
    return UNFINISHED if unfinished or len(result.failed) else 0


@cli.command(short_help="Write an HTML report and figures of results.")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder; default: FOLDER/report.")
@click.option("--baseline", help="Baseline of improvement factors; default: the first series.")
@click.option("--over", help="Axis with repetitions as values; default: RngRun.")
@click.option(
    "--formats", default="png,svg,pdf", show_default=True, help="Formats of the figures' files."
)
def report(
    folders: tuple[Path, ...],
    out: Path | None,
    baseline: str | None,
    over: str | None,
    formats: str,
) -> int:
    """Write report.html about FOLDERS: of a sweep, of `compare --out`, or of one run.

    The report shows several folders side by side. Several folders need --out.
    """
    from ns3coflow.report import write_report

    wanted = [each for each in formats.split(",") if each]
    results = folders[0] if len(folders) == 1 else list(folders)
    click.echo(write_report(results, out, baseline=baseline, over=over, formats=wanted))
    return 0


@cli.command(short_help="Draw one figure of a report, in the width of a column.")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), help="File; default: NAME.pdf.")
@click.option("--width", default="column", show_default=True, help="column, page, or inches.")
@click.option("--baseline", help="Baseline of improvement factors; default: the first series.")
@click.option("--bin", help="Draw one bin alone: all, SN, LN, SW or LW.")
@click.option("--metric", default="mean", show_default=True, help="mean, median or p95 of CCT.")
@click.option("--over", help="Axis with repetitions as values; default: RngRun.")
def figure(
    folders: tuple[Path, ...],
    name: str,
    out: Path | None,
    width: str,
    baseline: str | None,
    **selected: str | None,
) -> int:
    """Draw the figure NAME, such as mean-cct, of FOLDERS, and write its numbers as CSV.

    The suffix of --out is .pdf, .svg or .png. A wrong NAME prints the names of all figures.
    """
    from ns3coflow.drawing import figure as draw

    results = folders[0] if len(folders) == 1 else list(folders)
    path = Path(f"{name}.pdf") if out is None else out
    inches: str | float = width
    with contextlib.suppress(ValueError):
        inches = float(width)
    chosen: dict[str, Any] = selected
    draw(results, name, path, width=inches, baseline=baseline, **chosen)
    click.echo(f"{path}, and its numbers in {path.with_suffix('.csv')}")
    return 0


@cli.group(short_help="Describe, make and change workloads.")
def trace() -> None:
    """Describe, make and change workloads.

    All commands except `sample` call the program coflow-trace. `ns3-coflow trace info --help`
    prints its help text.
    """


@trace.command("sample")
@click.option("--out", type=click.Path(), help="Flow CSV file; default: standard output.")
def trace_sample(out: str | None) -> int:
    """Write the sample trace: 60 coflows on 16 hosts."""
    from ns3coflow import Trace

    text = Trace.sample_path().read_text(encoding="utf-8")
    if out in (None, "-"):
        click.echo(text, nl=False)
    else:
        _core.write_file(str(out), text.encode())
    return 0


def _pass_on(name: str, told: str) -> None:
    """Makes a subcommand of coflow-trace one of `trace`."""

    @trace.command(
        name,
        context_settings={"ignore_unknown_options": True},
        add_help_option=False,
        help=told,
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def passed_on(arguments: tuple[str, ...]) -> None:
        sys.stdout.flush()
        become("coflow-trace", [name, *arguments])


_pass_on("info", "Describe a trace: FILE [--linkRate=RATE] ...")
_pass_on("generate", "Make a workload: NAME [KEY=VALUE]... --out=FILE, or --list.")
_pass_on("convert", "Write a trace as flow CSV: FILE --transform=NAME=VALUE,... --out=FILE.")


def _print_schedulers() -> int:
    from ns3coflow import metadata

    for info in metadata.schedulers().values():
        click.echo(f"{info.name:<15} {','.join(info.engines):<13} {info.description}")
    return 0


@cli.command(short_help="List all schedulers, or the attributes of one scheduler.")
@click.argument("name", required=False)
def schedulers(name: str | None) -> int:
    """List all schedulers, or the attributes of the scheduler NAME."""
    from ns3coflow import metadata

    if name is None:
        return _print_schedulers()
    known = metadata.schedulers()
    if name not in known:
        raise InputError(f"scheduler is '{name}'; allowed: {', '.join(known)}")
    info = known[name]
    click.echo(f"{info.name} ({', '.join(info.engines)}): {info.description}")
    for attribute in info.attributes:
        click.echo(f"    {attribute.describe()}")
    return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command and exits with its status."""
    try:
        status = cli.main(arguments, prog_name="ns3-coflow", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _close_output()
        status = BROKEN_PIPE
    except OSError as error:
        _close_output()
        what = "the standard output" if error.filename is None else f"'{error.filename}'"
        status = _complain(
            f"{what}: {error.strerror or error}; allowed: files that this user may read and "
            "write, on a disk with room"
        )
    except (InputError, TypeError) as error:
        status = _complain(str(error))
    except (click.Abort, KeyboardInterrupt):  # click makes the first of the second
        click.echo("ns3-coflow: interrupted; the result is not complete", err=True)
        status = INTERRUPTED
    except click.ClickException as error:
        status = _complain(error.format_message())
    sys.exit(status if isinstance(status, int) else 0)


def _close_output() -> None:
    """Nothing more is to be written, as it cannot be."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    click.echo(f"ns3-coflow: {' '.join(message.split())}", err=True)
    return BAD_USAGE


if __name__ == "__main__":
    main()
