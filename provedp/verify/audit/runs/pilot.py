"""A few runs before an audit: how long it will take, and whether the target can be started anew."""

import contextlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from provedp.verify.audit.runs.chunks import PILOT
from provedp.verify.audit.runs.independence import Diagnostic, outcome_names, repeats
from provedp.verify.audit.runs.outputs import require_outputs
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target, TargetError

ENOUGH_SECONDS = 0.02  # for a measurement
PROBED, SLOW_PROBED = 20, 2  # runs on each data set, if the first one fails or takes too long
MOST_RUNS = 32
SHARE = 20  # one run in so many, at most, is spent here
STARTS = ((0.5, 120), (5.0, 12))  # seconds, and how many fresh processes are started if one takes
FEWEST_PROCESSES = 4  # less than that, and if it takes longer
DIGITS = 2  # of a suggested number of runs


@dataclass(frozen=True)
class Pilot:
    """What a few runs told.

    Attributes
    ----------
    start
        Seconds that a fresh process takes, its first request included.
    request, run
        Seconds that a request takes beyond its runs, and a run.
    stays
        Why the target cannot be started anew; '' if it can.
    repeats
        Whether the same seed gave the same outputs, as a diagnostic; None if it was not tried.
    """

    start: float = 0.0
    request: float = 0.0
    run: float = 0.0
    stays: str = ""
    repeats: Diagnostic | None = None

    @property
    def processes(self) -> int:
        """How many fresh processes may be started for one purpose: in about a minute.

        There are three such numbers, far apart, so that the load of a machine rarely decides.

        >>> Pilot(start=0.1).processes, Pilot(start=1.0).processes, Pilot(start=20.0).processes
        (120, 12, 4)
        """
        return next(
            (number for seconds, number in STARTS if self.start < seconds), FEWEST_PROCESSES
        )

    def seconds(self, runs: int, requests: int, processes: int) -> float:
        """Return about how long an audit takes, without learning and statistics."""
        return runs * self.run + requests * self.request + processes * self.start

    def runs_within(self, seconds: float, requests: int, processes: int) -> int:
        """Return about how many runs, rounded down, take no longer than that."""
        left = seconds - self.seconds(0, requests, processes)
        most = left / max(self.run, 1e-9)
        if most < 1:
            return 0
        unit: int = 10 ** max(0, int(math.log10(most)) - DIGITS + 1)
        return int(most) // unit * unit


def pilot_of(target: Target, data: Any, datasets: Sequence[Any], runs: int, seed: int) -> Pilot:
    """Run a target a few times on a data set.

    Parameters
    ----------
    target
        What to run.
    data, datasets
        The data set, and all of the audit.
    runs
        Of the whole audit; at most one in 20 is spent here, but two.
    seed
        Of the audit.

    Raises
    ------
    TargetError
        If the target fails.
    """
    most = max(1, min(MOST_RUNS, runs // SHARE))
    words = [seed, PILOT, 0, 0]
    with Runner(target, datasets) as runner:
        start = time.perf_counter()
        begins = runner.run(data, [*words, 1], 1)
        first, single = time.perf_counter() - start, runner.seconds
        probed = PROBED if first < target.timeout else SLOW_PROBED
        require_outputs(target, datasets[:2], [begins], probed)
        one, count, seconds, place = begins, 1, single, 1
        begun = time.perf_counter()
        while count < most and seconds < ENOUGH_SECONDS:
            count = min(2 * count, most)
            begun = time.perf_counter()
            place, one = 2, runner.run(data, [*words, 2], count)
            seconds = runner.seconds
        beyond = max(0.0, time.perf_counter() - begun - seconds) if count > 1 else 0.0
        again = runner.run(data, [*words, place], count) if most > 1 else None
        found = None if again is None else repeats(outcome_names(one) == outcome_names(again))
        run = seconds / count
        measured = Pilot(first, beyond, run, "", found)
        return replace(measured, **_restart(runner, data, words))


def _restart(runner: Runner, data: Any, words: Sequence[int]) -> dict[str, Any]:
    """Return how long another process takes to answer, or why there is none."""
    runner.process = "pilot"
    start = time.perf_counter()
    try:
        runner.run(data, [*words, 3], 1)
    except TargetError as error:
        if runner.target.isolated:
            raise
        with contextlib.suppress(TargetError):
            runner.close()
        return {"stays": str(error).strip().rpartition("\n")[2]}
    return {"start": time.perf_counter() - start}
