"""Names that are imported when they are first used: which, from where, and what of a zip file."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import provedp.lazy_names
from provedp.lazy_names import lazy_names

PACKAGE = """
from typing import TYPE_CHECKING
from lazy_names import lazy_names
if TYPE_CHECKING:
    from mine.first import one as one
    from .second import two as deux
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
"""
FILES = {
    "mine/__init__.py": PACKAGE,
    "mine/first.py": "one = 1",
    "mine/second.py": "two = 2",
}
USE = """
import sys
import mine
if {"mine.first", "mine.second"} & sys.modules.keys():
    raise ImportError("too early")
from mine import *
print(one, deux, mine.__all__, {"one", "deux"} <= set(dir(mine)), vars(mine)["one"])
try:
    mine.three
except AttributeError as error:
    print(error)
"""


def used(path: Path, *options: str) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(path)!r})\n{USE}"
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


EXPECTED = ["1 2 ['deux', 'one'] True 1", "module 'mine' has no attribute 'three'"]


def written() -> dict[str, str]:
    loader = Path(provedp.lazy_names.__file__).read_text(encoding="utf-8")
    return {**FILES, "lazy_names.py": loader}


@pytest.mark.parametrize("options", [(), ("-O",), ("-OO",)])
def test_names_come_from_a_folder_however_it_is_compiled(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    for name, text in written().items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert used(tmp_path, *options) == used(tmp_path, *options) == EXPECTED


def test_names_come_from_a_zip_file(tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in written().items():
            file.writestr(name, text)
    assert used(archive) == EXPECTED


def test_a_module_without_source_is_refused() -> None:
    with pytest.raises(ImportError, match="source of sys is needed"):
        lazy_names("sys")
