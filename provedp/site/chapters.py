"""Claims by paper, section and item, in the order of the paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from provedp.site.views import View, totals_of
from provedp.site.words import DEFECTS, slug
from provedp.verify.ledger import Paper, papers
from provedp.verify.ledger.entries import WORST_FIRST

FOUNDATIONS = "privacy"  # the subject of claims that belong to none of the papers
ELSEWHERE = "Beside the paper"


@dataclass(frozen=True)
class Item:
    """A theorem, an equation or another item, with the claims about it."""

    name: str
    anchor: str
    statement: str
    views: tuple[View, ...]
    also: tuple[View, ...] = ()  # those that speak of it and stand elsewhere on the page

    @property
    def worst(self) -> str:
        """The worst verdict of the paper's own statements; empty if there is none."""
        own = [view.verdict for view in (*self.views, *self.also) if view.role == "published"]
        return min(own, key=[str(verdict) for verdict in WORST_FIRST].index, default="")


@dataclass(frozen=True)
class Section:
    """A section of a paper, or a text of other authors, with its items."""

    name: str
    title: str
    items: tuple[Item, ...]

    @property
    def anchor(self) -> str:
        """Its place on the page of its paper."""
        return slug(f"in {self.name}")


@dataclass(frozen=True)
class Chapter:
    """All claims of a subject: of a paper, of the foundations, or of a file."""

    name: str
    title: str
    is_paper: bool
    sections: tuple[Section, ...]
    views: tuple[View, ...]

    @property
    def address(self) -> str:
        """Its page, from the front page."""
        return f"papers/{self.name}.html"

    @property
    def short(self) -> str:
        """What links call it."""
        if self.is_paper:
            return f"{self.name.capitalize()} paper"
        return "Foundations" if self.name == FOUNDATIONS else self.name

    @property
    def totals(self) -> dict[str, int]:
        """How many claims have each verdict."""
        return totals_of(self.views)

    @property
    def broken(self) -> list[View]:
        """The paper's statements that are refuted."""
        return [view for view in self.views if view.is_broken]

    @property
    def defects(self) -> dict[str, int]:
        """How many refuted statements have each kind of defect."""
        named = [view.defect for view in self.broken]
        return {name: named.count(name) for name in DEFECTS if name in named}


def chapters_of(views: Sequence[View], own: bool) -> tuple[Chapter, ...]:
    """Return the chapters of claims: of the project's own, the papers first; of a file, in order.

    Parameters
    ----------
    views
        The claims, in the order of the ledger.
    own
        Whether they are the project's.
    """
    names = list(dict.fromkeys(view.subject for view in views))
    if own:
        names.sort(key=lambda name: name == FOUNDATIONS)
    return tuple(_chapter(name, [v for v in views if v.subject == name], own) for name in names)


def item_of(view: View, own: bool) -> tuple[str, str]:
    """Return the section and the item under which a claim stands on the page of its subject."""
    for source in view.sources:
        if own and isinstance(source.paper, Paper) and source.paper == view.subject:
            return source.section, source.item
    for source in view.sources:
        where = "" if source.paper is None else str(source.paper)
        if own and view.subject in list(Paper):
            return ELSEWHERE, ", ".join(filter(None, (where, source.item)))
        return where or source.item, source.item or where
    return ELSEWHERE, "no source"


def _chapter(name: str, views: list[View], own: bool) -> Chapter:
    is_paper = own and name in list(Paper)
    if is_paper:
        title = papers.title(Paper(name))
        known = papers.items(Paper(name))
    else:
        title = "Foundations: definitions, composition, noise" if own else f"Claims on {name}"
        known = {}
    places: dict[str, dict[str, list[View]]] = {}
    for item in known.values():  # in the order of the paper
        places.setdefault(item.section, {})[item.name] = []
    for view in views:
        section, found = item_of(view, own)
        places.setdefault(section, {}).setdefault(found, []).append(view)
    named = _named(views) if is_paper else {}
    sections = []
    for section, items in places.items():
        found_items = [
            Item(
                item,
                slug(item if is_paper else f"{section} {item}"),
                known[item].statement if item in known else "",
                tuple(held),
                tuple(view for view in named.get(item, []) if view not in held),
            )
            for item, held in items.items()
        ]
        kept = tuple(item for item in found_items if item.views or item.also)
        if kept:
            heading = known[section].title if section in known else ""
            sections.append(Section(section, heading, kept))
    return Chapter(name, title, is_paper, tuple(sections), tuple(views))


def _named(views: Sequence[View]) -> dict[str, list[View]]:
    """Return, by item of the paper, the claims that speak of it."""
    found: dict[str, list[View]] = {}
    for view in views:
        for item in dict.fromkeys(s.item for s in view.sources if s.paper == view.subject):
            found.setdefault(item, []).append(view)
    return found
