"""Claims as tests: `pytest --provedp-claims my_claims.py`, or `provedp_claims` in the ini-file.

Each claim of a file is a test. It fails where `provedp verify --from` would print a FAULT line: the
verdict is not as recorded, the check breaks, or a foundation of it has fallen. Options:

`--provedp-claims GLOB`
    Files of claims, by name or path, such as 'my_claims.py' or 'claims/*.py'; may be given again.
`provedp_claims`
    The same in the ini-file, one glob a line.
`--provedp-level quick|full`
    How much of each domain is run.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from provedp.verify.ledger.listing import ClaimPage

OPTION = "--provedp-claims"
LEVEL = "--provedp-level"


class ClaimFault(AssertionError):
    """A claim whose run does not bear out its record; `page` is the claim whole."""

    def __init__(self, fault: str, page: "ClaimPage"):
        super().__init__(fault)
        self.page = page


class ClaimItem(pytest.Item):
    """A claim as a test."""

    def __init__(self, *, claim: str, **more: Any):
        super().__init__(**more)
        self._claim = claim

    def runtest(self) -> None:
        """Run the claim; raise `ClaimFault` if its record is not borne out."""
        from provedp.verify.ledger.instances import Level
        from provedp.verify.ledger.listing import claim_page

        level = Level(self.config.getoption(LEVEL))
        page = claim_page(self._claim, str(self.path), level)
        self.user_properties.append(("provedp_verdict", str(page.entry.verdict)))
        if page.result.fault:
            raise ClaimFault(page.result.fault, page)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the fault and the claim whole, without a traceback."""
        if isinstance(excinfo.value, ClaimFault):
            return f"{self._claim}: {excinfo.value}\n\n{excinfo.value.page}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the claim stands, and its id."""
        return self.path, None, f"claim {self._claim}"


class ClaimFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterator[ClaimItem]:
        """Yield the claims, in their order; a file that holds none is an error."""
        from provedp.verify.ledger import registry

        try:
            claims = registry.claims(str(self.path))
        except ValueError as error:
            raise self.CollectError(str(error)) from None
        for name in claims:
            short = name.partition(".")[2]
            yield ClaimItem.from_parent(self, name=short, claim=name)


def add_options(parser: pytest.Parser) -> None:
    """Add the options that name files of claims."""
    group = parser.getgroup("provedp")
    group.addoption(
        OPTION, action="append", default=[], metavar="GLOB", help="Collect claims from these files."
    )
    group.addoption(
        LEVEL, choices=["quick", "full"], default="quick", help="How much of a domain is run."
    )
    parser.addini("provedp_claims", "Files of claims, one glob a line.", type="linelist")


def file_of(path: Path, parent: pytest.Collector) -> ClaimFile | None:
    """Return a file of claims if an option names it, else None."""
    globs = [*parent.config.getoption(OPTION), *parent.config.getini("provedp_claims")]
    if path.suffix == ".py" and any(_names(glob, path) for glob in globs):
        return ClaimFile.from_parent(parent, path=path)
    return None


def _names(glob: str, path: Path) -> bool:
    return path == Path(glob).absolute() or path.match(glob)


def add_named_files(config: pytest.Config) -> None:
    """Collect the files that `--provedp-claims` names, where pytest was given no others."""
    named = [glob for glob in config.getoption(OPTION) if Path(glob).is_file()]
    if named and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = named
