"""What a run of one claim saw, and what it was run on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flint import arb
from hypothesis.strategies import SearchStrategy

from provedp.verify.ledger.findings import Finding, Kind, greatest, least
from provedp.verify.ledger.instances import Instance, Instances, Level
from provedp.verify.ledger.journal import SHOWN, Journal

_WORDS = {
    Kind.SYMBOLIC: "symbolic",
    Kind.EXACT: "exact",
    Kind.BALL: "ball arithmetic",
    Kind.FLOAT: "floating point",
    Kind.STATISTICAL: "statistical",
}
LISTED = 6  # values of a parameter that are shown one by one
WIDTH = 60  # characters of one value


@dataclass
class Evidence:
    """What a run of one claim saw.

    Parameters
    ----------
    kind
        The weakest kind of finding, None before any.
    met, skipped, undecided
        Instances that met the hypotheses, that did not, and that could not be decided.
    checks, base
        Elementary comparisons in all, and those that are base cases of a proof.
    margin
        Smallest distance from failing, where comparisons have one.
    tolerance, confidence
        For closeness, floating point and statistics alone.
    witness
        The first instance that fails, and what was found there.
    repair
        For a refuted claim with a repair: how the repair fares at the witness.
    fault
        What is wrong with the check itself: it raises, returns no finding, compares what is none.
    steps, count
        The first identities and entailments as text, and how many there were.
    seconds
        Wall time.
    """

    kind: Kind | None = None
    met: int = 0
    skipped: int = 0
    undecided: int = 0
    checks: int = 0
    base: int = 0
    margin: float | None = None
    tolerance: float | None = None
    confidence: float | None = None
    witness: Instance | None = None
    found: str = ""
    repair: str = ""
    fault: str = ""
    steps: list[str] = field(default_factory=list)
    count: int = 0
    seconds: float = 0.0

    def add(self, finding: Finding, journal: Journal) -> None:
        """Count one finding on an instance that met the hypotheses."""
        self.met += 1
        self.checks += finding.checks
        self.base += finding.base
        kind = min(finding.kind, Kind.FLOAT) if journal.weak else finding.kind
        self.kind = kind if self.kind is None else min(self.kind, kind)
        self.margin = least((self.margin, finding.margin))
        self.confidence = least((self.confidence, finding.confidence))
        self.tolerance = greatest((self.tolerance, finding.tolerance))
        if finding.holds is None:
            self.undecided += 1
        self.count += journal.count
        self.steps += journal.steps[: SHOWN - len(self.steps)]

    def in_words(self) -> str:
        """Say in a few words what was seen."""
        if self.kind is None:
            return (
                f"no instance met the hypotheses ({self.skipped} skipped)" if self.skipped else ""
            )
        words = [_WORDS[self.kind], f"{self.checks} check{'s' if self.checks != 1 else ''}"]
        if self.met > 1 or self.skipped:
            words.append(f"{self.met} instances")
        if self.skipped:
            words.append(f"{self.skipped} skipped")
        if self.undecided:
            words.append(f"{self.undecided} undecided")
        if self.tolerance is not None:
            words.append(f"within {self.tolerance:g}")
        if self.confidence is not None:
            words.append(f"confidence {self.confidence:.9g}")
        if self.witness is not None:
            words.append(f"fails: {self.found}")
        return ", ".join(words)


def instance_in_words(instance: Instance) -> str:
    """Return the arguments of one instance, on one line: 'm = 2, k = 3/2'."""
    return ", ".join(f"{name} = {_brief(str(value))}" for name, value in instance.items())


def domain_in_words(instances: Instances, level: Level) -> list[str]:
    """Return what a claim is run on, a line for each parameter: its values, or its extremes."""
    if instances.cases is not None:
        cases = list(instances.listed(level))
        return [f"{len(cases)} listed case{'s' if len(cases) != 1 else ''}"]
    lines = [f"{name}: {_values(instances.at(name, level))}" for name in instances.values]
    if instances.strategy(level) is not None:
        return [f"{instances.count(level)} generated instances", *lines]
    return lines


def _values(values: Any) -> str:
    if isinstance(values, SearchStrategy):
        return _brief(repr(values))
    listed = list(values)
    if len(listed) <= LISTED:
        return f"{len(listed)} value{'s' if len(listed) != 1 else ''}: " + "; ".join(
            _brief(str(value)) for value in listed
        )
    try:
        low, high = min(listed), max(listed)
    except (TypeError, ValueError):
        low, high = None, None
    if isinstance(low, (Mapping, list, tuple, str, arb)) or low is None:
        return f"{len(listed)} values, the first {_brief(str(listed[0]))}"
    return f"{len(listed)} values from {_brief(str(low))} to {_brief(str(high))}"


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else f"{line[:WIDTH]}…"
