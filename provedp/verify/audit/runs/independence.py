"""Whether the runs of a target can be counted as independent: what an audit has to assume.

Reused noise, a fixed seed and state that leaks from one run to the next make counts meaningless,
and are faults of their own. Each check states its false-alarm rate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provedp.theory.arrays import Floats
from provedp.theory.domain import check_argument, integers
from provedp.verify.audit.events.scores.score import outcomes
from provedp.verify.audit.events.scores.views import viewed
from provedp.verify.audit.statistics.exact_test import CONFIDENCE
from provedp.verify.audit.targets.factories import target
from provedp.verify.audit.targets.failures import failing
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.shown import shown

LAGS = (1, 2, 3)
LOOKED_AT = 4  # numbers of an output
BIG = 1e300
FEATURES = (("length", "output", ""), ("number", "output", "0"))  # of a text


@dataclass(frozen=True)
class Diagnostic:
    """The outcome of one check: its p-value (None: decided without statistics), and in words."""

    name: str
    passed: bool
    p_value: float | None
    words: str


def check_runs(
    what: Any, data: Any, *, runs: int = 2000, false_alarm: float = 1e-6, seed: int = 0
) -> list[Diagnostic]:
    """Check that runs of a target vary, do not depend on one another, and follow their seed.

    Parameters
    ----------
    what
        The target: see `target`.
    data
        A data set.
    runs
        Runs, at least 100; three times as many more follow, with the same seed and with others.
    false_alarm
        The probability with which a good target fails any of the statistical checks.
    seed
        Of the runs.

    Returns
    -------
    Diagnostics: 'varies' (some outputs differ), 'ends' (which errors, exit statuses and limits of
    time there were, if any; it is reported, and neither passes nor fails an audit), 'restarts'
    (another child with another seed gives other outputs), 'independent' (runs 1 to 3 apart are
    neither large together nor equal more often than by chance), 'stationary' (first and second half
    alike), 'repeats' (the same seed gives the same outputs; it is reported, and neither passes nor
    fails an audit).

    >>> diagnostics = check_runs(lambda data, rng, count: data + rng.laplace(size=count), 0.0)
    >>> [each.name for each in diagnostics if not each.passed]
    []
    """
    check_argument("check_runs", "runs", integers(100), runs)
    check_argument("check_runs", "false_alarm", CONFIDENCE, false_alarm)
    checked = target(what)
    with Runner(checked, [data]) as runner:
        first = runner.run(data, [seed, 0], runs)
        again = runner.run(data, [seed, 0], runs)
        other = runner.run(data, [seed, 1], runs)
    with Runner(checked, [data]) as runner:
        fresh = runner.run(data, [seed, 2], runs)
    names = [outcome_names(batch) for batch in (first, again, other, fresh)]
    varies = len(set(names[0])) > 1
    diagnostics = [
        Diagnostic("varies", varies, None, "they differ" if varies else "every run is the same")
    ]
    if (failed := failing(first)).any():
        words = f"{np.count_nonzero(failed)} of {runs} have no output: {_first_failure(first)}"
        diagnostics.append(Diagnostic("ends", True, None, words))
    if varies:
        diagnostics.append(_restarts(names, outcomes(first)[1], false_alarm))
        diagnostics += within_requests(first, first, false_alarm)
    return [*diagnostics, repeats(names[0] == names[1])]


def within_requests(batch: Batch, halves: Batch, false_alarm: float) -> list[Diagnostic]:
    """Test runs one after the other: whether they depend on those before, and whether they drift.

    Parameters
    ----------
    batch
        Consecutive runs.
    halves
        Runs of which the first half were earlier.
    false_alarm
        Of both tests together.
    """
    return [_independent(batch, false_alarm / 2), _stationary(halves, false_alarm / 2)]


def repeats(same: bool) -> Diagnostic:
    """Return that the same seed gave the same outputs, or others."""
    words = (
        "the same with the same seed"
        if same
        else "others with the same seed, so that they cannot be repeated exactly"
    )
    return Diagnostic("repeats", True, None, words)


def outcome_names(batch: Batch) -> list[str]:
    """Return each output as text."""
    names, indices = outcomes(batch)
    return [names[index] for index in indices]


def _restarts(
    names: Sequence[list[str]], indices: NDArray[np.intp], false_alarm: float
) -> Diagnostic:
    """Compare sequences under different seeds: equal ones are a fixed seed, unless by chance."""
    shares = np.bincount(indices) / len(indices)
    by_chance = 3 * float(np.sum(shares**2)) ** len(indices)
    same = names[0] in (names[2], names[3]) or names[2] == names[3]
    same = same and by_chance < false_alarm
    words = "the same outputs come back under another seed" if same else "new with another seed"
    return Diagnostic("restarts", not same, None, words)


def _first_failure(batch: Batch) -> str:
    token = batch.tokens[batch.codes[np.flatnonzero(failing(batch))[0]]]
    return shown(token, [])


def _scalars(batch: Batch) -> list[Floats]:
    """Return ranks of what is looked at of each run: of its numbers, and of its text.

    They depend on what the outputs are, never on which of them came first, so that they are ranks
    of independent values if the runs are independent.
    """
    width = batch.numbers.shape[1]
    columns = [batch.numbers[:, index] for index in range(min(width, LOOKED_AT))]
    usable: list[Floats] = [
        x for x in columns if not np.isnan(x).any() and np.ptp(np.clip(x, -BIG, BIG)) > 0
    ]
    if len(batch.tokens) > 1 or not usable:
        names, indices = outcomes(batch)
        places = np.argsort(np.argsort(np.array(names, dtype=object)))
        usable.append(places[indices].astype(np.float64))
        values = viewed(batch, FEATURES).numbers.T
        usable += [np.nan_to_num(x, nan=-BIG) for x in values if len(np.unique(x)) > 1]
    return [np.asarray(stats.rankdata(x)) for x in usable]


def _independent(batch: Batch, false_alarm: float) -> Diagnostic:
    """Test runs some steps apart: whether both are large, or equal, more often than by chance."""
    equal = np.asarray(outcomes(batch)[1])
    apart = [(lag, start) for lag in LAGS for start in (0, lag)]
    values = [_pairs_p_value(x, *steps) for x in _scalars(batch) for steps in apart]
    values += [_tie_p_value(equal, *steps) for steps in apart]
    p = min(1.0, len(values) * min(values))
    words = "no sign of dependence" if p > false_alarm else "runs depend on the runs before them"
    return Diagnostic("independent", p > false_alarm, p, words)


def _disjoint_pairs(x: NDArray[Any], lag: int, start: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return runs `lag` apart, each run in one pair only, from the run `start` on."""
    indices = np.arange(start, len(x) - lag)
    indices = indices[((indices - start) // lag) % 2 == 0]
    return x[indices], x[indices + lag]


def _pairs_p_value(ranks: Floats, lag: int, start: int) -> float:
    """Return the p-value of Fisher's exact test on the sides of the median of two runs."""
    middle = float(np.median(ranks))
    large = ranks > middle if np.any(ranks > middle) else ranks >= middle
    first, second = _disjoint_pairs(large, lag, start)
    table = [[np.sum((first == a) & (second == b)) for b in (False, True)] for a in (False, True)]
    return float(stats.fisher_exact(table).pvalue)


def _tie_p_value(indices: NDArray[Any], lag: int, start: int) -> float:
    """Test whether two runs are equal more often than any two outputs are."""
    shares = np.bincount(indices) / len(indices)
    expected = float(np.sum(shares**2)) - 1 / len(indices)
    first, second = _disjoint_pairs(indices, lag, start)
    equal = int(np.count_nonzero(first == second))
    chance = max(expected + 6 * np.sqrt(max(expected, 1 / len(indices)) / len(indices)), 1e-9)
    return float(stats.binom.sf(equal - 1, len(first), min(1.0, chance))) if equal else 1.0


def _stationary(batch: Batch, false_alarm: float) -> Diagnostic:
    """Compare the first half with the second."""
    half = len(batch) // 2
    values = []
    for ranks in _scalars(batch):
        values.append(float(stats.mannwhitneyu(ranks[:half], ranks[half:]).pvalue))
        spread = np.abs(ranks - np.median(ranks))
        values.append(float(stats.mannwhitneyu(spread[:half], spread[half:]).pvalue))
    p = min(1.0, len(values) * min(values))
    words = "alike throughout" if p > false_alarm else "later runs differ from first"
    return Diagnostic("stationary", p > false_alarm, p, words)
