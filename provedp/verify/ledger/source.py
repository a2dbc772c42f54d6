"""Where a statement stands: a paper or another text, the item there, and the part of the item."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from provedp.verify.ledger import papers
from provedp.verify.ledger.papers import Paper


@dataclass(frozen=True)
class Reference:
    """A text that is none of the three papers: whose it is, its title and its year."""

    authors: str
    title: str = ""
    year: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.authors, str) or not self.authors.strip():
            raise ValueError(f"The 'authors' of a Reference must name somebody: {self.authors!r}.")

    def __str__(self) -> str:
        return self.authors if self.year is None else f"{self.authors} ({self.year})"


@dataclass(frozen=True)
class Source:
    """Where a statement stands, or what it is about.

    Parameters
    ----------
    paper
        One of the three papers, a `Reference`, or None for what stands in no text.
    item
        What is numbered there: 'Theorem 1', 'eq. (10)', 'Figure 3', 'Section 4.2', 'Table 1'. It
        must be an item of the paper, if it is one of the three. Without a text, the subject in
        words: 'PrivateModes', 'noise on a sample'.
    part
        Which part of the item, in words: 'statement 2', 'the proof, step 3'.

    Raises
    ------
    ValueError
        If the paper has no such item, or the item is blank.

    >>> print(Source(Paper.COUNTING, "Theorem 1", "statement 2"))
    counting paper, Theorem 1, statement 2
    >>> print(Source(Reference("Dwork and Roth", year=2014), "Theorem 3.16"))
    Dwork and Roth (2014), Theorem 3.16
    """

    paper: Paper | Reference | None
    item: str
    part: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.paper, (Paper, Reference, type(None))):
            raise ValueError(
                f"The 'paper' of a Source must be a Paper, a Reference or None: {self.paper!r}."
            )
        if not isinstance(self.item, str) or not isinstance(self.part, str):
            raise ValueError(f"Item and part of a Source are text: {self.item!r}, {self.part!r}.")
        if isinstance(self.paper, Paper) and self.item not in papers.items(self.paper):
            raise ValueError(f"The {self.paper} paper has no item {self.item!r}.")
        if not self.item.strip() and not isinstance(self.paper, Reference):
            raise ValueError("The 'item' of a Source is blank.")

    def __str__(self) -> str:
        return ", ".join(part for part in (_text(self.paper), self.item, self.part) if part)

    @property
    def section(self) -> str:
        """The paper's section that the item stands in; empty for what is in none of the papers."""
        if not isinstance(self.paper, Paper):
            return ""
        return papers.items(self.paper)[self.item].section

    def as_data(self) -> dict[str, Any]:
        """Return the source as JSON data."""
        reference = self.paper if isinstance(self.paper, Reference) else None
        return {
            "paper": str(self.paper) if isinstance(self.paper, Paper) else None,
            "reference": None if reference is None else vars(reference).copy(),
            "item": self.item,
            "part": self.part,
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> "Source":
        """Return the source that `as_data` made JSON data of."""
        if data["paper"] is not None:
            return cls(Paper(data["paper"]), data["item"], data["part"])
        reference = data["reference"]
        return cls(reference and Reference(**reference), data["item"], data["part"])


def _text(paper: Paper | Reference | None) -> str:
    if paper is None:
        return ""
    return f"{paper} paper" if isinstance(paper, Paper) else str(paper)


def in_words(sources: Iterable[Source]) -> str:
    """Return sources as one line; a text that several stand in is named once.

    >>> first, second = Source(Paper.MODES, "Lemma 3"), Source(Paper.MODES, "eq. (9)", "the noise")
    >>> in_words([first, second])
    'modes paper, Lemma 3; eq. (9), the noise'
    """
    groups = [(paper, list(found)) for paper, found in groupby(sources, key=lambda s: s.paper)]
    return "; ".join(_together(paper, found) for paper, found in groups)


def _together(paper: Paper | Reference | None, sources: list[Source]) -> str:
    """Return sources in one text; a part that several share is named after the last of them."""
    words = []
    for source, after in zip(sources, [*sources[1:], None], strict=True):
        shared = after is not None and source.part == after.part
        words.append(", ".join(filter(None, (source.item, "" if shared else source.part))))
    return ", ".join(filter(None, (_text(paper), "; ".join(words))))
