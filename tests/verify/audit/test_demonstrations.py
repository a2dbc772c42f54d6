"""Audits of what people write: Python, C, a shell script, OpenDP, diffprivlib-like objects.

And what a hang, a crash, a flood of memory, a garbage line, a print and a clash of names do.
"""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.audit import progress
from provedp.cli.main import main

CLAIM = ("--claim-epsilon", "1", "--pair", "0.0", "1.0")

C = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double data[64], scale = atof(argv[argc - 1]);
    int size = 0;
    unsigned int seed;
    FILE *random = fopen("/dev/urandom", "rb");
    FILE *file = fopen(getenv("PROVEDP_DATA"), "r");
    if (!random || fread(&seed, sizeof seed, 1, random) != 1 || !file) return 4;
    srand48(seed);
    fgetc(file);
    while (size < 64 && fscanf(file, "%lf%*c", &data[size]) == 1) size++;
    for (long index, count; scanf("%ld %ld", &index, &count) == 2; fflush(stdout))
        for (; count > 0; count--) {
            double u = drand48() - 0.5;
            printf("%.17g\\n", data[index] - scale * copysign(log1p(-2 * fabs(u)), u));
        }
    return 0;
}
"""

SHELL = """
# Two-sided geometric noise on a count. Seeds of 24 bits: some awks take all larger ones for one.
set -- "$1" $(tr -d '[],' < "$PROVEDP_DATA")
while read -r index count; do
  eval "value=\\${$((index + 2))}"
  seed=$(od -An -N3 -tu4 /dev/urandom)
  awk -v value="$value" -v count="$count" -v seed="$seed" -v rate="$1" 'BEGIN {
    srand(seed)
    for (; count > 0; count--) {
      up = int(-log(1 - rand()) / rate)
      down = int(-log(1 - rand()) / rate)
      print value + up - down
    }
  }'
done
"""

PYTHON = """
import os, signal, time
import numpy as np

def right(data, rng):
    return data + rng.laplace(scale=1.0)

def wrong(data, rng):
    return data + rng.laplace(scale=0.5)

def clipped(data, rng, count):
    noisy = data + rng.laplace(scale=1.0, size=count)
    return [None if abs(x) > 3 else round(float(x), 2) for x in noisy]

class Laplace:
    '''As the mechanisms of diffprivlib.'''
    def __init__(self, epsilon, sensitivity, random_state=None):
        self.scale = sensitivity / epsilon
        self._rng = np.random.RandomState(random_state)

    def randomise(self, value):
        return value + self._rng.laplace(scale=self.scale)

private = Laplace(1.0, 1.0)
careless = Laplace(2.0, 1.0)
repeating = Laplace(1.0, 1.0, 0)

def hangs(data, rng):
    time.sleep(1000)

def crashes(data, rng):
    os.kill(os.getpid(), signal.SIGSEGV)

def floods(data, rng):
    return len(bytearray(50 << 30))

def ends(data, rng):
    os.write(2, b"that was it")
    os._exit(5)

def drifts(data, rng):
    data = walk[0] = walk[0] + rng.laplace(scale=1.0)  # the noise stays for the next run
    return data

walk = [0.0]

def constant(data, rng):
    return data > 0.5

def chats(data, rng, count):
    print("x" * 100_000)
    return data + rng.laplace(scale=1.0, size=count)
"""

OPENDP = """
import opendp.prelude as dp
dp.enable_features("contrib")
space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
right = dp.m.make_laplace(*space, scale=1.0)
wrong = dp.m.make_laplace(*space, scale=0.5)
"""


@pytest.fixture
def audit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "EVERY", 3600.0)  # a loaded machine may take ten seconds
    Path("mine.py").write_text(PYTHON, encoding="utf-8")

    def call(*arguments: str, runs: int = 4000) -> tuple[int, Any, str]:
        with pytest.raises(SystemExit) as ended:
            main(["audit", *arguments, *CLAIM, "--runs", str(runs), "--json"])
        printed = capsys.readouterr()
        found = json.loads(printed.out) if printed.out else None
        return int(ended.value.code or 0), found, printed.err

    return call


def test_a_python_function(audit: Callable[..., Any]) -> None:
    assert audit("mine:right")[0] == 0
    status, found, _ = audit("mine:wrong")
    assert status == 1
    assert 1.5 < found["epsilon_lower"] < 2


def test_outputs_of_several_kinds(audit: Callable[..., Any]) -> None:
    assert audit("mine:clipped")[0] == 0


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_c_program(audit: Callable[..., Any]) -> None:
    Path("noise.c").write_text(C, encoding="utf-8")
    subprocess.run(["cc", "-O2", "-o", "noise", "noise.c", "-lm"], check=True)
    assert audit("--command", "./noise 1.0", "--confidence", "0.999999", runs=20_000)[0] == 0
    status, found, _ = audit("--command", "./noise 0.5", "--out", "o", runs=50_000)
    assert status == 1
    assert 1.8 < found["epsilon_lower"] < 2.1  # the program draws its own seed
    with pytest.raises(SystemExit) as ended:
        main(["replay", "o/counterexample.json", "--command", "./noise 0.5"])
    assert ended.value.code == 1


@pytest.mark.skipif(shutil.which("awk") is None, reason="no awk")
def test_a_shell_script(audit: Callable[..., Any]) -> None:
    Path("noise.sh").write_text(SHELL, encoding="utf-8")
    assert audit("--command", "sh noise.sh 1.0", "--confidence", "0.999999")[0] == 0
    status, found, _ = audit("--command", "sh noise.sh 2.0")
    assert status == 1
    assert 1.5 < found["epsilon_lower"] < 2.2  # the script draws its own seeds


def test_a_program_that_is_started_for_each_run(audit: Callable[..., Any]) -> None:
    Path("once.sh").write_text("read value; echo yes $value\n", encoding="utf-8")
    status, found, _ = audit("--command", "sh once.sh", "--once", runs=100)
    assert status == 1
    assert "'yes 0.0'" in found["event"]


@pytest.mark.slow
def test_an_opendp_measurement(audit: Callable[..., Any]) -> None:
    pytest.importorskip("opendp")
    Path("theirs.py").write_text(OPENDP, encoding="utf-8")
    assert audit("theirs:right", "--confidence", "0.999999")[0] == 0
    assert audit("theirs:wrong")[0] == 1


def test_the_bits_of_numpy_noise_tell_and_those_of_opendp_do_not(
    audit: Callable[..., Any],
) -> None:
    pytest.importorskip("opendp")
    Path("theirs.py").write_text(OPENDP, encoding="utf-8")
    assert audit("theirs:right", "--channel", "bits", "--confidence", "0.999999")[0] == 0
    status, found, _ = audit("mine:right", "--channel", "bits", runs=1000)
    assert status == 1
    assert "lowest set bit" in found["event"] or "significant bits" in found["event"]


def test_an_object_like_those_of_diffprivlib(audit: Callable[..., Any]) -> None:
    assert audit("mine:private", "--confidence", "0.999999")[0] == 0
    assert audit("mine:careless")[0] == 1


def test_a_hang(audit: Callable[..., Any]) -> None:
    status, _, err = audit("mine:hangs", "--timeout", "1")
    assert status == 3
    assert "no answer within 1 seconds" in err


def test_a_crash_and_an_exit(audit: Callable[..., Any]) -> None:
    status, _, err = audit("mine:crashes")
    assert status == 3
    assert "SIGSEGV" in err
    status, _, err = audit("mine:ends")
    assert status == 3
    assert "status 5" in err
    assert "that was it" in err


def test_a_flood_of_memory(audit: Callable[..., Any]) -> None:
    status, _, err = audit("mine:floods", "--memory", "4000")
    assert status == 3
    assert "MemoryError" in err


def test_runs_that_depend_on_one_another_are_not_counted(audit: Callable[..., Any]) -> None:
    status, found, err = audit("mine:drifts")
    assert (status, found) == (3, None)
    assert "not independent" in err
    assert audit("mine:drifts", "--no-checks")[1]["checks"] == []
    status, found, err = audit("mine:repeating")
    assert status == 3
    assert "come back under another seed" in err


def test_a_map_without_noise_is_refuted(audit: Callable[..., Any]) -> None:
    status, found, _ = audit("mine:constant")
    assert status == 1
    assert found["checks"][0] == {
        "name": "varies", "passed": False, "p_value": None, "words": "every run is the same",
    }  # fmt: skip


def test_a_print_harms_nothing(audit: Callable[..., Any]) -> None:
    status, _, err = audit("mine:chats")
    assert (status, err) == (0, "")


PROGRAMS = {
    "garbage": ("while read i c; do echo garbage; done", "no JSON value: 'garbage'"),
    "an end": ("echo oops >&2; exit 7", "status 7:\noops"),
    "a hang": ("sleep 1000", "no answer within 1 seconds"),
    "too few lines": ("read i c; echo 1", "ended with status 0"),
    "half a line": ("read i c; printf 1", "ended with status 0"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_breaks_the_protocol(audit: Callable[..., Any], name: str) -> None:
    script, message = PROGRAMS[name]
    Path("program.sh").write_text(script + "\n", encoding="utf-8")
    limit = "1" if name == "a hang" else "100"  # what is no hang may take long on a loaded machine
    status, _, err = audit("--command", "sh program.sh", "--timeout", limit)
    assert status == 3
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["theory", "mechanisms", "verify", "provedp_numbers"])
def test_a_module_of_the_audited_project_may_be_named_like_ours(
    audit: Callable[..., Any], name: str
) -> None:
    Path(f"{name}.py").write_text("SCALE = 0.5\n", encoding="utf-8")
    release = f"    return data + rng.laplace(scale={name}.SCALE)"
    code = f"import {name}\ndef release(data, rng):\n{release}\n"
    Path("project.py").write_text(code, encoding="utf-8")
    assert audit("project:release")[0] == 1
    package = Path("package") / "inner"
    package.mkdir(parents=True)
    (package / f"{name}.py").write_text(PYTHON, encoding="utf-8")
    assert audit(f"package.inner.{name}:right", runs=500)[0] == 0


@pytest.mark.parametrize("target", [("mine:hangs",), ("--command", "sh hang.sh")])
def test_a_hanging_target_does_not_outlive_an_audit_that_is_killed(
    audit: Callable[..., Any], target: tuple[str, ...]
) -> None:
    Path("mine.py").write_text(
        "import os, time\n"
        "def hangs(data, rng):\n"
        "    with open(os.path.join(os.path.dirname(__file__), 'pid'), 'w') as file:\n"
        "        file.write(f'{os.getpid()}\\n')\n"
        "    time.sleep(1000)\n",
        encoding="utf-8",
    )
    pid = Path("pid").absolute()
    Path("hang.sh").write_text(f"echo $$ > {pid}; exec sleep 1000\n", encoding="utf-8")
    command = [sys.executable, "-m", "provedp", "audit", *target, *CLAIM]
    child = subprocess.Popen(command)
    wait_for(lambda: pid.exists() and pid.read_text(encoding="utf-8").endswith("\n"))
    child.kill()
    child.wait()
    hanging = Path("/proc") / pid.read_text(encoding="utf-8").strip()
    wait_for(lambda: not hanging.exists() or "Z" in (hanging / "stat").read_text().split()[2])


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within 30 seconds")
