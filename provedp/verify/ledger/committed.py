"""The committed ledger, which travels in the package: what a run is held against."""

from importlib import resources

from provedp.verify.ledger import record

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
