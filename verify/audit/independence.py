"""Whether the runs of a target can be counted as independent: what an audit has to assume.

Reused noise, a fixed seed and state that leaks from one run to the next make counts meaningless,
and are faults of their own. Each check states its false-alarm rate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from provedp.theory.domain import check_argument, integers
from provedp.verify.audit.bounds import CONFIDENCE
from provedp.verify.audit.outputs import Batch, Floats
from provedp.verify.audit.scores import outcomes
from provedp.verify.audit.targets import Runner, target

LAGS = (1, 2, 3)


@dataclass(frozen=True)
class Finding:
    """The outcome of one check: its p-value (None: decided without statistics), and in words."""

    name: str
    passed: bool
    p_value: float | None
    words: str


def check_runs(
    what: Any, data: Any, *, runs: int = 2000, false_alarm: float = 1e-6, seed: int = 0
) -> list[Finding]:
    """Check that runs of a target vary, do not depend on one another, and follow their seed.

    Parameters
    ----------
    what
        The target: see `targets.target`.
    data
        A data set.
    runs
        Runs, at least 100; a few hundred more are made with other seeds.
    false_alarm
        The probability with which a good target fails any of the statistical checks.
    seed
        Of the runs.

    Returns
    -------
    Findings: 'varies' (some outputs differ), 'restarts' (another child with another seed gives
    other outputs), 'independent' (no correlation at lags 1 to 3, in value or in being equal),
    'stationary' (first and second half alike), 'repeats' (the same seed gives the same outputs; it
    is reported, and neither passes nor fails an audit).

    >>> found = check_runs(lambda data, rng, count: data + rng.laplace(size=count), 0.0)
    >>> [each.name for each in found if not each.passed]
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
    findings = [
        Finding("varies", varies, None, "outputs differ" if varies else "every run is the same")
    ]
    if varies:
        findings.append(_restarts(names, outcomes(first)[1], false_alarm))
        findings += [
            _independent(first, false_alarm / 2),
            _stationary(first, false_alarm / 2),
        ]
    repeats = names[0] == names[1]
    findings.append(Finding("repeats", True, None, _repeats_in_words(repeats)))
    return findings


def _repeats_in_words(repeats: bool) -> str:
    if repeats:
        return "the same seed gives the same outputs"
    return "the same seed gives other outputs: runs cannot be repeated exactly"


def outcome_names(batch: Batch) -> list[str]:
    """Return each output as text."""
    names, places = outcomes(batch)
    return [names[place] for place in places]


def _restarts(names: Sequence[list[str]], places: NDArray[np.intp], false_alarm: float) -> Finding:
    """Compare sequences under different seeds: equal ones are a fixed seed, unless by chance."""
    shares = np.bincount(places) / len(places)
    by_chance = 3 * float(np.sum(shares**2)) ** len(places)
    same = names[0] in (names[2], names[3]) or names[2] == names[3]
    same = same and by_chance < false_alarm
    words = "the same outputs come back under another seed" if same else "seeds change the outputs"
    return Finding("restarts", not same, None, words)


def _scalars(batch: Batch) -> list[Floats]:
    """Return what is looked at of each run: ranks of its numbers, or of its outcome."""
    width = batch.numbers.shape[1]
    columns = [batch.numbers[:, index] for index in range(min(width, 4))]
    usable = [x for x in columns if not np.isnan(x).any() and np.ptp(x) > 0]
    if len(batch.tokens) > 1 or not usable:
        usable.append(np.asarray(outcomes(batch)[1], dtype=np.float64))
    return [np.asarray(stats.rankdata(x)) for x in usable]


def _independent(batch: Batch, false_alarm: float) -> Finding:
    """Test rank correlations at a few lags, and the number of equal neighbours."""
    ranks = _scalars(batch)
    values = [_lag_p_value(x, lag) for x in ranks for lag in LAGS]
    values.append(_tie_p_value(np.asarray(outcomes(batch)[1])))
    p = min(1.0, len(values) * min(values))
    words = "no sign of dependence" if p > false_alarm else "runs depend on the runs before them"
    return Finding("independent", p > false_alarm, p, words)


def _lag_p_value(ranks: Floats, lag: int) -> float:
    correlation = float(np.corrcoef(ranks[:-lag], ranks[lag:])[0, 1])
    return float(2 * special.ndtr(-abs(correlation) * np.sqrt(len(ranks) - lag)))


def _tie_p_value(places: NDArray[Any]) -> float:
    """Test whether consecutive outputs are equal more often than any two outputs are."""
    shares = np.bincount(places) / len(places)
    expected = float(np.sum(shares**2)) - 1 / len(places)
    pairs = len(places) // 2
    equal = int(np.count_nonzero(places[1 : 2 * pairs : 2] == places[: 2 * pairs : 2]))
    chance = max(expected + 6 * np.sqrt(max(expected, 1 / len(places)) / len(places)), 1e-9)
    return float(stats.binom.sf(equal - 1, pairs, min(1.0, chance))) if equal else 1.0


def _stationary(batch: Batch, false_alarm: float) -> Finding:
    """Compare the first half with the second."""
    half = len(batch) // 2
    values = []
    for ranks in _scalars(batch):
        values.append(float(stats.mannwhitneyu(ranks[:half], ranks[half:]).pvalue))
        spread = np.abs(ranks - np.median(ranks))
        values.append(float(stats.mannwhitneyu(spread[:half], spread[half:]).pvalue))
    p = min(1.0, len(values) * min(values))
    words = "first and later runs are alike" if p > false_alarm else "later runs differ from first"
    return Finding("stationary", p > false_alarm, p, words)
