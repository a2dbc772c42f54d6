"""`provedp replay`: count the event of a counterexample again."""

import json
from pathlib import Path

import click

from provedp.cli.audit.request import MEGABYTE
from provedp.verify.audit.results.counterexamples import (
    Counterexample,
    Replay,
    counterexample_from,
    target_of,
)
from provedp.verify.audit.results.counterexamples import replay as run_replay
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.targets.target import TargetError

FAILED = 3


@click.command()
@click.argument("file")
@click.option("--fresh-seed", type=click.IntRange(min=0), help="Of the fresh runs; else drawn.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=600.0)
@click.option("--memory", type=click.IntRange(min=1), default=8192, help="Megabytes.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def replay(file: str, fresh_seed: int | None, timeout: float, memory: int, as_json: bool) -> int:
    """Repeat the counterexample in FILE, which `provedp audit --out` wrote.

    The target is found from the current directory. The event is counted in the recorded runs, from
    their seed, and in as many fresh ones.

    Exit status: 1 refuted again, by both; 0 not refuted by one of them; 2 a wrong request; 3 the
    target failed.
    """
    example = read_counterexample(Path(file))
    try:
        target = target_of(example, timeout=timeout, memory=memory * MEGABYTE)
        replayed = run_replay(example, target, fresh_seed=fresh_seed)
    except TargetError as error:
        click.echo(f"provedp: {example.name} failed.\n{error}", err=True)
        return FAILED
    refuted = replayed.refuted_again and replayed.refuted_fresh
    if as_json:
        click.echo(json.dumps({"refuted": refuted, **replayed.record()}, ensure_ascii=False))
    else:
        click.echo(_in_words(example, replayed))
    return 1 if refuted else 0


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
