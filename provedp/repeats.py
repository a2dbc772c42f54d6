"""What was found before, again: the command line's `replay` and `reproduce`, from Python."""

import os
from pathlib import Path
from typing import Any

from provedp.verify.audit.results import counterexamples
from provedp.verify.audit.results.counterexamples import Replay
from provedp.verify.audit.targets.factories import target as read_target

__all__ = ["Replay", "replay", "reproduce"]


def replay(
    counterexample: str | os.PathLike[str] | dict[str, Any],
    target: Any,
    *,
    fresh_seed: int | None = None,
) -> Replay:
    """Count the event of a counterexample again: from its seed, and in fresh runs.

    Parameters
    ----------
    counterexample
        The path of a file that `provedp audit --out` wrote, or what it holds.
    target
        What to run: a function, an object with `release`, or 'package.module:name'. What the file
        names is never run by itself.
    fresh_seed
        Of the fresh runs; drawn if None.

    Raises
    ------
    ValueError
        If the file cannot be read, or holds no counterexample.
    TargetError
        If the target fails.
    """
    from provedp.cli.replay import read_counterexample

    if isinstance(counterexample, dict):
        example = counterexamples.counterexample_from(counterexample)
    else:
        example = read_counterexample(Path(counterexample))
    return counterexamples.replay(example, read_target(target), fresh_seed=fresh_seed)


def reproduce(name: str, seeds: int) -> list[dict[str, Any]]:
    """Run an experiment of a paper; return the rows of its table or figure.

    Parameters
    ----------
    name
        Such as 'mixture.figure9'; `provedp reproduce` lists them.
    seeds
        Runs; points of a curve where nothing is drawn at random. The papers took 200 (mixture) and
        20 (modes) runs.

    Raises
    ------
    ValueError
        If there is no such experiment, or fewer than one run.
    """
    from provedp.experiments.catalogue import EXPERIMENTS

    if name not in EXPERIMENTS:
        raise ValueError(f"No experiment is called {name!r}: there are {', '.join(EXPERIMENTS)}.")
    if seeds < 1:
        raise ValueError(f"'seeds' must be at least 1. Got {seeds} instead.")
    return list(EXPERIMENTS[name].run(seeds))
