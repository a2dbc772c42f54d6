"""The committed ledger, which travels in the package: what a run is held against."""

from importlib import resources

from provedp.verify.ledger import record
from provedp.verify.ledger.entries import ClaimEntry, entries_of

FILE = resources.files("provedp") / "ledger.json"


def ledger() -> record.Entry | None:
    """Return the ledger of the quick run that came with the package; None if none did.

    Raises
    ------
    ValueError
        If the file cannot be read or is no ledger.
    """
    if not FILE.is_file():
        return None
    with resources.as_file(FILE) as path:
        return record.read(path)


def entries() -> tuple[ClaimEntry, ...]:
    """Return the claims of the ledger that came with the package.

    Raises
    ------
    ValueError
        If none came with it, or the file cannot be read or is no ledger.
    """
    found = ledger()
    if found is None:
        raise ValueError("The package holds no ledger.json, which lists its claims.")
    return entries_of(found["claims"])
