"""Files are written whole or not at all."""

from pathlib import Path

import pytest

from provedp.verify.files import require_apart, require_writable, write, write_bytes


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "ledger.json"
    write(target, "old")
    with pytest.raises(TypeError):
        write_bytes(target, 3)  # type: ignore[arg-type]
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_absent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        write(tmp_path / "absent" / "file", "text")


def test_one_file_by_two_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    require_apart([tmp_path / "file", tmp_path / "other"])
    for second in (tmp_path / "." / "file", tmp_path / "link"):
        with pytest.raises(ValueError, match="are the same file"):
            require_apart([tmp_path / "file", second])


def test_what_cannot_be_written_is_known_before(tmp_path: Path) -> None:
    require_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path, tmp_path / "absent" / "file"):
        with pytest.raises(ValueError, match="cannot be written"):
            require_writable(path)
