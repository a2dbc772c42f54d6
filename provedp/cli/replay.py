"""`provedp replay`: count the event of a counterexample again."""

import json
import shlex
from dataclasses import replace as changed
from pathlib import Path

import click

from provedp.cli.audit.request import target_of
from provedp.verify.audit.results.counterexamples import (
    Counterexample,
    Replay,
    counterexample_from,
)
from provedp.verify.audit.results.counterexamples import replay as run_replay
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.targets.target import TargetError

FAILED = 3
SHOWN = 200  # characters of a target's name


@click.command()
@click.argument("file")
@click.option("--target", metavar="NAME", help="Run package.module:name, not what FILE names.")
@click.option("--command", metavar="LINE", help="Run this program, not what FILE names.")
@click.option("--trust", is_flag=True, help="Run what FILE names, whatever it is.")
@click.option("--fresh-seed", type=click.IntRange(min=0), help="Of the fresh runs; else drawn.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds per chunk; by default those of the audit.",
)
@click.option("--memory", type=click.IntRange(min=1), default=8192, help="Megabytes.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def replay(
    file: str,
    target: str | None,
    command: str | None,
    trust: bool,
    fresh_seed: int | None,
    timeout: float | None,
    memory: int,
    as_json: bool,
) -> int:
    """Repeat the counterexample in FILE, which `provedp audit --out` wrote.

    FILE names a function, found from the current directory, or a command line, and whoever wrote it
    chose that: it is run only with --trust. Else what --target or --command names is run. The event
    is counted in the recorded runs, from their seed, and in as many fresh ones.

    Exit status: 1 refuted again, by both; 0 not refuted by one of them; 2 a wrong request; 3 the
    target failed.
    """
    example = read_counterexample(Path(file))
    if trust and (target is not None or command is not None):
        raise ValueError("Give --trust, or name what to run: not both.")
    if trust:
        click.echo(f"provedp: running what {file} names: {example.name!r}", err=True)
        target, command = _named_in(example)
    elif target is None and command is None:
        raise ValueError(
            f"{file} would run {example.name[:SHOWN]!r}, and nothing was run: name it with "
            f"{'--target' if example.kind == 'reference' else '--command'}, or give --trust."
        )
    once = command is not None and example.kind == "once"
    chosen = changed(
        target_of(target, command, once, timeout or example.timeout, memory), timed=example.timed
    )
    example = changed(example, name=chosen.name)
    try:
        replayed = run_replay(example, chosen, fresh_seed=fresh_seed)
    except TargetError as error:
        click.echo(f"provedp: {example.name} failed.\n{error}", err=True)
        return FAILED
    refuted = replayed.refuted_again and replayed.refuted_fresh
    if as_json:
        click.echo(json.dumps({"refuted": refuted, **replayed.record()}, ensure_ascii=False))
    else:
        click.echo(_in_words(example, replayed))
    return 1 if refuted else 0


def _named_in(example: Counterexample) -> tuple[str | None, str | None]:
    """Return the target and the command that a counterexample names, one of which is None."""
    return (example.name, None) if example.kind == "reference" else (None, example.name)


def repeating(file: str, kind: str, name: str) -> str:
    """Return the command that repeats a counterexample on the target that is named."""
    if kind == "reference":
        return shlex.join(["provedp", "replay", file, "--target", name])
    return shlex.join(["provedp", "replay", file, "--command", name])


def read_counterexample(path: Path) -> Counterexample:
    """Return the counterexample in a file.

    Raises
    ------
    ValueError
        If it cannot be read, or is none.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path} cannot be read: it is no JSON.") from None
    return counterexample_from(record)


def _in_words(example: Counterexample, replayed: Replay) -> str:
    again = _row(replayed.again, replayed.epsilon_again, replayed.refuted_again)
    fresh = _row(replayed.fresh, replayed.epsilon_fresh, replayed.refuted_fresh)
    lines = [f"{example.name}: {example.event.words}"]
    if replayed.recorded is not None:
        lines += [f"  as recorded: {_row(replayed.recorded, replayed.epsilon_recorded, True)}"]
        again += (
            " (the same counts)" if replayed.same else " (other counts: it draws its own noise)"
        )
    lines += [f"  seed again:  {again}", f"  fresh runs:  {fresh}"]
    return "\n".join([*lines, f"  seed of the fresh runs: {replayed.fresh_seed}"])


def _row(counts: Counts, bound: float, refuted: bool) -> str:
    verdict = "REFUTED" if refuted else "not refuted"
    share = f"{counts.x} of {counts.n} against {counts.y} of {counts.m}"
    return f"{share}, bound {bound:.4g}, {verdict}"
