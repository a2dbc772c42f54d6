"""`provedp audit` and `provedp replay`: verdicts, files, interruptions, wrong requests."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.audit import progress
from provedp.cli.main import main
from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.chunks import Done
from provedp.verify.audit.targets.outputs import batch_of_list

MODULE = """
import os, sys, time
from pathlib import Path
import numpy as np

FOLDER = Path(__file__).parent

def half(data, rng, count):
    return data + rng.laplace(scale=0.5, size=count)

def right(data, rng, count):
    return data + rng.laplace(scale=1.0, size=count)

def slow(data, rng, count):
    # Waits, once so many outputs are kept, for as long as the test says.
    hold = FOLDER / "hold"
    while hold.exists() and len(list((FOLDER / "o/outputs").glob("*"))) >= int(hold.read_text()):
        time.sleep(0.02)
    time.sleep(0.004)
    return data + rng.laplace(scale=0.5, size=count)

def shaken(data, rng, count):
    return data + np.random.default_rng().laplace(scale=0.5, size=count)

def mean(data, rng, count):
    return float(np.mean(data)) + rng.laplace(scale=1.0, size=count)

def clipped_sum(people, rng, count):
    return float(np.sum(people)) + rng.laplace(scale=1.0, size=count)

def sleepy(data, rng):
    time.sleep(0.1)
    return data + rng.laplace(scale=1.0)

Z = np.random.laplace()

def kept(data, rng):
    return data + Z

def raises(data, rng):
    raise RuntimeError("no such thing as privacy")

def prints(data, rng, count):
    print("hello"); sys.stderr.write("world\\n")
    return right(data, rng, count)

class Mechanism:
    def release(self, data, rng):
        return data + rng.laplace(scale=0.25)

mechanism = Mechanism()
number = 3
"""
AUDIT = (
    "--claim-epsilon", "1", "--pair", "0", "1", "--runs", "4000", "--processes", "4",
)  # fmt: skip
KEYS = {
    "refuted", "epsilon_lower", "confidence", "channel", "event", "pair", "runs", "resolution",
    "power", "seed",
}  # fmt: skip


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "EVERY", 3600.0)  # a loaded machine may take ten seconds
    Path("mine.py").write_text(MODULE, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


HALF = ("--target", "mine:half", "--fresh-seed", "1")


def test_a_violation_is_refuted_and_replayed(run: Callable[..., Any]) -> None:
    status, out, err = run("audit", "mine:half", *AUDIT, "--out", "o", "--html", "--json")
    assert (status, err) == (1, "")
    found = json.loads(out)
    assert found.keys() >= KEYS
    assert found["refuted"]
    assert 1 < found["epsilon_lower"] < 2
    assert found["pair"] == {"index": 0, "name": "", "first": 0, "second": 1}
    assert sorted(found["power"]) == ["1.1", "1.5", "2"]
    assert found == json.loads(Path("o/result.json").read_text(encoding="utf-8"))
    assert sorted(path.name for path in Path("o").iterdir()) == [
        "counterexample.json", "report.html", "result.json",
    ]  # fmt: skip
    status, out, err = run("replay", "o/counterexample.json", *HALF, "--json")
    assert (status, err) == (1, "")
    again = json.loads(out)
    assert again["same"]
    assert again["epsilon_again"] == found["epsilon_lower"]
    assert again["refuted_fresh"]
    assert again["fresh"] != again["again"]
    words = ("replay", "o/counterexample.json", "--target", "mine:half", "--json")
    drawn = {json.loads(run(*words)[1])["fresh_seed"] for _ in range(2)}
    assert len(drawn) == 2


def test_the_page_says_all_and_needs_no_other_file(run: Callable[..., Any]) -> None:
    run("audit", "mine:half", *AUDIT, "--out", "o", "--html")
    page = Path("o/report.html").read_text(encoding="utf-8")
    for part in (
        "Refuted",
        "output",
        "<svg viewBox=",
        "Trade-off of false positives and false negatives",
        "provedp replay o/counterexample.json --target mine:half",
        "seed",
        "2 t",
    ):
        assert part in page
    assert "http" not in page


def test_the_number_of_fresh_processes_is_told_and_may_be_given(run: Callable[..., Any]) -> None:
    few = ("--runs", "1000", "--json", "--processes")
    status, out, _ = run("audit", "mine:half", *AUDIT, *few, "3")
    found = json.loads(out)
    assert (status, found["processes"]) == (1, 3)
    assert found["checks"][-1]["words"].startswith("alike in 3 more fresh processes, of the 15")
    assert run("audit", "mine:half", *AUDIT, *few, str(found["processes"]))[1] == out
    status, _, err = run("audit", "mine:half", *AUDIT, "--processes", "1")
    assert status == 2 and "'--processes'" in err


def test_a_right_mechanism_is_not_refuted(run: Callable[..., Any]) -> None:
    status, out, err = run("audit", "mine:right", *AUDIT, "--out", "o", "--html")
    assert (status, err) == (0, "")
    assert "not refuted" in out
    assert "cannot refute this claim" in out
    assert sorted(path.name for path in Path("o").iterdir()) == ["report.html", "result.json"]


def test_a_replay_says_if_the_target_draws_its_own_randomness(run: Callable[..., Any]) -> None:
    assert run("audit", "mine:shaken", *AUDIT, "--out", "o")[0] == 1
    status, out, err = run("replay", "o/counterexample.json", "--trust")
    assert status == 1
    assert "running what o/counterexample.json names: 'mine:shaken'" in err
    assert "draws its own noise" in out


def test_a_replay_after_the_repair_does_not_refute(run: Callable[..., Any]) -> None:
    run("audit", "mine:half", *AUDIT, "--out", "o")
    Path("mine.py").write_text(MODULE.replace("scale=0.5", "scale=1.0"), encoding="utf-8")
    assert run("replay", "o/counterexample.json", *HALF)[0] == 0


def test_until_decided_stops_early_and_is_replayed(run: Callable[..., Any]) -> None:
    status, out, _ = run("audit", "mine:half", *AUDIT, "--until-decided", "--json", "--out", "o")
    assert status == 1
    assert json.loads(out)["runs"] < 2000
    assert run("replay", "o/counterexample.json", *HALF)[0] == 1


@pytest.mark.parametrize("mode", [(), ("--until-decided",), ("--profile",)])
@pytest.mark.parametrize("name", ["half", "right"])
def test_what_is_kept_changes_nothing(
    run: Callable[..., Any], mode: tuple[str, ...], name: str
) -> None:
    arguments = ("audit", f"mine:{name}", *AUDIT, *mode, "--json")
    assert run(*arguments, "--out", "o") == run(*arguments)


PAIR = ("--pair", "0", "1", "--runs", "4000")


@pytest.mark.parametrize(
    "claim",
    [
        ("--claim-mu", "1"),
        ("--claim-epsilon", "3", "--claim-delta", "1e-3"),
        pytest.param(("--claim-rho", "1/2"), marks=pytest.mark.slow),
        pytest.param(("--claim-renyi", "2", "1"), marks=pytest.mark.slow),
    ],
)
def test_an_object_with_release_and_other_claims(
    run: Callable[..., Any], claim: tuple[str, ...]
) -> None:
    assert run("audit", "mine:mechanism", *claim, *PAIR)[0] == 1


def test_an_irrational_claim(run: Callable[..., Any]) -> None:
    status, out, _ = run("audit", "mine:right", "--claim-epsilon", "ln(3)", *PAIR)
    assert status == 0
    assert out.startswith("(1.09861, 0)-DP of mine:right: not refuted")


def test_data_from_files(run: Callable[..., Any]) -> None:
    np.save("a.npy", np.zeros(3))
    Path("b.csv").write_text("x\n0\n0\n3\n", encoding="utf-8")
    Path("c.json").write_text("[[0, 0, 0], [0, 0, 9]]", encoding="utf-8")
    audit = ("audit", "mine:mean", "--claim-epsilon", "1", "--runs", "2000", "--json")
    status, out, _ = run(*audit, "--pair", "a.npy", "b.csv", "--adjacency", "replace-one")
    assert status == 0
    assert json.loads(out)["pair"]["second"] == [0, 0, 3]
    Path("pairs.json").write_text("[[[0], [0.1]], [[0, 0, 0], [0, 0, 9]]]", encoding="utf-8")
    status, out, _ = run(*audit, "--pairs", "pairs.json")
    assert status == 1
    assert json.loads(out)["pair"]["index"] == 1


def test_search_finds_and_shrinks_a_pair(run: Callable[..., Any]) -> None:
    audit = ("audit", "mine:clipped_sum", "--claim-epsilon", "1", "--runs", "20000", "--search")
    status, out, _ = run(*audit, "--adjacency", "add-remove", "--json")
    assert status == 1
    pair = json.loads(out)["pair"]
    assert len(pair["first"]) + len(pair["second"]) == 1


def test_a_search_keeps_to_its_range(run: Callable[..., Any]) -> None:
    """The sum has the sensitivity 1 that its noise is for, if records are in [0, 1]."""
    audit = ("audit", "mine:clipped_sum", "--claim-epsilon", "1", "--runs", "1000", "--search")
    status, out, _ = run(*audit, "--range", "0", "1")
    assert status == 0
    assert "pairs tried, " in out
    assert "add-remove pairs; what is shown holds at confidence 0.95" in out
    found = json.loads(run(*audit, "--range", "0", "1", "--json")[1])["search"]
    assert found["adjacency"] == "add-remove"
    assert found["left_out"] == []
    assert f"{len(found['tried'])} pairs tried, none left out" in out


def test_a_slow_target_is_seen_beforehand(run: Callable[..., Any]) -> None:
    audit = ("audit", "mine:sleepy", "--claim-epsilon", "1", "--pair", "0", "1")
    started = time.monotonic()
    status, out, err = run(*audit)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "200000 runs of mine:sleepy would take about" in err
    assert "--runs" in err and "--limit-time" in err
    assert time.monotonic() - started < 120
    assert run(*audit, "--runs", "20", "--no-checks")[0] in (0, 1)


def test_progress_is_a_line_now_and_then(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    _, out, err = run("audit", "mine:half", *AUDIT)
    assert "REFUTED" in out
    lines = err.splitlines()
    assert lines and all(line.startswith("provedp: count: ") for line in lines)
    assert all(line.endswith(" left") for line in lines)


def test_kept_noise_is_no_verdict_and_a_process_for_each_run_is(run: Callable[..., Any]) -> None:
    kept = ("audit", "mine:kept", "--claim-epsilon", "1", "--pair", "0", "1")
    status, out, err = run(*kept, "--runs", "2000")
    assert (status, out) == (3, "")
    assert "cannot be audited like this" in err and "No verdict" in err and "--fresh" in err
    assert run(*kept, "--runs", "40", "--fresh")[0] == 0


def test_workers_do_not_change_the_result(run: Callable[..., Any]) -> None:
    first = run("audit", "mine:half", *AUDIT, "--json")
    assert run("audit", "mine:half", *AUDIT, "--json", "--workers", "3") == first


def test_what_the_target_prints_harms_nothing(run: Callable[..., Any]) -> None:
    status, out, err = run("audit", "mine:prints", *AUDIT, "--json")
    assert (status, err) == (0, "")
    json.loads(out)


def test_a_target_that_fails_shows_its_own_error(run: Callable[..., Any]) -> None:
    status, out, err = run("audit", "mine:raises", *AUDIT)
    assert (status, out) == (3, "")
    assert "no such thing as privacy" in err
    assert 'mine.py", line' in err


def test_a_module_that_does_not_import(run: Callable[..., Any]) -> None:
    Path("broken.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    status, _, err = run("audit", "broken:f", *AUDIT)
    assert status == 3
    assert "nowhere_at_all" in err


WRONG = {
    "no target": ((*AUDIT,), "Name one target"),
    "two targets": (("mine:half", "--command", "cat", *AUDIT), "Name one target"),
    "no name": (("mine", *AUDIT), "package.module:name"),
    "no module": (("nowhere:half", *AUDIT), "There is no module 'nowhere'"),
    "no function": (("mine:nothing", *AUDIT), "no attribute 'nothing'"),
    "no mechanism": (("mine:number", *AUDIT), "neither a function"),
    "no program": (("--command", "no-such-program x", *AUDIT), "No program"),
    "empty command": (("--command", " ", *AUDIT), "empty"),
    "open quote": (("--command", "cat '", *AUDIT), "cannot be read"),
    "once alone": (("mine:half", "--once", *AUDIT), "--once"),
    "no claim": (("mine:half", "--pair", "0", "1"), "what is claimed"),
    "two claims": (("mine:half", *AUDIT, "--claim-mu", "1"), "what is claimed"),
    "bad epsilon": (("mine:half", "--claim-epsilon", "x", "--pair", "0", "1"), "'x'"),
    "negative": (("mine:half", "--claim-epsilon", "-1", "--pair", "0", "1"), "range [0, 700]"),
    "bad delta": (("mine:half", *AUDIT, "--claim-delta", "1"), "range [0, 1)"),
    "no pair": (("mine:half", "--claim-epsilon", "1"), "--pair A B"),
    "no JSON": (("mine:half", *AUDIT, "--pair", "[1,", "2"), "must be JSON"),
    "no file": (("mine:half", *AUDIT, "--pair", "1", "none.csv"), "No such file"),
    "no pairs file": (("mine:half", *AUDIT, "--pairs", "none.json"), "No such file"),
    "not adjacent": (("mine:half", *AUDIT, "--adjacency", "replace-one"), "list of records"),
    "adjacency": (("mine:half", *AUDIT, "--adjacency", "near"), "'adjacency'"),
    "runs": (("mine:half", *AUDIT, "--runs", "3"), "'--runs'"),
    "confidence": (("mine:half", *AUDIT, "--confidence", "1"), "'--confidence'"),
    "confidence nan": (("mine:half", *AUDIT, "--confidence", "nan"), "confidence"),
    "workers": (("mine:half", *AUDIT, "--workers", "0"), "'--workers'"),
    "seed": (("mine:half", *AUDIT, "--seed", "-1"), "'--seed'"),
    "timeout": (("mine:half", *AUDIT, "--timeout", "0"), "'--timeout'"),
    "channel": (("mine:half", *AUDIT, "--channel", "sound"), "'--channel'"),
    "html": (("mine:half", *AUDIT, "--html"), "--out DIR"),
    "pairs and search": (("mine:half", *AUDIT, "--search"), "not both"),
    "search": (("mine:half", "--claim-epsilon", "1", "--search", "--adjacency", "near"), "near"),
    "no range": (("mine:half", "--claim-epsilon", "1", "--search", "--range", "1", "0"), "--range"),
    "equal": (("mine:half", "--claim-epsilon", "1", "--pair", "[1]", "[1]"), "are equal"),
    "limit": (("mine:half", *AUDIT, "--limit-time", "0"), "'--limit-time'"),
    "range": (("mine:half", *AUDIT, "--range", "0", "1"), "--search only"),
    "dask": (("mine:half", *AUDIT, "--dask", "nonsense://here"), "No dask scheduler"),
    "out": (("mine:half", *AUDIT, "--out", "mine.py"), "cannot be written"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_request_is_one_line_before_anything_runs(
    run: Callable[..., Any], name: str
) -> None:
    arguments, message = WRONG[name]
    status, out, err = run("audit", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("provedp: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "provedp counterexample 2"}', "\0"])
def test_a_replay_of_something_else_is_refused(run: Callable[..., Any], text: str) -> None:
    Path("x.json").write_text(text, encoding="utf-8")
    status, out, err = run("replay", "x.json", "--trust")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert run("replay", "nothing.json", "--trust")[0] == 2


@pytest.mark.parametrize(
    "kind", ["reference", pytest.param("once", marks=pytest.mark.slow), "program"]
)
def test_a_replay_runs_nothing_that_the_file_names_alone(
    run: Callable[..., Any], kind: str
) -> None:
    run("audit", "mine:half", *AUDIT, "--runs", "500", "--out", "o")
    record = json.loads(Path("o/counterexample.json").read_text(encoding="utf-8"))
    command = f"touch {Path('x').absolute()}"
    name = "os:system" if kind == "reference" else command
    data = {"first": {"json": command}, "second": {"json": command}}
    changed = {**record, "target": {"kind": kind, "name": name}, **data}
    Path("c.json").write_text(json.dumps(changed), encoding="utf-8")
    status, out, err = run("replay", "c.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert name in err
    assert ("--target" if kind == "reference" else "--command") in err
    assert run("replay", "c.json", "--trust", *HALF)[0] == 2
    assert run("replay", "c.json", *HALF, "--command", command)[0] == 2
    assert run("replay", "c.json", *HALF)[0] == 3
    assert not Path("x").exists()
    err = run("replay", "c.json", "--trust")[2]
    assert f"provedp: running what c.json names: {name!r}" in err
    assert Path("x").exists()


def test_a_damaged_counterexample_is_refused(run: Callable[..., Any]) -> None:
    run("audit", "mine:half", *AUDIT, "--out", "o")
    record = json.loads(Path("o/counterexample.json").read_text(encoding="utf-8"))
    for name in ("event", "claim", "counts", "first", "target", "pair", "runs", "seed"):
        Path("x.json").write_text(json.dumps({**record, name: {"a": 1}}), encoding="utf-8")
        status, out, err = run("replay", "x.json", *HALF)
        assert (status, out, err.count("\n")) == (2, "", 1), name


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "provedp", "audit", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=interruptible
    )


def interruptible() -> None:
    """Take the default for SIGINT, which a suite in the background of a shell ignores."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within 30 seconds")


SEQUENTIAL = ("--until-decided", "--pair", "0", "0.9")


@pytest.mark.parametrize(
    ("number", "at", "mode"),
    [
        pytest.param(signal.SIGKILL, (3, 6), (), marks=pytest.mark.slow),
        (signal.SIGINT, (3,), ()),
        pytest.param(signal.SIGKILL, (2, 4), SEQUENTIAL, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_audit_goes_on_with_the_same_result(
    run: Callable[..., Any], number: signal.Signals, at: tuple[int, ...], mode: tuple[str, ...]
) -> None:
    arguments = ("mine:slow", *AUDIT, *mode, "--json")
    whole = run("audit", *arguments)
    outputs, hold = Path("o/outputs"), Path("hold")
    for least in at:
        hold.write_text(str(least), encoding="utf-8")
        child = start(*arguments, "--out", "o")
        wait_for(lambda least=least: outputs.exists() and len(list(outputs.iterdir())) >= least)
        child.send_signal(number)
        _, err = child.communicate()
        assert child.returncode == (130 if number == signal.SIGINT else -number)
        assert (b"goes on from there" in err) == (number == signal.SIGINT)
    hold.unlink()
    assert len(list(outputs.iterdir())) >= at[-1]
    assert run("audit", *arguments, "--out", "o") == whole
    assert not outputs.exists()


def test_an_audit_that_is_killed_while_counting_counts_no_run_twice(
    run: Callable[..., Any],
) -> None:
    arguments = ("mine:slow", *AUDIT, "--json")
    whole = run("audit", *arguments)
    journal = Path("o/journal.jsonl")
    child = start(*arguments, "--out", "o")
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 12)
    child.kill()
    child.communicate()
    counted = journal.read_bytes().count(b"\n") - 2
    assert 10 <= counted < 50
    # A last line that was cut short is dropped, and its chunk counted once.
    with journal.open("r+b") as file:
        file.truncate(journal.stat().st_size - 5)
    assert run("audit", *arguments, "--out", "o") == whole


def unfinished() -> Path:
    """Leave an audit unfinished, and return its journal."""
    journal = Path("o/journal.jsonl")
    child = start("mine:slow", *AUDIT, "--out", "o")
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 5)
    child.kill()
    child.communicate()
    return journal


def test_a_foreign_or_damaged_or_busy_journal_is_refused(run: Callable[..., Any]) -> None:
    audit = ("audit", "mine:slow", *AUDIT, "--out", "o")
    journal = unfinished()
    whole = journal.read_bytes()
    status, _, err = run(*audit, "--seed", "1", "--claim-epsilon", "2")
    assert (status, err.count("\n")) == (2, 1)
    assert "differs in claim, seed" in err
    Path("mine.py").write_text(MODULE + "\n# repaired\n", encoding="utf-8")
    assert "differs in source" in run(*audit)[2]
    Path("mine.py").write_text(MODULE, encoding="utf-8")
    for damaged in (whole[:40], whole[:90] + b"x" + whole[91:], b"hello\n", b"\0" * 100):
        journal.write_bytes(damaged)
        status, _, err = run(*audit)
        assert (status, err.count("\n")) == (2, 1)
        assert "damaged" in err
    journal.write_bytes(whole)
    with journal.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "in use" in run(*audit)[2]
    assert run(*audit)[0] == 1


def test_a_full_disk_is_one_line_and_loses_nothing(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = ("audit", "mine:slow", *AUDIT, "--json")
    whole = run(*audit)
    real, calls = os.pwrite, []

    def full(handle: int, content: bytes, place: int) -> int:
        calls.append(place)
        if len(calls) < 9:
            return real(handle, content, place)
        real(handle, content[:7], place)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    status, out, err = run(*audit, "--out", "o")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "No space left on device" in err
    assert "is kept" in err
    monkeypatch.setattr(os, "pwrite", real)
    lines = Path("o/journal.jsonl").read_bytes().count(b"\n")
    assert lines == 1 + 8  # the request, the event and seven chunks
    assert run(*audit, "--out", "o") == whole


def test_a_full_disk_while_learning(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from provedp.verify.audit.runs import journals

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(journals, "write_bytes", full)
    status, _, err = run("audit", "mine:slow", *AUDIT, "--out", "o")
    assert (status, err.count("\n")) == (2, 1)
    assert "No space left on device" in err


def test_outputs_that_are_damaged_are_refused(tmp_path: Path) -> None:
    from provedp.verify.audit.runs.journals import Journal

    journal = Journal(tmp_path, {"a": 1})
    batches = batch_of_list([1.0, "x"]), batch_of_list([None])
    journal.keep(Done(0, 7, (Tally((2, 0)), Tally((0, 1))), batches, "p"))
    kept = journal.outputs(0, 7)
    assert kept is not None
    assert [part.runs for part in kept.parts] == [(2, 0), (0, 1)]
    assert kept.process == "p"
    assert kept.outputs[0].tokens == batches[0].tokens
    path = tmp_path / "outputs" / "0-7"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="damaged"):
        journal.outputs(0, 7)
    journal.close()
