"""Exceptions, exit statuses and limits of time are outcomes of a run, or end the audit."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from provedp.cli.main import main
from provedp.pytest_plugin import PrivacyViolation, assert_private
from provedp.verify.audit import ApproximateDP, TargetError, audit, check_runs, program, target
from provedp.verify.audit.events.event import event_from
from provedp.verify.audit.targets.failures import failing, one_by_one, raised
from provedp.verify.audit.targets.outputs import Batch, batch_of_list
from provedp.verify.audit.targets.runner import Runner

ERROR = '{"error":["ValueError","odd"]}'


def sometimes(data: float, rng: Any) -> float:
    """Raise with probability `data`."""
    if rng.random() < data:
        raise ValueError("odd")
    return 1.0


def batches(data: float, rng: Any, count: int) -> Any:
    outputs = rng.random(count)
    if (outputs < data).any():
        raise ValueError("odd")
    return outputs


def ran(what: Any, data: Any, count: int, datasets: Any = ()) -> Batch:
    with Runner(what, datasets) as runner:
        return runner.run(data, [1], count)


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize("release", [sometimes, batches])
def test_exceptions_are_outcomes_with_their_own_probability(release: Any, isolated: bool) -> None:
    batch = ran(target(release, isolated=isolated), 0.25, 4000)
    assert ERROR in batch.tokens
    share = failing(batch).mean()
    assert stats.binomtest(int(4000 * share), 4000, 0.25).pvalue > 1e-6
    with pytest.raises(TargetError, match="ValueError: odd"):
        ran(target(release, isolated=isolated, errors="fail"), 0.25, 4000)


def test_a_request_that_fails_as_a_whole_keeps_the_law_of_its_runs() -> None:
    """Of three runs each of which fails with 1/5, the number of failures is binomial."""
    rng = np.random.default_rng(1)

    def single(index: int) -> Batch:
        return raised(ValueError()) if rng.random() < 0.2 else batch_of_list([1])

    def three() -> int:
        if (failed := rng.random(3) < 0.2).any():
            return int(failing(one_by_one(single, 3)).sum())
        return int(failed.sum())

    seen = np.bincount([three() for _ in range(20_000)], minlength=4)
    expected = 20_000 * stats.binom.pmf(range(4), 3, 0.2)
    assert stats.chisquare(seen, expected).pvalue > 1e-6


def test_a_failure_that_no_single_run_shows_ends_the_audit() -> None:
    def together(data: int, rng: Any, count: int) -> Any:
        if count > 1:
            raise ValueError("one at a time, please")
        return [1]

    with pytest.raises(TargetError, match="none of 100 single runs does"):
        ran(target(together), 0, 5)


@pytest.mark.parametrize(
    ("body", "token"),
    [
        ("raise KeyError('lost')", '{"error":["KeyError","\'lost\'"]}'),
        ("import sys; sys.exit(3)", '{"exit":3}'),
        ("import os; os._exit(7)", '{"exit":7}'),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", '{"exit":-9}'),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", '{"exit":-15}'),
        ("import os, signal; os.kill(os.getpid(), signal.SIGRTMIN + 1)", '{"exit":-35}'),
        ("import os; os.abort()", '{"exit":-6}'),
        ("return [0] * 10**12", '{"error":["MemoryError",""]}'),
        ("yield 1; raise OSError('late')", '{"error":["OSError","late"]}'),
        ("while True: pass", '{"timeout":true}'),
    ],
)
def test_every_kind_of_end(tmp_path: Path, body: str, token: str) -> None:
    (tmp_path / "ends.py").write_text(f"def release(data, rng):\n    {body}\n")
    limit = 1.0 if "timeout" in token else 100.0
    what = target("ends:release", directory=str(tmp_path), timeout=limit)
    assert ran(what, 0, 2).tokens == (token,)


ONE = "import json, sys; n = json.load(sys.stdin); print(n); sys.exit(n)"
LINES = """
import json, os, sys
data = json.load(open(os.environ["PROVEDP_DATA"]))
for line in sys.stdin:
    index, count = map(int, line.split())
    for _ in range(count):
        if data[index]: sys.exit(data[index])
        print(0, flush=True)
"""


def test_exit_statuses_of_programs() -> None:
    once = program([sys.executable, "-c", ONE], once=True)
    assert ran(once, 0, 2).tokens == ("1",)
    assert ran(once, 4, 2).tokens == ('{"exit":4,"of":1}',)
    lines = program([sys.executable, "-c", LINES])
    assert ran(lines, 0, 3, (0, 5)).tokens == ("1",)
    assert ran(lines, 5, 3, (0, 5)).tokens == ('{"exit":5}',)
    slow = program(["sh", "-c", "while read a b; do sleep 9; done"], timeout=0.5)
    assert ran(slow, 0, 2, (0,)).tokens == ('{"timeout":true}',)


@pytest.mark.parametrize("what", ["return object()", "import nowhere_at_all"])
def test_what_is_no_outcome_of_the_mechanism(tmp_path: Path, what: str) -> None:
    """An output of an unknown type, and a target all of whose runs fail, are the user's errors."""
    (tmp_path / "wrong.py").write_text(f"def release(data, rng):\n    {what}\n")
    with pytest.raises(TargetError, match="cannot be compared|No module named"):
        audit(target("wrong:release", directory=str(tmp_path)), (0, 1), 1.0, runs=100)


@pytest.mark.parametrize("sequential", [True, False])
def test_all_runs_failing_is_no_audit(sequential: bool) -> None:
    def release(data: int) -> int:
        raise RuntimeError("no such column")

    what = target(release, isolated=False)
    with pytest.raises(TargetError, match="no such column"):
        audit(what, (0, 1), 1.0, runs=100, sequential=sequential)


def test_an_error_on_one_data_set_only_is_a_leak() -> None:
    what = target(sometimes, isolated=False)
    result = audit(what, (0.0, 1.0), 1.0, runs=500)
    assert result.refuted
    assert result.epsilon_lower > 4
    with pytest.raises(TargetError, match="odd"):
        audit(what, (0.0, 1.0), 1.0, runs=500, errors="fail")
    with pytest.raises(ValueError, match="'errors' parameter must be one of"):
        audit(what, (0.0, 1.0), 1.0, errors="perhaps")
    with pytest.raises(ValueError, match="'errors' parameter must be one of"):
        target(sometimes, errors="perhaps")


def test_errors_as_likely_as_the_claim_allows_are_none() -> None:
    what = target(sometimes, isolated=False)
    pair = (0.5, 0.5 * math.exp(-1))
    for seed in range(5):
        options = {"seed": seed, "confidence": 1 - 1e-6, "checks": seed == 0}
        assert not audit(what, pair, ApproximateDP(1.0), runs=2000, **options).refuted
    assert audit(what, pair, ApproximateDP(0.5), runs=5000, checks=False).refuted


def test_the_text_of_an_error_is_looked_at_too() -> None:
    def release(data: int, rng: Any) -> float:
        if rng.random() < 0.5:
            raise ValueError(f"{data} rows")
        return float(rng.laplace())

    assert audit(target(release, isolated=False), (3, 4), 1.0, runs=1000).refuted


def test_assertions_see_errors() -> None:
    with pytest.raises(PrivacyViolation):
        assert_private(sometimes, (0.0, 1.0), epsilon=1.0, runs=500)
    with pytest.raises(TargetError, match="odd"):
        assert_private(sometimes, (0.0, 1.0), epsilon=1.0, runs=500, errors="fail")


def test_checks_say_how_many_runs_fail() -> None:
    found = {each.name: each for each in check_runs(sometimes, 0.25, runs=200)}
    assert found["ends"].passed
    assert found["ends"].words.endswith("of 200 have no output: ValueError: odd")
    assert "ends" not in {each.name for each in check_runs(sometimes, 0.0, runs=100)}


def test_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "def release(data, rng):\n"
        "    if not data and rng.random() < 0.5: raise ValueError('no rows')\n"
        "    return float(rng.laplace())\n"
    )
    monkeypatch.chdir(tmp_path)

    def status(*arguments: str) -> int:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return int(ended.value.code or 0)

    asked = ["audit", "mine:release", "--claim-epsilon", "1", "--runs", "1000", "--no-checks"]
    pair = ["--pair", "[1]", "[]"]
    assert status(*asked, *pair, "--out", "found") == 1
    capsys.readouterr()
    words = ("replay", "found/counterexample.json", "--trust", "--json", "--fresh-seed", "1")
    assert status(*words) == 1
    assert json.loads(capsys.readouterr().out)["same"]
    assert status(*asked, *pair, "--errors", "fail") == 3
    assert status(*asked, *pair, "--errors", "perhaps") == 2
    more = ["--runs", "3000"]  # which 38 pairs share
    assert status(*asked, *more, "--search", "--adjacency", "add-remove") == 1


def test_an_event_about_errors_is_read_back() -> None:
    result = audit(target(sometimes, isolated=False), (0.0, 1.0), 1.0, runs=500)
    event = event_from(json.loads(json.dumps(result.event_record)))
    assert event.words == result.event
    assert event.record() == result.event_record
