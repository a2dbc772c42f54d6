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
keeps its claim fails with probability at most `false_alarm`, over the draw of the seed. The seed is
derived from the data, so that a test that failed fails again, whoever runs it, and hypothesis can
shrink and replay. The end of the test report adds the rates of all assertions up.

It collects files of claims as well: `pytest --provedp-claims my_claims.py`; see `pytest_claims`.
"""

import contextlib
import random
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from provedp import pytest_claims

FALSE_ALARM = 1e-6
RUNS = 20_000
EXAMPLES = 20
SHRINKS = 60  # audits after the first refutation
PROPERTY = "provedp_false_alarms"

_spent: list[float] = []


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
    examples: int = EXAMPLES,
    isolated: bool = False,
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
        The probability, at most, that the call fails although the claim is true.
    runs
        Per pair and data set. More see smaller violations.
    channel
        'value', 'bits' (the lowest bits of floating-point outputs) or 'time' (seconds of a run).
    examples
        Pairs that are drawn from a strategy; the false-alarm rate is shared out among them.
    isolated
        Whether to run in a child process; a crash or a hang then ends in an error.

    Raises
    ------
    PrivacyViolation
        If the claim is refuted; an `AssertionError`.
    ValueError
        If an argument is outside its range.
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
    _spent.append(false_alarm)
    drawn = _is_strategy(pair_or_strategy)
    confidence = 1 - false_alarm / examples if drawn else 1 - false_alarm
    options = Options(runs=runs, channel=channel, confidence=confidence)
    assertion = _Assertion(mechanism, epsilon, delta, isolated, options, false_alarm)
    if drawn:
        _over_examples(assertion, pair_or_strategy, examples)
    else:
        assertion.check(pair_or_strategy)


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

    def check(self, pairs: Any) -> None:
        """Raise `PrivacyViolation` if the claim is refuted on the pairs."""
        __tracebackhide__ = True
        from provedp.verify.pairs.fingerprints import fingerprint
        from provedp.verify.pairs.pair import as_pairs

        listed = as_pairs(pairs)
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
        with _global_generators_kept():
            result = audit(self._target, pairs, self._claim, options=self._options, seed=seed)
        self._results[key] = result
        self._messages[key] = self._message(result, pairs[result.pair]) if result.refuted else None

    def _message(self, result: Any, pair: Any) -> str:
        counts = result.counts
        return "\n".join(
            [
                f"{result.claim} of {result.target} is refuted.",
                f"  first data set   {pair.first!r}",
                f"  second data set  {pair.second!r}",
                f"  event            {result.event}",
                f"  counts           {counts.x} of {counts.n} against {counts.y} of {counts.m}",
                f"  bound            {result.notion} >= {result.epsilon_lower:.4g}"
                f" ({result.channel} channel, seed {result.seed})",
                f"  false alarm      with probability at most {self._false_alarm:g}",
            ]
        )


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
    """Say how likely it is that a correct mechanism fails one of the assertions."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    calls = [report for report in reports if getattr(report, "when", None) == "call"]
    properties = [pair for report in calls for pair in report.user_properties]
    rates = [rate for name, values in properties if name == PROPERTY for rate in values]
    if rates:
        terminalreporter.write_line(
            f"provedp: {len(rates)} assertions of privacy; if all claims are true, one of them"
            f" fails with probability at most {min(1.0, sum(rates)):.2g}."
        )
