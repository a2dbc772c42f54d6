"""A pytest plugin: assertions that a mechanism is private, with a stated rate of false alarms.

Ten lines of a test:

    from hypothesis import strategies as st
    from provedp.pytest_plugin import assert_private

    def noisy_count(people, rng):
        return len(people) + rng.laplace(scale=1.0)

    pairs = st.lists(st.integers(0, 9), max_size=5).map(lambda people: (people, people[1:]))

    def test_noisy_count():
        assert_private(noisy_count, pairs, epsilon=1.0)

It fails if the mechanism is refuted, and shows the pair, the event and the counts. A mechanism that
keeps its claim and whose runs are independent fails with probability at most `false_alarm`, over
the draw of the seed. What runs share is looked for, between calls and in fresh processes; if they
share anything (noise drawn at import, or once per call), there is no verdict, but an error that
says so. The seed is derived from the data, so that a test that failed fails again, whoever runs it,
and hypothesis can shrink and replay. An assertion that would hardly have seen twice the claim warns
(`WeakAssertionWarning`), or fails below `min_power`. The end of the test report adds the rates of
all assertions up and names the weakest.

It collects files of claims as well: `pytest --provedp-claims my_claims.py`; see `pytest_claims`.
"""

import contextlib
import math
import random
import sys
import warnings
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from provedp import pytest_claims

FALSE_ALARM = 1e-6
RUNS = 20_000
EXAMPLES = 20
SHRINKS = 60  # audits after the first refutation
FEW_PROCESSES = 4  # for one purpose, after the first pair
PROPERTY = "provedp_assertions"
CHECKS = 0.1  # part of a rate that is for false alarms of the checks of the runs
USUAL_POWER = 0.5  # below which an assertion warns
FACTOR = "2"  # times the claim: the violation that power is about

_spent: list[dict[str, float]] = []


class WeakAssertionWarning(UserWarning):
    """An assertion of privacy passed that would hardly have seen twice the claim."""


class PrivacyViolation(AssertionError):
    """A mechanism was refuted; `result` says how."""

    def __init__(self, message: str, result: Any):
        super().__init__(message)
        self.result = result


def assert_private(
    mechanism: Any,
    pair_or_strategy: Any,
    epsilon: float,
    delta: float = 0.0,
    *,
    false_alarm: float = FALSE_ALARM,
    runs: int = RUNS,
    channel: str = "value",
    adjacency: str = "any",
    min_power: float | None = None,
    examples: int = EXAMPLES,
    isolated: bool = False,
    errors: str = "outcome",
    checks: bool = True,
) -> None:
    """Fail if runs of a mechanism refute (ε, δ)-differential privacy.

    Parameters
    ----------
    mechanism
        A function of (data, rng), of (data, rng, count) that returns the outputs of `count` runs,
        or of the data alone; an object with `release`; or a text 'package.module:name'.
    pair_or_strategy
        Two adjacent data sets (first, second), a list of such pairs, or a hypothesis strategy of
        pairs. Within a test of hypothesis, give the pair that it drew; each call then has the rate
        of its own.
    epsilon, delta
        The claim.
    false_alarm
        The probability, at most, that the call fails although the claim is true and runs are
        independent; a tenth of it is for checks that find runs dependent which are not.
    runs
        Per pair and data set. More see smaller violations.
    channel
        'value', 'bits' (the lowest bits of floating-point outputs) or 'time' (seconds of a run).
    adjacency
        Which pairs the claim speaks of: 'replace-one', 'add-remove', 'label' and others, see
        `require_adjacent`. Pairs that are not adjacent are refused; equal data sets always are.
    min_power
        Fail if a violation of twice the claim, in the event that was counted, would have been found
        with a lower probability. By default there is a warning below 0.5.
    examples
        Pairs that are drawn from a strategy; the false-alarm rate is shared out among them.
    isolated
        Whether to run in a child process, so that a crash or a hang does not end the test run.
    errors
        'outcome': what the mechanism raises is an outcome like others, and may tell data sets
        apart; 'fail': it ends the assertion in an error.
    checks
        Whether runs are tested for what they share; some of them are then run in fresh processes,
        to which what this test set up (patches, fixtures) is not known.

    Raises
    ------
    PrivacyViolation
        If the claim is refuted; an `AssertionError`.
    AssertionError
        If the power is below `min_power`.
    ValueError
        If an argument is outside its range, a pair is not adjacent, or its data sets are equal.
    DependentRuns
        If runs share more than their law, so that there is no verdict; a `TargetError`.
    TargetError
        If the mechanism fails.

    >>> def noisy_count(count, rng):
    ...     return count + rng.laplace(scale=0.5)
    >>> assert_private(noisy_count, (0, 1), epsilon=2.0, runs=2000)
    """
    __tracebackhide__ = True
    from provedp.theory.domain import check_argument, integers, reals
    from provedp.verify.audit.runs.options import Options

    rates = reals(0, 1, open_low=True, open_high=True)
    check_argument("assert_private", "false_alarm", rates, false_alarm)
    check_argument("assert_private", "examples", integers(1), examples)
    if min_power is not None:
        check_argument("assert_private", "min_power", reals(0, 1), min_power)
    drawn = _is_strategy(pair_or_strategy)
    rate = false_alarm / examples if drawn else false_alarm
    options = Options(
        runs=runs,
        channel=channel,
        adjacency=adjacency,
        confidence=1 - (1 - CHECKS) * rate,
        check_error=CHECKS * rate,
        checks=checks,
        errors=errors,
    )
    assertion = _Assertion(mechanism, epsilon, delta, isolated, options, false_alarm)
    _spent.append({"rate": false_alarm})
    if drawn:
        _over_examples(assertion, pair_or_strategy, examples)
    else:
        assertion.check(pair_or_strategy)
    _spent[-1] |= assertion.require_power(min_power)


def _is_strategy(value: Any) -> bool:
    """Return whether a value is a strategy of hypothesis, which who has one has imported."""
    strategies = sys.modules.get("hypothesis.strategies")
    return strategies is not None and isinstance(value, strategies.SearchStrategy)


class _Assertion:
    """One assertion; what was found on a pair is remembered."""

    def __init__(
        self,
        mechanism: Any,
        epsilon: float,
        delta: float,
        isolated: bool,
        options: Any,
        false_alarm: float,
    ):
        from provedp.verify.audit.targets.factories import target
        from provedp.verify.notions.notions import ApproximateDP

        self._target = target(mechanism, isolated=isolated or isinstance(mechanism, str))
        self._claim = ApproximateDP(epsilon, delta)
        self._options, self._false_alarm = options, false_alarm
        self._messages: dict[str, str | None] = {}
        self._results: dict[str, Any] = {}
        self._shrinks = 0

    @property
    def name(self) -> str:
        """The mechanism's."""
        return self._target.name

    def require_power(self, least: float | None) -> dict[str, float]:
        """Return the power of the weakest audit against twice the claim, and what it would find.

        Raises
        ------
        AssertionError
            If the power is too low.
        """
        __tracebackhide__ = True
        if not self._results:
            return {}
        weakest = min(self._results.values(), key=lambda result: float(result.power[FACTOR]))
        power = float(weakest.power[FACTOR])
        message = (
            f"{weakest.claim} of {weakest.target} was not refuted, but twice the claim would have"
            f" been seen with probability {power:.2g} only; {_in_words(weakest.found_from)}. More"
            " runs, a higher false-alarm rate or another pair would see more."
        )
        if least is not None and power < least:
            raise AssertionError(message)
        if least is None and power < USUAL_POWER:
            warnings.warn(message, WeakAssertionWarning, stacklevel=3)
        found = weakest.found_from
        return {"power": power, **({"found_from": found} if math.isfinite(found) else {})}

    def check(self, pairs: Any) -> None:
        """Raise `PrivacyViolation` if the claim is refuted on the pairs."""
        __tracebackhide__ = True
        from provedp.verify.pairs.fingerprints import fingerprint
        from provedp.verify.pairs.pair import as_pairs

        _leave_out_equal(pairs)
        listed = as_pairs(pairs, self._options.adjacency)
        key = fingerprint([(pair.first, pair.second) for pair in listed])
        if key not in self._messages:
            if self._shrinks >= SHRINKS:
                return
            self._shrinks += any(self._messages.values())
            self._audit(key, listed)
        message = self._messages[key]
        if message is not None:
            raise PrivacyViolation(message, self._results[key])

    def _audit(self, key: str, pairs: list[Any]) -> None:
        from provedp.verify.audit.procedures.audit import audit

        seed = int(key[:15], 16)
        # Whether processes share noise is a matter of the mechanism, and tried at length once.
        options = self._options
        if self._results:
            options = replace(options, processes=FEW_PROCESSES)
        with _global_generators_kept():
            result = audit(self._target, pairs, self._claim, options=options, seed=seed)
        self._results[key] = result
        self._messages[key] = self._message(result, pairs[result.pair]) if result.refuted else None

    def _message(self, result: Any, pair: Any) -> str:
        from provedp.verify.audit.runs.checks import line_of

        counts = result.counts
        return "\n".join(
            [
                f"{result.claim} of {result.target} is refuted.",
                f"  first data set   {pair.first!r}",
                f"  second data set  {pair.second!r}",
                f"  event            {result.event}",
                f"  counts           {counts.x} of {counts.n} against {counts.y} of {counts.m}",
                f"  bound            {result.bound} ({result.channel} channel, seed {result.seed})",
                f"  runs             {line_of(result.checks)}",
                f"  false alarm      with probability at most {self._false_alarm:g} if all runs are"
                " independent",
            ]
        )


def _in_words(found_from: float) -> str:
    """Say from which multiple of the claim on a violation would have been found."""
    if math.isinf(found_from):
        return "no violation would have been found with probability 0.9"
    return f"with probability 0.9, {found_from:.3g} times the claim would have been found"


def _leave_out_equal(pair: Any) -> None:
    """Within a test of hypothesis, make it draw another pair if the data sets are equal."""
    hypothesis = sys.modules.get("hypothesis")
    if hypothesis is None or not hypothesis.currently_in_test_context():
        return
    from provedp.verify.pairs.pair import Pair, are_equal

    if isinstance(pair, tuple) and len(pair) == 2:
        hypothesis.assume(not are_equal(Pair(*pair)))


def _over_examples(assertion: _Assertion, strategy: Any, examples: int) -> None:
    """Check pairs that hypothesis draws, and shrink one that refutes the claim."""
    __tracebackhide__ = True
    from hypothesis import HealthCheck, Phase, given, settings

    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[phase for phase in Phase if phase is not Phase.explain],
        print_blob=False,
    )
    @given(strategy)
    def check(pair: Any) -> None:
        __tracebackhide__ = True
        assertion.check(pair)

    check.__name__ = f"assert_private_of_{assertion.name}"  # hypothesis keeps failures by name
    check()


@contextlib.contextmanager
def _global_generators_kept() -> Iterator[None]:
    """Restore the global random generators, which runs in this process are seeded with."""
    import numpy as np

    states = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name files of claims."""
    pytest_claims.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Collect the files of claims that are named."""
    pytest_claims.add_named_files(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Collect a file of claims."""
    return pytest_claims.file_of(file_path, parent)


@pytest.fixture(name="assert_private")
def assert_private_fixture() -> Any:
    """Give `assert_private` to a test."""
    return assert_private


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the false-alarm rates of a test's assertions to its report."""
    _spent.clear()
    try:
        return (yield)
    finally:
        if _spent:
            item.user_properties.append((PROPERTY, list(_spent)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how likely it is that a correct mechanism fails an assertion, and which sees least."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    calls = [report for report in reports if getattr(report, "when", None) == "call"]
    made = [
        (each, report.nodeid.rpartition("::")[2])
        for report in calls
        for name, values in report.user_properties
        if name == PROPERTY
        for each in values
    ]
    if not made:
        return
    total = min(1.0, sum(each["rate"] for each, _ in made))
    terminalreporter.write_line(
        f"provedp: {len(made)} assertions of privacy; if all claims are true and runs independent,"
        f" one of them fails with probability at most {total:.2g}."
    )
    passed = [(each["power"], each, test) for each, test in made if "power" in each]
    if passed:
        power, weakest, test = min(passed, key=lambda one: one[0])
        terminalreporter.write_line(
            f"provedp: weakest: twice the claim would have been seen with probability {power:.2g},"
            f" in the event that was counted; {_in_words(weakest.get('found_from', math.inf))}"
            f" ({test})."
        )
