"""Files are written whole or not at all."""

from pathlib import Path

import pytest

from provedp.verify.files import write


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "ledger.json"
    write(target, "old")
    with pytest.raises(TypeError):
        write(target, 3)  # type: ignore[arg-type]
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_absent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        write(tmp_path / "absent" / "file", "text")
