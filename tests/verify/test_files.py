"""Files are written whole or not at all, and nothing else is written over."""

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from provedp.verify import files
from provedp.verify.files import require_apart, require_writable, write, write_bytes


@pytest.fixture(params=["without names", "with names"], autouse=True)
def kind_of_file(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run every test as on a system that knows files without names, and as on another."""
    if request.param == "with names":
        monkeypatch.setattr(files, "NAMELESS", None)
    elif files.NAMELESS is None:
        pytest.skip("no files without names on this system")
    return str(request.param)


@pytest.fixture
def umask() -> Iterator[Callable[[int], None]]:
    before = os.umask(0o022)
    yield lambda mask: (os.umask(mask), None)[1]
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "ledger.json"
    write(target, "old")
    with pytest.raises(TypeError):
        write_bytes(target, 3)  # type: ignore[arg-type]
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_absent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="absent/file cannot be written"):
        write(tmp_path / "absent" / "file", "text")


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for place, name in ((os, "link"), (Path, "replace")):
        monkeypatch.setattr(place, name, full)
    with pytest.raises(ValueError, match="file cannot be written: No space left"):
        write(tmp_path / "file", "text")
    assert list(tmp_path.iterdir()) == []


def test_one_file_by_two_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    require_apart([tmp_path / "file", tmp_path / "other"])
    for second in (tmp_path / "." / "file", tmp_path / "link"):
        with pytest.raises(ValueError, match="are the same file"):
            require_apart([tmp_path / "file", second])


def test_hard_links_are_one_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("")
    second.hardlink_to(first)
    with pytest.raises(ValueError, match="are the same file"):
        require_apart([first, tmp_path / "third", second])


def test_what_cannot_be_written_is_known_before(tmp_path: Path) -> None:
    require_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path, tmp_path / "absent" / "file", tmp_path / ("long" * 100)):
        with pytest.raises(ValueError, match="cannot be written"):
            require_writable(path)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o666)


def device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("devices are made by root alone")


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def link_to_null(path: Path) -> None:
    path.symlink_to("/dev/null")


def link_to_a_file(path: Path) -> None:
    (path.parent / "file").write_text("old")
    path.symlink_to("file")


@pytest.mark.parametrize(
    "make", [Path.mkdir, pipe, listening, device, link_to_nothing, link_to_null, link_to_a_file]
)
def test_what_is_no_regular_file_stays(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "x"
    make(path)
    before, entries = path.lstat(), sorted(tmp_path.iterdir())
    for attempt in (require_writable, lambda place: write(place, "new")):
        with pytest.raises(ValueError, match="no regular file"):
            attempt(path)
    after = path.lstat()
    assert (before.st_ino, before.st_mode) == (after.st_ino, after.st_mode)
    assert sorted(tmp_path.iterdir()) == entries
    assert all(each.read_text() == "old" for each in entries if each.name == "file")


@pytest.mark.parametrize(("mask", "expected"), [(0o077, 0o600), (0o022, 0o644), (0, 0o666)])
def test_a_new_file_respects_the_umask(
    tmp_path: Path, umask: Callable[[int], None], mask: int, expected: int
) -> None:
    umask(mask)
    write(tmp_path / "file", "text")
    assert mode_of(tmp_path / "file") == expected


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o777])
def test_a_replaced_file_keeps_its_mode(
    tmp_path: Path, umask: Callable[[int], None], mode: int
) -> None:
    umask(0o027)
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(mode)
    write(path, "new")
    assert (path.read_text(), mode_of(path)) == ("new", mode)


def test_a_private_file_is_never_open_while_it_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: Callable[[int], None]
) -> None:
    umask(0)
    path = tmp_path / "file"
    path.touch(0o600)
    opened = os.open
    seen: list[int] = []

    def watched(place: Path, *how: int) -> int:
        handle = opened(place, *how)
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watched)
    write(path, "new")
    assert seen == [0o600]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_write_protected_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(ValueError, match="write-protected"):
        write(path, "new")
    assert path.read_text() == "old"


KILLED_AT = """
import os, signal, sys
from pathlib import Path
from provedp.verify import files
if sys.argv[1] == "with names":
    files.NAMELESS = None
calls = 0
def counted(module, name):
    real = getattr(module, name)
    def call(*words, **named):
        global calls
        done = real(*words, **named)
        calls += 1
        if calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    setattr(module, name, call)
for module, name in [(os, "open"), (os, "fdopen"), (os, "fchmod"), (os, "link"), (os, "unlink"),
                     (os, "rename"), (os, "replace"), (files.fcntl, "flock"), (os, "close")]:
    counted(module, name)
files.require_writable(Path("file"))
files.write_bytes(Path("file"), b"new" * 100_000)
"""


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_kill_after_any_call_leaves_the_file_whole_and_nothing_beside(
    tmp_path: Path, old: bytes | None, kind_of_file: str
) -> None:
    path, ends, whole = tmp_path / "file", [], b"new" * 100_000
    while not ends or ends[-1] == -signal.SIGKILL:
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_bytes(old)
        words = [sys.executable, "-c", KILLED_AT, kind_of_file, str(len(ends) + 1)]
        ends.append(subprocess.run(words, cwd=tmp_path).returncode)
        assert (path.read_bytes() if path.exists() else None) in (old, whole)
        left = set(tmp_path.iterdir()) - {path}
        if kind_of_file == "without names":
            assert len(left) <= (old is not None)  # between its two names alone
        write(path, "next")
        assert list(tmp_path.iterdir()) == [path]
    assert ends[-1] == 0
    assert len(ends) > 8


def test_what_another_process_is_about_to_move_stays(tmp_path: Path) -> None:
    with files._opened_beside(tmp_path / "a", 0o600) as (handle, name):
        if name is None:
            name = tmp_path / ".provedp-0123456789abcdef"
            files._link(handle, name)
        write(tmp_path / "b", "text")
        assert name.exists()
    write(tmp_path / "b", "text")
    assert [each.name for each in tmp_path.iterdir()] == ["b"]
