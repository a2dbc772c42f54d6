"""Commands that are killed at any moment: outputs are whole or absent, and nothing else is left."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")

FAST, SLOW = 3, 200  # kills of each command
PATIENCE = 20.0  # seconds in which all that a killed command has started must be gone
SHARED = Path("/dev/shm")
MARK = "PROVEDP_TEST_MARK"
LARGEST_PAUSE = 30.0

TARGET = """
import time
def half(data, rng, count):
    time.sleep(0.002)
    return data + rng.laplace(scale=0.5, size=count)
"""
CLAIMS = "import time\nfrom provedp.verify.ledger import certified, equal, ours\n" + "".join(
    f'@ours("test")\n@certified(m=[1, 2, 3])\ndef stays_{i}(m):\n    """m is m."""\n'
    "    time.sleep(0.1)\n    return equal(m, m)\n"
    for i in range(4)
)
RUNS = "--claim-epsilon 1 --pair 0 1 --runs 2000 --seed 3"


def whole_json(path: Path) -> None:
    assert json.loads(path.read_text(encoding="utf-8"))


def whole_csv(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 41
    assert len({line.count(",") for line in lines}) == 1


def whole_picture(path: Path) -> None:
    assert path.read_bytes().endswith(b"IEND\xaeB`\x82")


def whole_drawing(path: Path) -> None:
    assert path.read_text(encoding="utf-8").rstrip().endswith("</svg>")


def whole_page(path: Path) -> None:
    assert path.read_text(encoding="utf-8").endswith("\n")


@dataclass(frozen=True)
class Command:
    """A command, its outputs, each with what shows that it is whole, and if it goes on."""

    words: str
    outputs: dict[str, Callable[[Path], None]]
    status: int = 0
    goes_on: bool = False
    own: frozenset[str] = field(default_factory=frozenset)


COMMANDS = {
    "verify": Command(
        "verify --from claims.py --jobs 2 --json o/run.json --markdown o/run.md",
        {"run.json": whole_json, "run.md": whole_page},
    ),
    "audit": Command(
        f"audit mine:half {RUNS} --out o",
        {"result.json": whole_json, "counterexample.json": whole_json},
        status=1,
        goes_on=True,
        own=frozenset({"journal.jsonl", "outputs"}),
    ),
    "audit by workers": Command(
        f"audit mine:half {RUNS} --workers 2 --out o",
        {"result.json": whole_json, "counterexample.json": whole_json},
        status=1,
        goes_on=True,
        own=frozenset({"journal.jsonl", "outputs"}),
    ),
    "audit of a program": Command(
        "audit --command 'sh echo.sh' --claim-epsilon 1 --pair 0 1 --runs 200 --out o",
        {"result.json": whole_json, "counterexample.json": whole_json},
        status=1,
        goes_on=True,
        own=frozenset({"journal.jsonl", "outputs"}),
    ),
    "release counting": Command(
        "release counting d.csv --column n --m 9 --epsilon 1 --output o/n.csv",
        {"n.csv": whole_csv},
    ),
    "release mixture": Command(
        "release mixture d.csv --label t --features x,y --classes a,b --bound 9 --epsilon 1"
        " --delta 1e-5 --output o/m.json --synthetic 40 o/s.csv",
        {"m.json": whole_json, "s.csv": whole_csv},
    ),
    "release modes": Command(
        "release modes d.csv --columns x,y --box 0:5,0:5 --bandwidth 1 --epsilon 2 --delta 1e-5"
        " --output o/modes.json",
        {"modes.json": whole_json},
    ),
    "reproduce": Command(
        "reproduce modes.table1 --seeds 1 --out o",
        {
            "modes.table1.json": whole_json,
            "modes.table1.png": whole_picture,
            "modes.table1.svg": whole_drawing,
        },
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with data, a target and a place for temporary files."""
    rows = "".join(f"{i % 9},{i % 5}.5,{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    (tmp_path / "d.csv").write_text(f"n,x,y,t\n{rows}")
    (tmp_path / "mine.py").write_text(TARGET)
    (tmp_path / "claims.py").write_text(CLAIMS)
    (tmp_path / "echo.sh").write_text(
        "while read index count; do for i in $(seq $count); do echo $index; done; done\n"
    )
    for name in ("o", "temporary"):
        (tmp_path / name).mkdir()
    return tmp_path


@dataclass
class Started:
    """A command that runs, and a mark that all carry that it has started."""

    process: "subprocess.Popen[bytes]"
    mark: str

    def others(self) -> Iterator[int]:
        """Yield all processes with the mark that are not zombies."""
        wanted = f"{MARK}={self.mark}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (place / "environ").read_bytes().split(b"\0"):
                    yield int(place.name)
            except OSError:  # it has ended, or is another user's
                continue


def start(folder: Path, command: Command) -> Started:
    mark = uuid.uuid4().hex
    environment = {**os.environ, "TMPDIR": str(folder / "temporary"), MARK: mark}
    line = f"exec {sys.executable} -m provedp {command.words}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(  # type: ignore[call-overload]
        ["sh", "-c", line], cwd=folder, env=environment, start_new_session=True, **quiet
    )
    return Started(process, mark)


def gone(started: Started) -> bool:
    """Whether all that a command has started ends soon."""
    end = time.monotonic() + PATIENCE
    while left := list(started.others()):
        if time.monotonic() > end:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            return False
        time.sleep(0.02)
    return True


def outputs_of(folder: Path, command: Command) -> dict[str, bytes]:
    """Return the outputs, which must be whole, and the only files beside what is known."""
    present = {path.name for path in (folder / "o").iterdir()}
    assert present <= command.outputs.keys() | command.own
    for name in present & command.outputs.keys():
        command.outputs[name](folder / "o" / name)
    return {name: (folder / "o" / name).read_bytes() for name in command.outputs.keys() & present}


def clear(folder: Path) -> None:
    for path in sorted((folder / "o").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def campaign(folder: Path, command: Command, kills: int) -> dict[str, int]:
    """Kill a command at moments spread over its life; return how it was found."""
    draw = random.Random(kills)
    begun = time.monotonic()
    assert start(folder, command).process.wait() == command.status
    life = time.monotonic() - begun
    want = outputs_of(folder, command)
    assert want.keys() <= command.outputs.keys()
    seen = {"killed": 0, "ended before": 0, "with outputs": 0}
    clear(folder)
    for number in range(kills):
        shared = set(SHARED.iterdir()) if SHARED.exists() else set()
        started = start(folder, command)
        time.sleep(min(LARGEST_PAUSE, life * (number + draw.random()) / kills))
        started.process.kill()
        ended = started.process.wait()
        seen["killed" if ended == -signal.SIGKILL else "ended before"] += 1
        assert gone(started), f"orphans after kill {number}"
        assert list((folder / "temporary").iterdir()) == [], f"kill {number}"
        left = {path for path in SHARED.iterdir() if str(started.process.pid) in path.name}
        assert not left - shared
        seen["with outputs"] += bool(outputs_of(folder, command))
        if not command.goes_on:
            clear(folder)
        elif number % 5 == 4:  # what was interrupted several times goes on to the same result
            assert start(folder, command).process.wait() == command.status
            assert outputs_of(folder, command) == want
            assert not (folder / "o" / "journal.jsonl").exists()
            clear(folder)
    return seen


def check(folder: Path, name: str, kills: int) -> None:
    seen = campaign(folder, COMMANDS[name], kills)
    print(f"{name}: {seen}")  # shown with -rP
    assert seen["killed"] >= kills // 2


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_leaves_nothing(folder: Path, name: str) -> None:
    check(folder, name, FAST)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_many_killed_commands_leave_nothing(folder: Path, name: str) -> None:
    check(folder, name, SLOW)
