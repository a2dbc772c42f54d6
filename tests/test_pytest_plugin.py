"""`assert_private`: it fails on what is refuted, says how, keeps quiet otherwise, and replays."""

import random
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp import pytest_plugin
from provedp.pytest_plugin import PrivacyViolation, WeakAssertionWarning, assert_private
from provedp.verify.audit.targets.target import TargetError

pytestmark = pytest.mark.usefixtures("copied_by_value", "few_processes")
PAIRS = st.lists(st.integers(0, 9), max_size=5).map(lambda people: (people, people[1:]))
GROUPS = st.lists(st.integers(0, 9), max_size=5).map(lambda people: (people, people[2:]))


def noisy_count(people: list[int], rng: Any, count: int) -> Any:
    return len(people) + rng.laplace(scale=1.0, size=count)


def test_a_private_mechanism_passes() -> None:
    assert_private(noisy_count, ([1, 2], [1]), epsilon=1.0)
    assert_private(noisy_count, [([1, 2], [1]), ([], [3])], epsilon=1.0)
    assert_private(noisy_count, PAIRS, epsilon=1.0, runs=2000)


def test_a_violation_is_shown() -> None:
    with pytest.raises(PrivacyViolation) as failed:
        assert_private(noisy_count, ([1, 2, 3], [1]), epsilon=1.0, false_alarm=1e-7)
    message = str(failed.value)
    for part in ("noisy_count is refuted", "[1, 2, 3]", "output ", "seed", "at most 1e-07"):
        assert part in message
    assert 1 < failed.value.result.epsilon_lower < 2


def test_the_same_data_give_the_same_runs() -> None:
    messages = []
    for _ in range(2):
        with pytest.raises(PrivacyViolation) as failed:
            assert_private(noisy_count, ([1, 2, 3], [1]), epsilon=1.0, runs=2000)
        messages.append(str(failed.value))
    # How many processes were started may depend on the time that this takes.
    lines = [[line for line in text.splitlines() if "runs  " not in line] for text in messages]
    assert lines[0] == lines[1] and len(lines[0]) == 7


def test_hypothesis_shrinks_the_pair() -> None:
    with pytest.raises(PrivacyViolation) as failed:
        assert_private(noisy_count, GROUPS, epsilon=1.0, runs=2000)
    assert re.search(r"first data set   \[0, 0\]\n  second data set  \[\]", str(failed.value))


def test_the_rate_is_shared_out_among_examples() -> None:
    with pytest.raises(PrivacyViolation) as failed:
        assert_private(noisy_count, GROUPS, epsilon=1.0, runs=2000, examples=10)
    assert failed.value.result.confidence == pytest.approx(1 - 0.9e-7, abs=1e-12)


@settings(max_examples=5)
@given(PAIRS)
def test_it_can_be_called_within_a_test_of_hypothesis(pair: Any) -> None:
    assert_private(noisy_count, pair, epsilon=1.0, runs=500)


def test_delta_and_channel() -> None:
    def leaks_rarely(data: int, rng: Any, count: int) -> Any:
        return np.where(rng.random(count) < 0.01, float(data), 0.5)

    assert_private(leaks_rarely, (0, 1), epsilon=1.0, delta=0.02, min_power=0.0)
    with pytest.raises(PrivacyViolation):
        assert_private(leaks_rarely, (0, 1), epsilon=1.0, delta=0.005, runs=50_000)
    assert_private(noisy_count, ([1], []), epsilon=1.0, runs=2000)
    with pytest.raises(PrivacyViolation, match="bits channel"):
        assert_private(noisy_count, ([1], []), epsilon=1.0, runs=5000, channel="bits")


def test_in_a_child_process() -> None:
    def ends(data: int, rng: Any) -> Any:
        raise SystemExit(3)

    assert_private(noisy_count, ([1], []), epsilon=1.0, runs=500, isolated=True)
    with pytest.raises(TargetError):
        assert_private(ends, (0, 1), epsilon=1.0, runs=500, isolated=True)


def test_the_mechanisms_own_error_is_kept() -> None:
    def divides(data: int, rng: Any) -> float:
        return 1 / data

    with pytest.raises(TargetError, match="ZeroDivisionError") as failed:
        assert_private(divides, (0, 1), epsilon=1.0, runs=500, errors="fail")
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    with pytest.raises(PrivacyViolation, match="of type error ZeroDivisionError"):
        assert_private(divides, (0, 1), epsilon=1.0, runs=500)


def test_global_generators_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)
    expected = random.random(), np.random.random()
    random.seed(1)
    np.random.seed(1)
    assert_private(noisy_count, ([1], []), epsilon=1.0, runs=100, min_power=0.0)
    assert (random.random(), np.random.random()) == expected


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"epsilon": -1.0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"delta": 1.0}, "delta"),
        ({"false_alarm": 0.0}, "false_alarm"),
        ({"false_alarm": 1.0}, "false_alarm"),
        ({"runs": 3}, "runs"),
        ({"examples": 0}, "examples"),
        ({"channel": "sound"}, "channel"),
        ({"adjacency": "near"}, "adjacency"),
        ({"min_power": 2.0}, "min_power"),
        ({"pair_or_strategy": 3}, "pairs"),
        ({"mechanism": "nowhere"}, "target"),
    ],
)
def test_wrong_arguments(changed: dict[str, Any], name: str) -> None:
    given: dict[str, Any] = {"mechanism": noisy_count, "pair_or_strategy": (0, 1), "epsilon": 1.0}
    with pytest.raises(ValueError, match=f"'{name}'"):
        assert_private(**{**given, **changed})


def test_what_an_audit_cannot_tell_is_refused() -> None:
    with pytest.raises(ValueError, match="pair 0 are equal: no mechanism can be refuted"):
        assert_private(noisy_count, ([1], [1]), epsilon=1.0)
    with pytest.raises(ValueError, match="not adjacent"):
        assert_private(noisy_count, ([1, 2, 3], []), epsilon=1.0, adjacency="add-remove")
    assert_private(noisy_count, ([1, 2], [1]), epsilon=1.0, adjacency="add-remove", runs=1000)


def test_an_assertion_that_sees_nothing_warns_or_fails() -> None:
    """The noise is half of what the claim needs, and 40 runs do not show it."""

    def half(people: list[int], rng: Any) -> float:
        return len(people) + float(rng.laplace(scale=0.5))

    with pytest.warns(WeakAssertionWarning, match="twice the claim would have been seen with"):
        assert_private(half, ([1], []), epsilon=1.0, runs=40)
    with pytest.raises(AssertionError, match="More runs, a higher false-alarm rate"):
        assert_private(half, ([1], []), epsilon=1.0, runs=40, min_power=0.8)
    assert_private(noisy_count, ([1], []), epsilon=1.0, runs=2000, min_power=0.8)


FEW = """
import math
from provedp.verify.audit.runs import pilot

pilot.STARTS = ((math.inf, 4),)  # fresh processes, as in all tests of this file
"""


def run_pytest(folder: Path, code: str, *options: str) -> str:
    (folder / "conftest.py").write_text(FEW, encoding="utf-8")
    (folder / "test_mine.py").write_text(textwrap.dedent(code), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.slow  # twenty audits of ten thousand runs each
def test_the_example_of_the_docstring_and_the_summary(tmp_path: Path) -> None:
    assert pytest_plugin.__doc__ is not None
    lines = pytest_plugin.__doc__.splitlines()
    example = [line for line in lines if line.startswith("    ")]
    assert len(example) == 7  # and three empty ones
    shown = run_pytest(tmp_path, "\n".join(example))
    assert "1 passed" in shown
    assert "provedp: 1 assertions of privacy" in shown
    assert "at most 1e-06" in shown


def test_the_fixture_and_a_failure_in_a_report(tmp_path: Path) -> None:
    code = """
    def release(data, rng, count):
        return data + rng.laplace(scale=0.5, size=count)

    def test_release(assert_private):
        assert_private(release, (0, 1), epsilon=2.0)
        assert_private(release, (0, 1), epsilon=1.0)
    """
    shown = run_pytest(tmp_path, code)
    assert "1 failed" in shown
    assert "release is refuted" in shown
    assert "2 assertions of privacy" in shown
    assert "and runs independent" in shown
    assert "weakest: twice the claim would have been seen with probability 1" in shown
    assert "(test_release)" in shown
    assert "at most 2e-06" in shown
    assert "_Assertion" not in shown  # frames of the plugin are not shown


def test_the_plugin_is_registered_and_light() -> None:
    root = Path(__file__).resolve().parents[1]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    points = settings["project"]["entry-points"]["pytest11"]
    assert points == {"provedp": "provedp.pytest_plugin"}
    code = "import sys, provedp.pytest_plugin; print([m for m in ('numpy', 'hypothesis', 'sympy')"
    code += " if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
