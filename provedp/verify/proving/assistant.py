"""The proof assistant as a program: whether it is here, and what it says of a folder of sources."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from provedp.verify.formal.record import CLOSED, Theorem
from provedp.verify.formal.sources import PROJECT

PACKAGES = (
    *("coq", "libcoq-mathcomp-ssreflect", "libcoq-mathcomp-algebra", "libcoq-mathcomp-field"),
    "libcoq-mathcomp-algebra-tactics",
)
MISSING = (
    "The proofs need Coq 8.16 and MathComp 1.15, which are not here. On Debian 12:\n"
    f"  apt-get install --no-install-recommends {' '.join(PACKAGES)}\n"
    "Nothing was done."
)
LIMIT = 3600  # seconds for the whole build, on a busy machine
PROBE = "From mathcomp Require Import all_ssreflect all_algebra zify ring.\n"
MARK = "@@@"


class ProofError(Exception):
    """A source that the assistant does not accept, or an answer that cannot be read."""


def is_here(folder: Path) -> bool:
    """Return whether the assistant and its libraries are here; `folder` is for the try."""
    if shutil.which("coqc") is None:
        return False
    (folder / "probe.v").write_text(PROBE, encoding="utf-8")
    return _run(["coqc", "-w", "none", "probe.v"], folder).returncode == 0


def version() -> str:
    """Return the assistant's name and version."""
    return f"Coq {_run(['coqc', '--print-version'], Path.cwd()).stdout.split()[0]}"


def library() -> str:
    """Return the library's name and version, as its package says; without one, its name."""
    where = Path(_run(["coqc", "-where"], Path.cwd()).stdout.strip())
    done = shutil.which("dpkg-query") and _run(
        ["dpkg-query", "--show", "--showformat=${Version}", PACKAGES[2]], where
    )
    number = re.match(r"[\d.]+", done.stdout) if done else None
    return f"MathComp {number.group()}" if number else "MathComp"


def compile_all(folder: Path, jobs: int) -> None:
    """Compile what the project file of a folder lists; raise `ProofError` if it is refused."""
    made = _run(["coq_makefile", "-f", PROJECT, "-o", "Makefile.coq"], folder)
    if made.returncode:
        raise ProofError(made.stderr)
    done = _run(["make", "-f", "Makefile.coq", f"-j{jobs}"], folder)
    if done.returncode:
        raise ProofError(_complaint(done.stdout + done.stderr))


def compiles(folder: Path, name: str) -> bool:
    """Return whether one source of a folder compiles, what it requires being compiled."""
    return not _run(["coqc", "-Q", ".", "provedp", "-w", "none", name], folder).returncode


def theorems(folder: Path, names: Iterable[str]) -> dict[str, Theorem]:
    """Return theorems as the assistant prints them, by name ('optimum.theorem_1').

    Assumptions are those of all proofs together first: if there are none, no theorem has one.

    Raises
    ------
    ProofError
        If one is unknown.
    """
    wanted = sorted(set(names))
    whole = ", ".join(f"@provedp.{name}" for name in wanted)
    together = [f"Definition everything := ({whole}).", "Print Assumptions everything."]
    printed = _asked(folder, wanted, [f"Check provedp.{name}." for name in wanted], together)
    *said, assumed = printed
    if assumed == CLOSED:
        return {
            name: Theorem(name, _statement(text), CLOSED)
            for name, text in zip(wanted, said, strict=True)
        }
    each = [f"Print Assumptions provedp.{name}." for name in wanted]
    apart = _asked(folder, wanted, each, [])
    return {
        name: Theorem(name, _statement(text), " ".join(found.split()))
        for name, text, found in zip(wanted, said, apart, strict=True)
    }


def _asked(folder: Path, names: Sequence[str], each: list[str], then: list[str]) -> list[str]:
    """Return what the assistant prints for commands, one for each, and for all that follow."""
    files = sorted({name.partition(".")[0] for name in names})
    lines = ["From mathcomp Require Import all_ssreflect all_algebra.", "Set Printing Width 100."]
    lines += ["Unset Printing Implicit Defensive.", "Local Open Scope ring_scope."]
    lines += [f"From provedp Require {file}." for file in files]
    lines += [f"From provedp Require Import {' '.join(files)}."]
    mark = f'Goal True. idtac "{MARK}". Abort.'
    lines += [line for command in each for line in (mark, command)] + [mark, *then]
    (folder / "ask.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = _run(["coqc", "-Q", ".", "provedp", "-w", "none", "ask.v"], folder)
    if done.returncode:
        raise ProofError(done.stderr)
    parts = [part.strip() for part in done.stdout.split(f"{MARK}\n")[1:]]
    return parts if then else parts[:-1]


def _statement(printed: str) -> str:
    """Return a statement without its name."""
    return _dedented(re.sub(r"^\s*[\w.]+\s*:\s*", "", printed, count=1).strip())


def _dedented(statement: str) -> str:
    """Return a statement without the indent that the assistant gives all lines but the first."""
    first, *rest = statement.splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return "\n".join([first, *(line[margin:] for line in rest)])


def _complaint(printed: str) -> str:
    """Return what the assistant says of the first source that it refuses."""
    found = re.search(r'^File "\./.*?(?=^make|\Z)', printed, re.MULTILINE | re.DOTALL)
    return found.group().strip() if found else printed[-2000:]


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, env=plain, check=False
    )
