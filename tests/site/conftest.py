"""The pages of the committed ledger, built once for a session of tests."""

from pathlib import Path

import pytest

from provedp.site import build
from provedp.verify.ledger import committed, registry


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pages of all claims."""
    ledger = committed.ledger()
    assert ledger is not None
    folder = tmp_path_factory.mktemp("pages") / "site"
    book = build.Book(ledger["claims"], registry.claims(), origin="are those on record")
    build.write(folder, book)
    return folder
