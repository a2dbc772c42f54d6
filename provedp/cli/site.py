"""The option `--html`, which writes claims as pages to read in a browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from provedp.site.packages import require_packages
from provedp.verify.ledger import record, registry

RECORDED = "are those on record; nothing was recomputed for these pages"


def html_option(command: Any) -> Any:
    """Add the option to a command, as `html`."""
    return click.option(
        "--html", "html", metavar="DIR", help="Write pages for a browser there: a new folder."
    )(command)


def require_site(html: str | None, others: Sequence[Path] = ()) -> None:
    """Raise `ValueError` if pages could not be written now, or would replace other files.

    Parameters
    ----------
    html
        The folder; nothing is asked if it is None.
    others
        Files that the command reads or writes.
    """
    if html is None:
        return
    require_packages()
    from provedp.site.folder import require_replaceable

    folder = Path(html)
    for other in others:
        if folder.resolve() in (other.resolve(), *other.resolve().parents):
            raise ValueError(f"{other} is in {folder}, which --html replaces whole.")
    require_replaceable(folder)


def write_site(
    html: str | None, entries: Sequence[record.Entry], file: str | None, origin: str
) -> None:
    """Write pages of claims, if they are asked for.

    Parameters
    ----------
    html
        The folder, None for no pages.
    entries
        The claims, in the order of the ledger.
    file
        A user's file that they are from; None for the project's.
    origin
        Where the verdicts come from, to go on with 'Verdicts …'.
    """
    if html is None:
        return
    from provedp.site import build

    book = build.Book(entries, registry.claims(file), own=file is None, origin=origin)
    build.write(Path(html), book)
