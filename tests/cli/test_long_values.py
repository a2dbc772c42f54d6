"""Values at huge arguments: a ball where the fraction is too long, or one line that refuses."""

import json
import resource
from fractions import Fraction

import pytest

from provedp.cli.limits import MEMORY
from provedp.cli.main import main
from provedp.theory.counting import alpha


def value(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["value", *words])
    found = capsys.readouterr()
    assert end.value.code is None or isinstance(end.value.code, int)
    return end.value.code or 0, found.out, found.err


@pytest.mark.parametrize("m", [2, 3, 7, 8, 999, 1000, 1001, 1002])
def test_the_weight_is_the_sum_on_both_sides_of_many_counts(m: int) -> None:
    k = Fraction(3, 2)
    total = sum((k ** -min(gap, m - gap) for gap in range(m)), start=Fraction(0))
    assert alpha(m, k) == 1 / total


@pytest.mark.parametrize("m", [1_000_000, 999_999])
def test_a_fraction_of_a_million_bits_is_a_ball(m: int, capsys: pytest.CaptureFixture[str]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, out, _ = value(capsys, "counting.alpha", f"m={m}", "k=2", "--digits", "30", "--json")
    found = json.loads(out)
    assert (status, found["exact"]) == (0, False)
    # The sum from both sides is 3 but for 2^(−m/2 + 2).
    assert abs(Fraction(found["value"]) - Fraction(1, 3)) <= Fraction(found["error"])
    assert found["error"] <= 1e-30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before <= 200_000  # KiB


def test_a_fraction_that_can_be_read_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = value(capsys, "counting.alpha", "m=8", "k=2", "--json")
    assert json.loads(out)["value"] == "16/45"


@pytest.mark.parametrize(
    "words",
    [
        ("counting.alpha", "m=1000000000000000000000", "k=2", "--seconds", "1"),
        ("counting.alpha", "m=100000000", "k=exp(1)", "--seconds", "1"),
        ("counting.release_matrix", "m=100000", "k=2", "delta=0", "--seconds", "1"),
    ],
)
def test_what_is_too_large_is_refused_in_one_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = value(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{MEMORY >> 20} MiB" in err or "processor time" in err or "range" in err
