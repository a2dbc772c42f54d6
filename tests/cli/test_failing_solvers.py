"""Solvers that fail, find nothing or return no numbers: a command ends in a line, and soon."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import highspy
import numpy as np
import pytest
from scipy import optimize

from provedp.cli.main import main
from provedp.verify.solvers.linear_programs import highs

SECONDS = 20.0  # of processor time
REAL = highs.solver


class TooSlow(BaseException):
    """A command took too long."""


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


class Broken:
    """A solver of linear programs that answers one question wrongly, and the others as HiGHS."""

    def __init__(self, **answers: Any):
        self._inner, self._answers = REAL(), answers

    def __getattr__(self, name: str) -> Any:
        if name in self._answers:
            return lambda *_: self._answers[name]
        return getattr(self._inner, name)


class NoNumbers(Broken):
    """A solver whose solutions are not numbers."""

    def getSolution(self) -> Any:
        found = self._inner.getSolution()
        for name in ("col_value", "col_dual", "row_value", "row_dual"):
            setattr(found, name, [float("nan")] * len(getattr(found, name)))
        return found

    def getBasis(self) -> Any:
        return highspy.HighsBasis()


def failing(*_: Any, **__: Any) -> Any:
    raise RuntimeError("Failed to converge after 100 iterations.")


def says(status: Any) -> Callable[..., Any]:
    return lambda **_: Broken(getModelStatus=status, getInfeasible=True)


STATUS = highspy.HighsModelStatus
LINEAR = {
    "infeasible": says(STATUS.kInfeasible),
    "unbounded": says(STATUS.kUnbounded),
    "an error": says(STATUS.kSolveError),
    "out of time": says(STATUS.kTimeLimit),
    "no numbers": lambda **_: NoNumbers(),
    "no numbers, infeasible": lambda **_: NoNumbers(getModelStatus=STATUS.kInfeasible),
}
ROOTS = {
    "raises": failing,
    "no number": lambda *_, **__: float("nan"),
    "too low": lambda function, low, high, **_: low,
    "too high": lambda function, low, high, **_: high,
}


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., tuple[int, str, str]]]:
    monkeypatch.chdir(tmp_path)
    for m in (4, 10):
        rows = [[2 if i == j else 1 + (i * j) % 2 for j in range(m)] for i in range(m)]
        text = "".join(",".join(f"{n}/{sum(row)}" for n in row) + "\n" for row in rows)
        Path(f"t{m}.csv").write_text(text)
    Path("points.csv").write_text("3,0\n0,4\n1,1\n")
    before = signal.signal(signal.SIGPROF, stop)

    def run(line: str) -> tuple[int, str, str]:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with pytest.raises(SystemExit) as end:
                main(line.split())
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    yield run
    signal.signal(signal.SIGPROF, before)


def is_sound(ended: tuple[int, str, str]) -> bool:
    """Whether a command printed a result, or one line that says why there is none."""
    status, out, err = ended
    if status == 0:
        return bool(out) and not err and "nan" not in out.lower()
    return status == 2 and not out and err.startswith("provedp: ") and err.count("\n") == 1


COUNTING = [
    "solve counting --epsilon ln(3/2) --channel t4.csv",
    "solve counting --epsilon ln(3/2) --channel t10.csv",
    "solve counting --epsilon 1 --delta 1/20 --channel t4.csv",
    "solve counting --epsilon 1 --m 8 --channel psk --snr-db 5",
]
GAUSSIAN = [
    "solve gaussian --epsilon 1 --delta 1e-5",
    "solve gaussian --epsilon 1 --delta 1e-5 --rounds 9",
    "solve gaussian --epsilon 1 --delta 1e-5 --rounds 9 --sample 1/10",
    "solve gaussian --epsilon 1 --delta 1e-5 --sample 1/10 --sampling poisson",
]


@pytest.mark.parametrize("line", COUNTING)
@pytest.mark.parametrize("answer", LINEAR)
def test_a_linear_program_that_is_not_solved(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    monkeypatch.setattr(highs, "solver", LINEAR[answer])
    assert is_sound(call(line))


@pytest.mark.parametrize("line", GAUSSIAN)
@pytest.mark.parametrize("answer", ROOTS)
def test_a_root_that_is_not_found(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    monkeypatch.setattr(optimize, "brentq", ROOTS[answer])
    assert is_sound(call(line))


@pytest.mark.parametrize("name", ["eigh", "svd", "cholesky", "qr"])
@pytest.mark.parametrize("fault", ["raises", "no numbers"])
def test_a_decomposition_that_fails(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, name: str, fault: str
) -> None:
    real = getattr(np.linalg, name)

    def broken(*words: Any, **named: Any) -> Any:
        if fault == "raises":
            raise np.linalg.LinAlgError("did not converge")
        found = real(*words, **named)
        return found * np.nan if isinstance(found, np.ndarray) else [x * np.nan for x in found]

    monkeypatch.setattr(np.linalg, name, broken)
    with np.errstate(all="ignore"):
        assert is_sound(call("solve noise-shape points.csv"))


@pytest.mark.parametrize("line", [*COUNTING, *GAUSSIAN, "solve noise-shape points.csv"])
def test_with_the_solvers_as_they_are(call: Callable[..., Any], line: str) -> None:
    status, out, err = call(line)
    assert (status, err) == (0, "")
    assert out
