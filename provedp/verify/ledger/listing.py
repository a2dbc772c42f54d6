"""What the ledger holds, as results to print, to show in a notebook, and to go through."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from provedp.verify.ledger import chain, committed, pages, record, registry, search, texts
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.entries import (
    ClaimEntry,
    ItemEntry,
    entries_of,
    item_entries,
    item_entry,
)
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.papers import Item, Paper
from provedp.verify.ledger.run import Result, run
from provedp.verify.ledger.seen import Evidence


class _Shown:
    """Something that is text, in a terminal and, set in one width, in a notebook."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@dataclass(frozen=True, repr=False)
class ClaimList(_Shown, Sequence[ClaimEntry]):
    """Claims of the ledger, in its order: a sequence of `ClaimEntry` that prints as a table."""

    entries: tuple[ClaimEntry, ...]

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, place: int) -> ClaimEntry: ...
    @overload
    def __getitem__(self, place: slice) -> "ClaimList": ...
    def __getitem__(self, place: int | slice) -> "ClaimEntry | ClaimList":
        if isinstance(place, slice):
            return ClaimList(self.entries[place])
        return self.entries[place]

    def __str__(self) -> str:
        return texts.listed_claims(self.entries)

    __repr__ = __str__

    def as_data(self) -> list[dict[str, Any]]:
        """Return the entries as JSON data, as in ledger.json."""
        return [dict(entry.data) for entry in self.entries]

    def _repr_markdown_(self) -> str:
        rows = (
            f"| `{e.id}` | {e.verdict_in_words} | {pages.cell(e.sources_in_words)} |"
            for e in self.entries
        )
        return "\n".join(["| claim | verdict | source |", "| --- | --- | --- |", *rows])


@dataclass(frozen=True, repr=False)
class ItemList(_Shown, Sequence[ItemEntry]):
    """Items of papers with the claims that name them, in the papers' order."""

    entries: tuple[ItemEntry, ...]

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, place: int) -> ItemEntry: ...
    @overload
    def __getitem__(self, place: slice) -> "ItemList": ...
    def __getitem__(self, place: int | slice) -> "ItemEntry | ItemList":
        if isinstance(place, slice):
            return ItemList(self.entries[place])
        return self.entries[place]

    def __str__(self) -> str:
        return texts.listed_items(self.entries)

    __repr__ = __str__

    def as_data(self) -> list[dict[str, Any]]:
        """Return the items as JSON data, with the ids of their claims."""
        return [item_data(entry) for entry in self.entries]

    def _repr_markdown_(self) -> str:
        rows = (
            f"| {e.item} | {e.verdict_in_words} | {len(e.claims)} | "
            f"{pages.cell(e.item.statement or e.item.title)} |"
            for e in self.entries
        )
        return "\n".join(
            ["| item | verdict | claims | what it says |", "| --- | --- | --- | --- |", *rows]
        )


@dataclass(frozen=True, repr=False)
class ClaimPage(_Shown):
    """One claim whole, run anew; prints as `provedp show` does.

    Parameters
    ----------
    entry
        What the run makes of it, as the ledger would have it.
    result
        The run: verdict, evidence, and what is wrong with the record.
    repairs
        Ids and statements of the claims that put it right.
    """

    entry: ClaimEntry
    result: Result = field(compare=False)
    repairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return texts.claim_in_full(self.entry.data, self.repairs)

    __repr__ = __str__

    def as_data(self) -> dict[str, Any]:
        """Return the claim's ledger entry as JSON data."""
        return dict(self.entry.data)


@dataclass(frozen=True, repr=False)
class ItemPage(_Shown):
    """One item of a paper whole, as recorded; prints as `provedp show` does.

    Parameters
    ----------
    entry
        The item, and the claims that speak of it.
    statements
        Statements of all claims by id, the repairs among them.
    """

    entry: ItemEntry
    statements: dict[str, str]

    def __str__(self) -> str:
        return texts.item_in_full(self.entry, self.statements)

    __repr__ = __str__

    def as_data(self) -> dict[str, Any]:
        """Return the item as JSON data, with the ledger's entries of its claims."""
        return item_data(self.entry) | {"claims": [dict(c.data) for c in self.entry.claims]}


def item_data(found: ItemEntry) -> dict[str, Any]:
    """Return an item as JSON data, with the ids of its claims."""
    item = found.item
    return {
        "paper": str(item.paper),
        "item": item.name,
        "section": item.section,
        "statement": item.statement or item.title,
        "verdict": None if found.verdict is None else str(found.verdict),
        "defects": [str(defect) for defect in found.defects],
        "claims": [claim.id for claim in found.claims],
    }


def entries(file: str | None = None) -> tuple[ClaimEntry, ...]:
    """Return the claims as recorded: of the package's ledger, or of a user's file, not run.

    Raises
    ------
    ValueError
        If there is no such ledger or file, or it holds no claims.
    """
    return committed.entries() if file is None else entries_of(_recorded(file))


def _recorded(file: str) -> Iterator[record.Entry]:
    for claim in registry.claims(file).values():
        result = Result(claim.id, claim.verdict, claim.verdict, Evidence(), claim.fault)
        yield _entry(claim, result, file)


def _entry(claim: Claim, result: Result, file: str | None) -> record.Entry:
    repairs = tuple(repair.id for repair in registry.repairs_of(claim, file))
    return record.entry(claim, result, repairs, _standing(claim, result, file))


def _standing(claim: Claim, result: Result, file: str | None) -> chain.Standing:
    return registry.standing(claim, result.verdict, file)


def items(paper: str | None = None, file: str | None = None) -> ItemList:
    """Return the items that claims speak of, of a paper or of all three.

    Raises
    ------
    ValueError
        If there is no such paper, ledger or file.
    """
    wanted = tuple(Paper) if paper is None else (search.read_choice(Paper, "paper", paper),)
    known = entries(file)
    return ItemList(tuple(found for each in wanted for found in item_entries(each, known)))


def item_page(item: Item, file: str | None = None) -> ItemPage:
    """Return an item whole, as recorded."""
    known = entries(file)
    return ItemPage(item_entry(item, known), {entry.id: entry.statement for entry in known})


def claim_page(name: str, file: str | None = None, level: Level = Level.QUICK) -> ClaimPage:
    """Run a claim and return it whole.

    Raises
    ------
    ValueError
        If there is no such claim, or the file holds no claims.
    """
    claim = registry.find(name, file)
    repairs = registry.repairs_of(claim, file)
    result = run(claim, repairs, level)
    standing = _standing(claim, result, file)
    if standing.fault:
        result = result.with_fault(standing.fault)
    entry = ClaimEntry.of_data(_entry(claim, result, file))
    return ClaimPage(entry, result, tuple((repair.id, repair.statement) for repair in repairs))


def page(name: str, file: str | None = None) -> ClaimPage | ItemPage:
    """Return whole what a name stands for: 'counting, Theorem 1' or a claim's id.

    Raises
    ------
    ValueError
        If it is neither; the message says what is near. If items of several papers have the name.
    """
    found = search.read_item(name)
    if not found:
        return claim_page(name, file)
    if len(found) > 1:
        named = " or ".join(repr(str(item)) for item in found)
        raise ValueError(f"{name!r} stands in {len(found)} papers: say {named}.")
    return item_page(found[0], file)
