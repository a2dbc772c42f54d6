"""A long run says how far it is: lines on standard error where that is no terminal."""

import re
import time
from collections.abc import Iterator

import pytest

from provedp.cli import progress


def slow() -> Iterator[int]:
    for item in range(3):
        time.sleep(0.2)
        yield item


def test_lines_are_told_while_one_waits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.05)
    assert list(progress.progress(slow(), 3, "verifying")) == [0, 1, 2]
    out, error = capsys.readouterr()
    told = error.splitlines()
    assert out == ""
    assert told and all(
        re.fullmatch(r"verifying: \d of 3, 0 s|verifying: \d of 3, 1 s", t) for t in told
    )
    assert told[0].startswith("verifying: 0 of 3")
    time.sleep(0.2)
    assert capsys.readouterr().err == ""  # nothing more once it is over


def test_a_short_run_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.progress(iter([1]), 1, "verifying")) == [1]
    assert capsys.readouterr().err == ""
