"""All pages of a ledger, as texts by the name of their file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provedp.site import pages, pictures
from provedp.site.chapters import Chapter, chapters_of
from provedp.site.code import highlighted
from provedp.site.folder import write_folder
from provedp.site.views import Entry, View, code_of, module_of, totals_of, used_by, view_of
from provedp.site.words import DEFECTS, MEANINGS, slug
from provedp.verify.ledger import Claim


@dataclass(frozen=True)
class Book:
    """A ledger that is read as pages.

    Parameters
    ----------
    entries
        The claims, as `provedp.verify.ledger.record.entry` returns them, in order.
    claims
        By id, the claims whose code is shown.
    own
        Whether they are the project's, and not a user's.
    origin
        Where the verdicts come from, to go on with 'Verdicts …'.
    """

    entries: Sequence[Entry]
    claims: Mapping[str, Claim]
    own: bool = True
    origin: str = ""


def write(folder: Path, book: Book) -> None:
    """Write all pages of a book into a folder, whole or not at all.

    Raises
    ------
    ValueError
        If the folder cannot be written, or holds something else.
    """
    write_folder(folder, files_of(book))


def files_of(book: Book) -> dict[str, str]:
    """Return all files of a book, by their names in its folder."""
    views = [view_of(entry) for entry in book.entries]
    known = {view.id: view for view in views}
    chapters = chapters_of(views, book.own)
    common = {
        "chapters": chapters,
        "known": known,
        "origin": book.origin,
        "totals": totals_of(views),
        "present_defects": _present_defects(views),
        "drawn": pictures.drawn(set(known)) if book.own else {},
    }
    return {
        "index.html": pages.render("index.html", root="", views=views, **common),
        **{
            c.address: pages.render("paper.html", root="../", chapter=c, **common) for c in chapters
        },
        **_lists(views, common),
        **_claims(book, views, chapters, common),
        "assets/style.css": pages.text_of("static/style.css"),
        "assets/site.js": pages.text_of("static/site.js"),
        "assets/claims.js": pages.search_index([_row(view) for view in views]),
    }


def _present_defects(views: Sequence[View]) -> dict[str, list[View]]:
    broken = [view for view in views if view.is_broken]
    return {name: found for name in DEFECTS if (found := [v for v in broken if v.defect == name])}


def _lists(views: Sequence[View], common: Mapping[str, object]) -> dict[str, str]:
    """Return a page for each verdict and each kind of defect."""
    listed = {
        f"verdicts/{name}.html": (name.capitalize(), meaning, found)
        for name, meaning in MEANINGS.items()
        if (found := [view for view in views if view.verdict == name])
    }
    for name, found in _present_defects(views).items():
        heading = f"Refuted statements of the papers: {name}"
        listed[f"defects/{slug(name)}.html"] = (heading, DEFECTS[name], found)
    return {
        address: pages.render(
            "list.html", root="../", heading=heading, meaning=meaning, found=found, **common
        )
        for address, (heading, meaning, found) in listed.items()
    }


def _claims(
    book: Book, views: Sequence[View], chapters: Sequence[Chapter], common: Mapping[str, object]
) -> dict[str, str]:
    """Return a page for each claim."""
    above = used_by(views)
    by_name = {chapter.name: chapter for chapter in chapters}
    places = [
        (section, item, view)
        for chapter in chapters
        for section in chapter.sections
        for item in section.items
        for view in item.views
    ]
    ordered = [view for _, _, view in places]
    before: dict[str, View] = {b.id: a for a, b in zip(ordered, ordered[1:], strict=False)}
    after: dict[str, View] = {a.id: b for a, b in zip(ordered, ordered[1:], strict=False)}
    written = {}
    for section, item, view in places:
        claim = book.claims.get(view.id)
        written[view.address] = pages.render(
            "claim.html",
            root="../",
            view=view,
            chapter=by_name[view.subject],
            section=section,
            item=item,
            above=above.get(view.id, []),
            before=before.get(view.id),
            after=after.get(view.id),
            code="" if claim is None else highlighted(code_of(claim)),
            module="" if claim is None else module_of(claim),
            **common,
        )
    return written


def _row(view: View) -> dict[str, str]:
    """Return what the search knows of a claim."""
    return {
        "id": view.id,
        "title": view.title,
        "verdict": view.verdict,
        "defect": view.defect or "",
        "role": view.role,
        "source": view.source,
        "text": view.plain,
    }
