"""What a page says of one claim, made from its ledger entry and its code."""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from provedp.site.mathematics import sentence
from provedp.site.witness import found_in_html, value_in_html
from provedp.site.words import KINDS, counted, title
from provedp.verify.ledger import Claim, Source, record, totals

Entry = record.Entry
SHORT = 40  # characters of what was found that a table shows
LONG_NUMBER = re.compile(r"\d{10}")


@dataclass(frozen=True)
class View:
    """A claim as its page and the lists show it."""

    id: str
    title: str
    verdict: str
    told: str
    defect: str | None
    role: str
    sources: tuple[Source, ...]
    source: str
    statement: Markup
    plain: str
    entry: Entry = field(repr=False)

    @property
    def subject(self) -> str:
        """The first part of its id."""
        return self.id.partition(".")[0]

    @property
    def address(self) -> str:
        """Its page, from the front page."""
        return f"claims/{self.id}.html"

    @property
    def is_broken(self) -> bool:
        """Whether it is a paper's statement, and refuted."""
        return self.role == "published" and self.verdict == "refuted"

    @property
    def argued(self) -> list[Markup]:
        """The steps that no machine checked."""
        steps = () if totals.is_machine_checked(self.entry) else self.entry["argued"] or ()
        return [Markup(sentence(step)) for step in steps]

    @property
    def is_whole(self) -> bool:
        """Whether the decided formula is the statement."""
        return bool(self.entry["argued"] == [] and self.entry["own"] == "proved")

    @property
    def machine_checked(self) -> str:
        """Which assistant has checked which theorems; empty if none has."""
        return record.machine_checked_in_words(self.entry)

    @property
    def theorems(self) -> dict[str, str]:
        """The theorems as the assistant prints them, by name."""
        proof = self.entry["machine_checked"]
        return {} if proof is None else dict(proof["theorems"])

    @property
    def witness(self) -> dict[str, Markup]:
        """The counterexample by name, if there is one."""
        values = self.entry["evidence"]["witness"] or {}
        return {name: Markup(value_in_html(value)) for name, value in values.items()}

    @property
    def found(self) -> Markup:
        """What was found at the counterexample."""
        return Markup(found_in_html(self.entry["evidence"]["found"]))

    @property
    def brief(self) -> str:
        """What was found at the counterexample, if it is short and says how it fails."""
        found = str(self.entry["evidence"]["found"])
        is_brief = len(found) <= SHORT and not LONG_NUMBER.search(found)
        return found if is_brief and found != "it holds" else ""

    @property
    def checked(self) -> list[str]:
        """The domain, the identities and the entailments."""
        return record.checked_in_words(self.entry)

    @property
    def numbers(self) -> dict[str, str]:
        """The evidence in numbers, by name."""
        seen = self.entry["evidence"]
        if seen["kind"] is None:
            return {}
        rows = {"kind": KINDS[seen["kind"]], "checks": f"{seen['checks']:,}"}
        rows["instances"] = f"{seen['met']:,}"
        for name in ("skipped", "undecided"):
            if seen[name]:
                rows[name] = f"{seen[name]:,}"
        for name in ("tolerance", "confidence", "margin"):
            if seen[name] is not None:
                rows[name] = f"{seen[name]:.9g}"
        return rows | {"seconds": f"{seen['seconds']:.2f}"}


def view_of(entry: Entry) -> View:
    """Return what is shown of a ledger entry."""
    return View(
        id=entry["id"],
        title=title(entry["id"]),
        verdict=entry["verdict"],
        told=record.verdict_in_words(entry),
        defect=entry["defect"],
        role=entry["role"],
        sources=record.sources_of(entry),
        source=record.sources_in_words(entry),
        statement=Markup(sentence(entry["statement"])),
        plain=entry["statement"],
        entry=entry,
    )


def code_of(claim: Claim) -> str:
    """Return the source text of a claim's check with its decorators; empty if there is none."""
    try:
        return inspect.getsource(inspect.unwrap(claim.check))
    except (OSError, TypeError):
        return ""


def module_of(claim: Claim) -> str:
    """Return the name of the module that holds a claim."""
    return claim.check.__module__


def totals_of(views: Sequence[View]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    found: dict[str, int] = {}
    for view in views:
        found[view.verdict] = found.get(view.verdict, 0) + 1
    return found


def used_by(views: Sequence[View]) -> Mapping[str, list[str]]:
    """Return, by id, which claims rest on a claim."""
    found: dict[str, list[str]] = {}
    for view in views:
        for name in view.entry["rests_on"]:
            found.setdefault(name, []).append(view.id)
    return found


def in_total(views: Sequence[View]) -> str:
    """Return '12 claims'."""
    return counted(len(views), "claim")
