"""Choosing from the ledger: by paper and item, verdict, defect, role and words."""

import re
from collections.abc import Sequence
from typing import TypeVar

from provedp.verify.ledger import papers, words
from provedp.verify.ledger.claim import Defect, Role, Verdict
from provedp.verify.ledger.entries import ClaimEntry
from provedp.verify.ledger.papers import Item, Paper

# How the kinds of items are written, and as what they are cited.
KINDS = {
    "theorem thm": "Theorem",
    "lemma lem": "Lemma",
    "corollary cor": "Corollary",
    "proposition prop": "Proposition",
    "definition def": "Definition",
    "assumption": "Assumption",
    "remark rem": "Remark",
    "algorithm alg": "Algorithm",
    "example ex": "Example",
    "figure fig": "Figure",
    "table tab": "Table",
    "section sec": "Section",
    "appendix app": "Appendix",
    "footnote": "footnote",
    "equation eq eqn": "eq.",
    "problem": "",
}
NEAR = 6  # items that an error names

_KIND = {word: cited for spellings, cited in KINDS.items() for word in spellings.split()}
_ITEM = re.compile(r"(?P<kind>[A-Za-z]*)[\s.~]*(?P<number>\(?[A-Za-z0-9]+([.-][A-Za-z0-9]+)*\)?)")
_PAPER = re.compile(rf"\s*(?P<paper>{'|'.join(Paper)})(\s+paper)?\s*[,:\s]\s*(?P<item>\S.*)", re.I)

Choice = TypeVar("Choice", Paper, Defect, Role)


class UnknownItemError(ValueError):
    """No item of a paper has this name."""


def read_choice(kind: type[Choice], name: str, text: str) -> Choice:
    """Return the paper, defect or role of a name, however that is capitalised.

    Raises
    ------
    ValueError
        If there is none.
    """
    for value in kind:
        if str(text).strip().lower() == value:
            return value
    known = ", ".join(repr(str(value)) for value in kind)
    raise ValueError(f"The '{name}' must be one of {known}. Got {text!r} instead.")


def read_verdict(text: str) -> Verdict:
    """Return the verdict of a name.

    Raises
    ------
    ValueError
        If there is none.
    """
    try:
        return Verdict[str(text).strip().upper()]
    except KeyError:
        known = ", ".join(repr(str(verdict)) for verdict in sorted(Verdict, reverse=True))
        raise ValueError(f"The 'verdict' must be one of {known}. Got {text!r} instead.") from None


def cited(text: str) -> str:
    """Return an item's name as it is cited.

    >>> cited("thm 1"), cited("Eq. 10"), cited("(10)"), cited("prop. a.2"), cited("fig 3")
    ('Theorem 1', 'eq. (10)', 'eq. (10)', 'Proposition A.2', 'Figure 3')
    >>> cited("section iv-c"), cited("(P1)")
    ('Section IV-C', '(P1)')
    """
    found = _ITEM.fullmatch(" ".join(text.split()))
    if found is None:
        return text
    kind = _KIND.get(found["kind"].lower(), None if found["kind"] else "")
    number = found["number"].strip("()").upper()
    if kind is None or not number[-1:].isalnum():
        return text
    if kind == "eq." or (not kind and number.isdigit()):
        return f"eq. ({number})"
    return f"{kind} {number}" if kind else f"({number})"


def find_item(paper: Paper, text: str) -> Item:
    """Return the item of a paper that a text names: 'Theorem 1', 'thm 1', 'eq. (10)', '(10)'.

    Raises
    ------
    UnknownItemError
        If there is none; the message lists near ones of that paper.
    """
    known = papers.items(paper)
    name = cited(text)
    if name not in known:
        near = ", ".join(_near(name, list(known)))
        raise UnknownItemError(f"The {paper} paper has no item {text!r}; it has {near}.")
    return known[name]


def _near(name: str, known: Sequence[str]) -> list[str]:
    """Return items of the same kind, those with the nearest numbers; of no kind, the theorems."""
    kind = name.partition(" ")[0]
    alike = [item for item in known if item.partition(" ")[0] == kind]
    if not alike:
        return [item for item in known if item.startswith(("Theorem", "Proposition"))][:NEAR]
    place = next((i for i, item in enumerate(alike) if _order(item) > _order(name)), len(alike))
    start = max(0, min(place - NEAR // 2, len(alike) - NEAR))
    return alike[start : start + NEAR]


def _order(item: str) -> tuple[tuple[bool, int, str], ...]:
    parts = re.findall(r"\d+|[A-Za-z]+", item.partition(" ")[2])
    return tuple((not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts)


def read_item(text: str) -> tuple[Item, ...]:
    """Return the items that a text names: one after a paper's name, else one of every paper.

    Nothing is returned of a text that names no paper and is no item of one.

    Raises
    ------
    UnknownItemError
        If the paper that is named has no such item, or there is no such paper.

    >>> [str(item) for item in read_item("counting, Theorem 1")]
    ['counting, Theorem 1']
    >>> [str(item) for item in read_item("theorem 1")]
    ['counting, Theorem 1', 'mixture, Theorem 1']
    """
    found = _PAPER.fullmatch(text)
    if found is not None:
        return (find_item(Paper(found["paper"].lower()), found["item"]),)
    paper, comma, item = text.partition(",")
    if comma and any(cited(item.strip()) in papers.items(each) for each in Paper):
        known = ", ".join(Paper)
        raise UnknownItemError(f"No paper is called {paper.strip()!r}: the papers are {known}.")
    named = cited(text)
    return tuple(papers.items(paper)[named] for paper in Paper if named in papers.items(paper))


def chosen(
    entries: Sequence[ClaimEntry],
    *,
    paper: Paper | str | None = None,
    item: str | None = None,
    verdict: Verdict | str | None = None,
    defect: Defect | str | None = None,
    role: Role | str | None = None,
    text: str | None = None,
) -> tuple[ClaimEntry, ...]:
    """Return the entries that meet everything that is asked for.

    Parameters
    ----------
    paper
        'counting', 'mixture' or 'modes': claims that speak of it.
    item
        An item, such as 'Theorem 1' or 'eq. (10)', of the paper or, without one, of any.
    verdict, defect, role
        As the ledger names them: 'refuted', 'gap in the proof', 'published'.
    text
        Words, all of which must be in the id, the statement or the sources, or synonyms of them.

    Raises
    ------
    ValueError
        If there is no such paper, item, verdict, defect or role.
    """
    wanted = None if paper is None else read_choice(Paper, "paper", paper)
    items = None if item is None else _items(wanted, item)
    wanted_verdict = None if verdict is None else read_verdict(str(verdict))
    wanted_defect = None if defect is None else read_choice(Defect, "defect", defect)
    wanted_role = None if role is None else read_choice(Role, "role", role)
    return tuple(
        entry
        for entry in entries
        if (wanted is None or any(source.paper is wanted for source in entry.sources))
        and (items is None or any(entry.speaks_of(each) for each in items))
        and wanted_verdict in (None, entry.verdict)
        and wanted_defect in (None, entry.defect)
        and wanted_role in (None, entry.role)
        and (text is None or words.holds(text, searched(entry)))
    )


def _items(paper: Paper | None, text: str) -> tuple[Item, ...]:
    if paper is not None:
        return (find_item(paper, text),)
    found = read_item(text)
    if not found:
        raise UnknownItemError(f"No paper has an item {text!r}: name one such as 'Theorem 1'.")
    return found


def searched(entry: ClaimEntry) -> str:
    """Return what of an entry is searched for words."""
    return f"{entry.id} {entry.statement} {entry.sources_in_words} {entry.defect or ''}"
