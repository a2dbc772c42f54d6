"""The ledger as typed entries: claims, and a paper's items with the claims that speak of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from provedp.verify.ledger import papers, record
from provedp.verify.ledger.claim import Defect, Role, Verdict
from provedp.verify.ledger.papers import Item, Paper
from provedp.verify.ledger.source import Source, in_words

# From bad to good for a reader, who fears a false statement more than one that nobody decided.
WORST_FIRST = (
    Verdict.FAULT,
    Verdict.REFUTED,
    Verdict.UNDECIDED,
    Verdict.VACUOUS,
    Verdict.OPEN,
    Verdict.SUPPORTED,
    Verdict.CERTIFIED,
    Verdict.PROVED,
)


@dataclass(frozen=True)
class ClaimEntry:
    """A claim as the ledger has it.

    Parameters
    ----------
    id
        Subject and conclusion: 'counting.error_is_optimal'.
    statement
        What is claimed.
    sources
        Where it stands, or what it is about.
    role
        Whose statement it is: `Role.PUBLISHED`, `Role.REPAIRED` or `Role.OURS`.
    verdict
        What a reader may believe: its check's verdict, capped by what it rests on.
    defect
        How a published statement that is refuted is wrong.
    data
        The whole entry, as in ledger.json.
    """

    id: str
    statement: str = field(repr=False)
    sources: tuple[Source, ...] = field(repr=False)
    role: Role
    verdict: Verdict
    defect: Defect | None
    data: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "ClaimEntry":
        """Return the entry that JSON data of the ledger says."""
        return cls(
            id=data["id"],
            statement=data["statement"],
            sources=record.sources_of(dict(data)),
            role=Role(data["role"]),
            verdict=Verdict[data["verdict"].upper()],
            defect=None if data["defect"] is None else Defect(data["defect"]),
            data=data,
        )

    @property
    def subject(self) -> str:
        """The first part of its id."""
        return self.id.partition(".")[0]

    @property
    def verdict_in_words(self) -> str:
        """The verdict with its tolerance or confidence."""
        return record.verdict_in_words(dict(self.data))

    @property
    def sources_in_words(self) -> str:
        """Where it stands, as one line."""
        return in_words(self.sources)

    @property
    def counterexample(self) -> Mapping[str, Any] | None:
        """The exact arguments at which it fails; None unless it is refuted."""
        witness: Mapping[str, Any] | None = self.data["evidence"]["witness"]
        return witness

    @property
    def repaired_by(self) -> tuple[str, ...]:
        """The ids of the claims that put it right."""
        return tuple(self.data["repaired_by"])

    @property
    def home(self) -> Item | None:
        """The first item of a paper that it speaks of; None if it speaks of none."""
        for source in self.sources:
            if isinstance(source.paper, Paper):
                return papers.items(source.paper)[source.item]
        return None

    def speaks_of(self, item: Item) -> bool:
        """Return whether a source names the item or, if that is a section, something within it."""
        return any(_is_in(source, item) for source in self.sources)

    def covers(self, item: Item) -> str:
        """Return which parts of an item it speaks of; '' if it speaks of the whole."""
        there = [source for source in self.sources if _is_in(source, item)]
        words = (s.part if s.item == item.name else f"{s.item} {s.part}".strip() for s in there)
        return "; ".join(filter(None, words))


def _is_in(source: Source, item: Item) -> bool:
    if source.paper != item.paper:
        return False
    section = bool(item.title) and papers.is_within(source.section, item.name)
    return source.item == item.name or section


@dataclass(frozen=True)
class ItemEntry:
    """An item of a paper with the claims that speak of it, in their order.

    Parameters
    ----------
    item
        The paper, the item's name, its section and what it says.
    claims
        What speaks of it: the paper's own statements, their repairs, and claims of ours.
    """

    item: Item
    claims: tuple[ClaimEntry, ...]

    @property
    def published(self) -> tuple[ClaimEntry, ...]:
        """The paper's own statements."""
        return tuple(claim for claim in self.claims if claim.role is Role.PUBLISHED)

    @property
    def refuted(self) -> tuple[ClaimEntry, ...]:
        """The paper's own statements that are false."""
        return tuple(claim for claim in self.published if claim.verdict is Verdict.REFUTED)

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict of the paper's own statements; None if no claim is one."""
        return min((claim.verdict for claim in self.published), key=WORST_FIRST.index, default=None)

    @property
    def defects(self) -> tuple[Defect, ...]:
        """How the paper is wrong here, each once."""
        named = (claim.defect for claim in self.refuted if claim.defect is not None)
        return tuple(dict.fromkeys(named))

    @property
    def verdict_in_words(self) -> str:
        """The worst verdict with the defects: 'refuted (gap in the proof)'."""
        if self.verdict is None:
            return "ours alone" if self.claims else "no claim"
        defects = ", ".join(self.defects)
        return f"{self.verdict} ({defects})" if defects else str(self.verdict)


def entries_of(data: Iterable[Mapping[str, Any]]) -> tuple[ClaimEntry, ...]:
    """Return the entries of a ledger's claims, in their order."""
    return tuple(map(ClaimEntry.of_data, data))


def item_entry(item: Item, entries: Sequence[ClaimEntry]) -> ItemEntry:
    """Return an item with the claims that speak of it."""
    return ItemEntry(item, tuple(entry for entry in entries if entry.speaks_of(item)))


def item_entries(paper: Paper, entries: Sequence[ClaimEntry]) -> tuple[ItemEntry, ...]:
    """Return a paper's items that claims name, in its order; of a section, what names itself."""
    named: dict[str, list[ClaimEntry]] = {}
    for entry in entries:
        for name in dict.fromkeys(s.item for s in entry.sources if s.paper is paper):
            named.setdefault(name, []).append(entry)
    known = papers.items(paper)
    return tuple(ItemEntry(known[name], tuple(named[name])) for name in known if name in named)
