"""The record of a build: which theorem stands for which claim, and whether that still holds.

The record (proofs.json in the package) is written by a machine that has the proof assistant. Here
no assistant is needed: digests of the sources, the generated agreement with the Python formulas and
a search for forbidden words tell whether the record is about what stands here.
"""

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from provedp.verify.formal import sources
from provedp.verify.formal.agreement import AGREEMENTS, agreement
from provedp.verify.formal.sources import AGREEMENT, digest

FORMAT = "provedp proofs 1"
FILE = resources.files("provedp") / "proofs.json"
CLOSED = "Closed under the global context"
PARTS = (
    *("assistant", "library", "digests", "required"),
    *("formulas", "theorems", "claims"),
)
ADDRESSES = {one.formula: one.address for one in AGREEMENTS}
CHECKED = "checked.json"  # beside the sources, made by a build here; not part of the project


@dataclass(frozen=True)
class Theorem:
    """A theorem as the assistant prints it.

    Parameters
    ----------
    name
        Source and name: 'optimum.theorem_1'.
    statement
        As printed by `Check`.
    assumptions
        As printed by `Print Assumptions`.
    """

    name: str
    statement: str
    assumptions: str

    @property
    def source(self) -> str:
        """The file that it stands in."""
        return f"{self.name.partition('.')[0]}.v"


@dataclass(frozen=True)
class Record:
    """What a build recorded.

    Parameters
    ----------
    assistant, library
        With their versions: 'Coq 8.16.1', 'MathComp 1.15.0'.
    digests
        SHA-256 of each source.
    required
        The sources that each source requires.
    formulas
        SHA-256 of what the agreement says of each Python formula.
    theorems
        By name.
    claims
        Names of theorems by the claim's id.
    """

    assistant: str
    library: str
    digests: Mapping[str, str]
    required: Mapping[str, tuple[str, ...]]
    formulas: Mapping[str, str]
    theorems: Mapping[str, Theorem]
    claims: Mapping[str, tuple[str, ...]]


@functools.cache
def recorded() -> Record | None:
    """Return the record that came with the package; None if none did.

    Raises
    ------
    ValueError
        If the file is no such record.
    """
    if not FILE.is_file():
        return None
    try:
        data = json.loads(FILE.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"proofs.json is no record of proofs: {error}") from error
    return of_data(data)


def of_data(data: Any) -> Record:
    """Return the record that JSON data says; raise `ValueError` if it says none."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"proofs.json is no record of proofs in the format {FORMAT!r}.")
    missing = [name for name in PARTS if name not in data]
    if missing:
        raise ValueError(f"proofs.json is no record of proofs: it lacks {', '.join(missing)}.")
    theorems = (Theorem(name=name, **parts) for name, parts in data["theorems"].items())
    return Record(
        data["assistant"],
        data["library"],
        data["digests"],
        {name: tuple(others) for name, others in data["required"].items()},
        data["formulas"],
        {theorem.name: theorem for theorem in theorems},
        {name: tuple(others) for name, others in data["claims"].items()},
    )


def lapse(claim: str, theorems: Sequence[str]) -> str:
    """Return why the theorems that a claim names do not stand for it; '' if they do."""
    record = recorded()
    if record is None:
        return "no record of proofs came with the package"
    if tuple(theorems) != record.claims.get(claim, ()):
        return f"the record names other theorems for it: {', '.join(record.claims.get(claim, ()))}"
    reasons = (_lapse_of(record, name) for name in theorems)
    return next(filter(None, reasons), "")


def _lapse_of(record: Record, name: str) -> str:
    theorem = record.theorems.get(name)
    if theorem is None:
        return f"the record has no theorem {name}"
    if theorem.assumptions != CLOSED:
        return f"{name} rests on assumptions: {theorem.assumptions}"
    changed = changed_sources()
    for source in sources.needed(theorem.source, record.required):
        if source in changed:
            return f"{name} is recorded, but {changed[source]}"
    differing = changed_formulas()
    for formula in formulas_in(theorem.statement):
        if formula in differing:
            return f"{ADDRESSES[formula]} is not the formula that {name} was recorded for"
    return ""


def formulas_in(statement: str) -> tuple[str, ...]:
    """Return the Python formulas that agree with the definitions a statement speaks of.

    >>> formulas_in("0 <= error m k delta")
    ('error', 'error_limit')
    """
    words = set(re.findall(r"\w+", statement))
    return tuple(one.formula for one in AGREEMENTS if one.definition in words)


@functools.cache
def changed_formulas() -> frozenset[str]:
    """Return the Python formulas that no longer say what the assistant proved of them."""
    record = recorded()
    known = {} if record is None else record.formulas
    return frozenset(one.formula for one in AGREEMENTS if _says(one) != known.get(one.formula))


def _says(one: Any) -> str:
    """Return the digest of what a formula says; '' if it cannot be printed."""
    try:
        return digest(one.text())
    except Exception:  # whatever a changed formula raises, it is not the recorded one
        return ""


@functools.cache
def changed_sources() -> dict[str, str]:
    """Return what is wrong with each source, by name; nothing where the sources are not here."""
    record = recorded()
    if record is None or not sources.present():
        return {}
    here = sources.read()
    strange = sources.other_options()
    if strange:
        return dict.fromkeys((*record.digests, *here), strange)
    wrong = {name: f"{name} is not there" for name in record.digests if name not in here}
    for name, text in here.items():
        words = sources.weakened(text)
        if words:
            wrong[name] = f"{name} weakens the kernel: {', '.join(words)}"
        elif record.digests.get(name) != digest(text):
            wrong[name] = f"{name} has changed since"
    return wrong


def forget() -> None:
    """Read the record and the sources anew when they are next asked for."""
    for read in (recorded, changed_formulas, changed_sources):
        read.cache_clear()


def differences() -> list[str]:
    """Return what differs from the record, one line each: sources, agreement, record itself."""
    record = recorded()
    if record is None:
        return ["proofs: no record came with the package"]
    lines = [f"proofs: {why}" for why in dict.fromkeys(changed_sources().values())]
    changed = (ADDRESSES[name] for name in sorted(changed_formulas()))
    lines += [f"proofs: {address} has changed since" for address in changed]
    if sources.present() and not changed_formulas():
        committed = (sources.FOLDER / AGREEMENT).read_text(encoding="utf-8")
        if committed != agreement():
            lines.append(f"proofs: {AGREEMENT} is not what the Python formulas say")
    return lines


def was_checked_here() -> bool:
    """Return whether a build on this machine accepted just these sources."""
    path = sources.FOLDER / CHECKED
    record = recorded()
    if record is None or not path.is_file():
        return False
    try:
        return bool(json.loads(path.read_text(encoding="utf-8")) == dict(record.digests))
    except ValueError:
        return False


def standing_in_words() -> str:
    """Return where the proofs were checked, in words that say no more than that."""
    if was_checked_here():
        return "checked here"
    if sources.present():
        return "recorded, not checked here (`make proofs`)"
    return "recorded, and their sources are not here"
