"""How a command ends when its output is lost, its parent is killed, or docstrings are dropped."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "provedp"]
SHORT = ["value", "counting.alpha", "m=8", "k=2"]
LONG = ["value"]
RICH = ["verify", "counting.distance_grows*", "--jobs", "1"]


def one_line(error: bytes) -> str:
    lines = error.decode().strip().splitlines()
    assert len(lines) == 1, error.decode()
    assert lines[0].startswith("provedp: ")
    return lines[0]


@pytest.mark.parametrize("arguments", [SHORT, LONG, RICH, ["--help"]])
def test_a_reader_that_left(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr.strip()) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("arguments", [SHORT, LONG, ["--version"]])
def test_a_full_disk(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 74
    assert "standard output cannot be written: No space left" in one_line(done.stderr)


def test_a_closed_output_is_known_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text("cases\n3\n")
    words = "release counting wards.csv --column cases --m 8 --epsilon 1 --output out.csv"
    line = f"exec {sys.executable} -m provedp {words} >&-"
    done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, cwd=tmp_path)
    assert done.returncode == 74
    assert "standard output is closed" in one_line(done.stderr)
    assert not (tmp_path / "out.csv").exists()


def test_the_statuses_are_in_the_help() -> None:
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True)
    for status in (" 0 ", " 1 ", " 2 ", " 3 ", " 74 ", " 130 ", " 141 "):
        assert status in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["--help"], 0), (["verify", "--help"], 0), (SHORT, 0), (RICH, 2), (["show", "x.y"], 2)],
)
def test_without_docstrings(arguments: list[str], status: int) -> None:
    environment = {**os.environ, "PYTHONOPTIMIZE": "2"}
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, env=environment)
    assert done.returncode == status
    if status:
        assert "without -OO" in one_line(done.stderr)


def descendants(root: int) -> Iterator[int]:
    """Yield the processes below one, as /proc tells."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(folder.name)] = int(fields[1])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    yield from found - {root}


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_a_killed_run(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from provedp.verify.ledger import certified, equal, ours\n"
        + "".join(
            f'@ours("test")\n@certified(m=[1])\ndef waits_{i}(m):\n    """Wait."""\n'
            f"    time.sleep(100)\n    return equal(m, 1)\n"
            for i in range(2)
        )
    )
    words = [*COMMAND, "verify", "--jobs", "2", "--from", "slow.py"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = subprocess.Popen(words, cwd=tmp_path, **quiet)  # type: ignore[call-overload]
    try:
        workers = wait_for_workers(started.pid)
        time.sleep(3)  # they are at work
        workers |= set(descendants(started.pid))
    finally:
        started.send_signal(number)
        started.wait(10)
    end = time.monotonic() + 15
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [pid for pid in workers if alive(pid)]


def wait_for_workers(root: int) -> set[int]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = set(descendants(root))
        if len(found) >= 2:
            return found
        time.sleep(0.1)
    raise AssertionError("no workers within a minute")
