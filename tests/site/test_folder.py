"""A folder of pages is written whole or not at all, and replaces nothing but pages."""

from pathlib import Path

import pytest

from provedp.site.folder import MARK, require_replaceable, write_folder

FILES = {"index.html": "one", "claims/a.html": "two"}


def names(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_pages_replace_nothing_an_empty_folder_and_pages(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_folder(folder, FILES)
    assert names(folder) == {*FILES, MARK}
    write_folder(folder, {"index.html": "three"})
    assert names(folder) == {"index.html", MARK}
    assert (folder / "index.html").read_text(encoding="utf-8") == "three"
    empty = tmp_path / "empty"
    empty.mkdir()
    write_folder(empty, FILES)
    assert names(empty) == {*FILES, MARK}
    assert {path.name for path in tmp_path.iterdir()} == {"site", "empty"}


def test_other_files_are_never_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_folder(folder, FILES)
    (folder / "claims/notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match=r"it holds claims/notes\.txt, which is no page"):
        write_folder(folder, FILES)
    assert (folder / "claims/notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "nowhere"])
def test_what_is_no_folder_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "site"
    if kind == "file":
        path.write_text("mine", encoding="utf-8")
    elif kind == "link":
        (tmp_path / "other").mkdir()
        path.symlink_to(tmp_path / "other")
    elif kind == "dangling link":
        path.symlink_to(tmp_path / "gone")
    else:
        path = tmp_path / "no/such/site"
    with pytest.raises(ValueError, match="cannot be written") as told:
        require_replaceable(path)
    assert "\n" not in str(told.value)


def test_a_failure_leaves_the_old_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    write_folder(folder, FILES)
    whole = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        if path.name == "a.html":
            raise OSError(28, "No space left on device")
        return whole(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ValueError, match="No space left"):
        write_folder(folder, {"index.html": "new", "claims/a.html": "new"})
    monkeypatch.undo()
    assert (folder / "index.html").read_text(encoding="utf-8") == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_failed_move_puts_the_old_pages_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    write_folder(folder, FILES)
    move, moved = Path.rename, []

    def once(path: Path, target: Path) -> Path:
        moved.append(path)
        if len(moved) == 2:  # the new pages to their place
            raise OSError(5, "Input/output error")
        return move(path, target)

    monkeypatch.setattr(Path, "rename", once)
    with pytest.raises(ValueError, match="Input/output error"):
        write_folder(folder, {"index.html": "new"})
    assert names(folder) == {*FILES, MARK}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
