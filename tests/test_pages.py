"""What the pages of the site and the README show is what happens: commands, outputs, programs.

In a block `console`, lines with `$ ` are run in a folder of the page's own, with the files of
`FILES` in it, and what follows them is compared, where `…` stands for anything. `$ cat FILE` writes
the file. A command ends with status 0 unless `# status N` stands behind it. In a block `python`, a
first line `# name.py` names a file to be written; others are executed, and `pycon` is a doctest.
"""

import doctest
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from provedp.cli.main import commands, main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    "README.md",
    *sorted(
        str(page.relative_to(ROOT))
        for page in (ROOT / "docs").rglob("*.md")
        if page.parent.name != "papers"
    ),
]
SLOW = {
    "docs/tutorials/audit.md": "eight audits",
    "docs/tutorials/teach.md": "writes all lessons twice",
    "docs/howto/dask.md": "starts a cluster",
    "docs/howto/pytest.md": "assertions on several pairs, each in fresh processes as well",
}
# Shown, and not run here: they install, are the test suite itself, or run all claims, which is left
# to `make verify`; tests/test_readme.py runs some.
NOT_RUN = re.compile(
    r"(pip|make|python3? -m venv|\. \.venv|jupyter|cd|git)\b|provedp verify( --html \w+)?( +#|$)"
)
INLINE = re.compile(r"`(provedp(?: [^`]*)?)`")
BLOCK = re.compile(r"^( *)```([a-z]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", re.MULTILINE)
SECONDS = re.compile(r" \(\d+\.\d+ s\)| in \d+\.\d+s| \d+\.\d(?= as recorded| \d+ changed)")
REPEATED = "; the same with the same seed"  # where the first run was quick enough for a second
STATUS = re.compile(r"\s+# status (\d+)$")


class Block(NamedTuple):
    """A fenced block of a page."""

    kind: str
    text: str


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [Block(kind, body) for _, kind, body in BLOCK.findall(text)]
    return [Block("console", b.text) if b.text.startswith("$ ") else b for b in found]


def people() -> dict[str, str]:
    """Return the files of data that the pages speak of; all of it is made up."""
    rng = random.Random(1)

    def rows(count: int, x: float, y: float, label: str) -> Iterator[str]:
        for _ in range(count):
            yield f"{rng.gauss(x, 0.7):.3f},{rng.gauss(y, 0.7):.3f}{label}"

    patients = ["x,y,type", *rows(200, 1, 0, ",A"), *rows(150, -2, 1, ",B")]
    sites = ["x,y", *rows(600, 2, 2, ""), *rows(600, -2, -2, "")]
    return {
        "wards.csv": "cases\n3\n17\n42\n",
        "patients.csv": "\n".join(patients) + "\n",
        "sites.csv": "\n".join(sites) + "\n",
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in people().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (tmp_path, ROOT))))
    return tmp_path


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return the status of a command line and its standard output."""
    words = shlex.split(command, comments=True)
    if words[0] == "provedp" and not {"|", ">", "<", "&&"} & set(words):
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(words[1:])
        status = end.value.code
        assert status is None or isinstance(status, int)
        return status or 0, capsys.readouterr().out
    scripts = os.path.dirname(sys.executable)
    env = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=env)
    return done.returncode, done.stdout


def squeezed(text: str) -> str:
    """Return a text with single spaces, without what depends on how fast the machine is."""
    return SECONDS.sub("", " ".join(text.split())).replace(REPEATED, "")


def is_as_shown(shown: str, found: str) -> bool:
    parts = [re.escape(squeezed(part)) for part in re.split(r"(?m)^\s*…$", shown)]
    return re.fullmatch(r"\s*.*\s*".join(parts), squeezed(found), re.DOTALL) is not None


def run_console(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line, shown in COMMAND.findall(text):
        command = line.strip()
        named = re.fullmatch(r"cat (\S+)", command)
        if named and shown:
            Path(named[1]).write_text(shown, encoding="utf-8")
            continue
        if NOT_RUN.match(command):
            continue
        expected = STATUS.search(command)
        status, found = printed(command, capsys)
        assert status == (int(expected[1]) if expected else 0), f"{command}: {status}\n{found}"
        if shown.strip():
            assert is_as_shown(shown, found), f"{command}\n{found}"


def run_python(text: str, names: dict[str, Any]) -> None:
    named = re.match(r"# (\w+\.py)\n", text)
    if named:
        Path(named[1]).write_text(text, encoding="utf-8")
        return
    exec(compile(text, "a page", "exec"), names)


def run_session(text: str, names: dict[str, Any], page: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags)
    assert test.examples
    failed = runner.run(test, out=report.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(report)


def marked(page: str) -> Any:
    return pytest.param(page, marks=pytest.mark.slow) if page in SLOW else page


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_what_a_page_shows_is_what_happens(
    page: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "awk" in (ROOT / page).read_text(encoding="utf-8") and shutil.which("awk") is None:
        pytest.skip("no awk")
    monkeypatch.syspath_prepend(folder)
    names: dict[str, Any] = {"__name__": "a_page"}
    for block in blocks(page):
        if block.kind == "console":
            run_console(block.text, capsys)
        elif block.kind == "python":
            run_python(block.text, names)
        elif block.kind == "pycon":
            run_session(block.text, names, page)


def inline() -> list[str]:
    found = {
        " ".join(command.split())
        for page in PAGES
        for command in INLINE.findall(BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8")))
    }
    return sorted(command for command in found if "…" not in command)


@pytest.mark.parametrize("command", inline())
def test_a_command_in_a_sentence_is_one(command: str) -> None:
    """Its command, options and number of arguments are read; nothing is run."""
    words, current = shlex.split(command)[1:], commands
    parent = click.Context(commands, info_name="provedp")
    while words and isinstance(current, click.Group):
        if words[0].startswith("-"):
            current.parse_args(parent, words)
            return
        found = current.get_command(parent, words.pop(0))
        assert found is not None
        current, parent = found, click.Context(found, parent=parent, info_name=found.name)
    bare = "FILE" in command or not words  # named, not shown
    parent.resilient_parsing = bare
    current.parse_args(parent, words)
