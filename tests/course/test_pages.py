"""What the pages show of the course is what happens."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from provedp.cli.main import main
from provedp.course import exercises, grade

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.split("## Teach\n")[1].split("\n## ")[0]
PAGE = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")


def test_the_reply_is_as_shown() -> None:
    code, shown = re.findall(r"```(?:python)?\n(.*?)```", SECTION, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == shown
    assert f"{len(exercises())}\nexercises" in SECTION


def commands() -> list[str]:
    found = re.findall(r"`(provedp course [^`]+)`", SECTION)
    return found + re.findall(r"^(provedp course .*)$", PAGE, re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(commands()) >= 9


@pytest.mark.parametrize("line", commands())
def test_the_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("DIR", "submissions"):
        (tmp_path / folder).mkdir()
        if " grade " in line:
            (tmp_path / folder / "ana.json").write_text('{"counting-5": "7/2"}')
    words = shlex.split(line)[1:]
    with pytest.raises(SystemExit) as end:
        main([*words, *(["--path"] if "open" in words else [])])
    assert end.value.code == 0
    if "--csv" in words:
        assert "ana.json,1," in (tmp_path / "grades.csv").read_text()


def test_the_page_grades_as_it_says() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert grade("promise-1", "1/4").verdict == "wrong"
