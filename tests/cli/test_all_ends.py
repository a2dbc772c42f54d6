"""Every command with an output that is lost, and without docstrings: as documented, in a line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # a process each

COMMANDS = {
    "verify": "verify counting.distance_grows* --jobs 2",
    "show": "show counting.distance_grows_away_from_a_prefix",
    "value": "value counting.alpha m=8 k=2",
    "value, all": "value",
    "check": "check certificate.json",
    "solve counting": "solve counting --m 5 --epsilon 1",
    "solve gaussian": "solve gaussian --epsilon 1 --delta 1e-5",
    "solve profile": "solve profile t.csv --epsilon 1",
    "solve release": "solve release --m 5 --epsilon 1 --loss absolute",
    "compare counting": "compare counting --m 4 --epsilon 1",
    "solve noise-shape": "solve noise-shape points.csv",
    "account": "account --sigma 1 --delta 1e-5",
    "release counting": "release counting d.csv --column n --m 9 --epsilon 1 --output o/n.csv",
    "release mixture": "release mixture d.csv --label t --features x,y --classes a,b --bound 9"
    " --epsilon 1 --delta 1e-5 --output o/m.json",
    "release modes": "release modes d.csv --columns x,y --box 0:5,0:5 --bandwidth 1 --epsilon 2"
    " --delta 1e-5 --output o/modes.json",
    "diagnose mixture": "diagnose mixture d.csv --label t --features x,y --classes a,b --bound 9",
    "audit": "audit mine:half --claim-epsilon 9 --pair 0 1 --runs 100 --no-checks --out o/audit",
    "reproduce": "reproduce",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{i % 9},{i % 5}.5,{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    (tmp_path / "d.csv").write_text(f"n,x,y,t\n{rows}")
    (tmp_path / "t.csv").write_text("2/3,1/3\n1/3,2/3\n")
    (tmp_path / "points.csv").write_text("3,0\n0,4\n")
    (tmp_path / "mine.py").write_text("def half(data, rng):\n    return data + rng.laplace()\n")
    (tmp_path / "o").mkdir()
    words = "solve counting --m 3 --epsilon ln(2) --certificate certificate.json".split()
    subprocess.run([sys.executable, "-m", "provedp", *words], cwd=tmp_path, check=True)
    return tmp_path


def run(folder: Path, line: str, redirected: str = "", **more: str) -> tuple[int, str, str]:
    shell = f"exec {sys.executable} -m provedp {line} {redirected}"
    environment = {**os.environ, **more}
    done = subprocess.run(
        ["sh", "-c", shell], cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def lines_of(error: str) -> list[str]:
    """Return what is on standard error but for what a release says of itself."""
    return [line for line in error.splitlines() if line.startswith(("provedp: ", "Traceback"))]


@pytest.mark.parametrize("name", COMMANDS)
def test_as_it_is(folder: Path, name: str) -> None:
    status, out, err = run(folder, COMMANDS[name])
    assert status == 0, err
    assert out + err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_output(folder: Path, name: str) -> None:
    status, _, err = run(folder, COMMANDS[name], ">&-")
    assert (status, lines_of(err)) == (74, ["provedp: standard output is closed."])
    assert not list((folder / "o").iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(folder: Path, name: str) -> None:
    status, _, err = run(folder, COMMANDS[name], ">/dev/full")
    if name == "release counting":  # what it prints on standard output is in its file
        assert status == 0
        return
    assert status == 74
    (line,) = lines_of(err)
    assert "No space left" in line


@pytest.mark.parametrize("name", COMMANDS)
def test_a_reader_that_left(folder: Path, name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "provedp", *COMMANDS[name].split()]
    done = subprocess.run(words, cwd=folder, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.returncode == (0 if name == "release counting" else 141)
    assert not lines_of(done.stderr)


@pytest.mark.parametrize("name", COMMANDS)
def test_without_docstrings(folder: Path, name: str) -> None:
    status, out, err = run(folder, COMMANDS[name], PYTHONOPTIMIZE="2")
    if status == 0:
        assert out + err
        return
    assert status == 2
    (line,) = err.splitlines()
    assert "without -OO" in line
