"""With the proof assistant: perturbed formulas are refused, the record is what is built.

Skipped, visibly, where there is no assistant; `make proofs` says which packages it needs.
"""

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from provedp.verify.formal import agreement, record, sources
from provedp.verify.proving import assistant, build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc: see `make proofs`"),
]
TINY = sympy.Rational(1, 10**4)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proofs")
    if not assistant.is_here(folder):
        pytest.skip("no MathComp: see `make proofs`")
    build.copy(sources.read(), folder)
    assistant.compile_all(folder, 2)
    return folder


def test_the_record_is_what_is_built(compiled: Path) -> None:
    known = record.recorded()
    assert known is not None
    built = record.of_data(build.record_data(compiled, sources.read()))
    assert (built.theorems, built.claims) == (known.theorems, known.claims)
    assert (built.digests, built.formulas) == (known.digests, known.formulas)


def _size_off(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda m, *rest: right(m + 1, *rest)


def _gap_off(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda ratio, gap, *rest: right(ratio, gap + 1, *rest)


def _scaled(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: right(*arguments) * (1 + TINY)


PERTURBED = {
    "release_entry": _scaled,
    "alpha_closed_form": _size_off,
    "error": _scaled,
    "error_limit": _scaled,
    "geometric_entry": _gap_off,
    "response_entry": _size_off,
    "laplace_entry": _gap_off,
    "exponential_weight": _gap_off,
    "release_matrix": lambda right: lambda m, k, d: right(m, k, d).T * right(m, k, d),
    "canonical_edge": _scaled,
    "moment_cost": _scaled,
    "pooled_cost": _scaled,
    "histogram_cost": _scaled,
    "field_cost": _scaled,
    "bins_sensitivity": _scaled,
    "leave_sensitivity": _scaled,
    "join_sensitivity": _scaled,
    "mean_sensitivity": _scaled,
    "covariance_sensitivity": _scaled,
    "three_determinant": _scaled,
    "radius_of_four": _scaled,
    "radius_of_three": lambda right: lambda k, d: right(k, d) + Fraction(1, 10**4),
    "canonical_reach": lambda right: lambda k, d: right(k, d) + Fraction(1, 10**4),
    "canonical_cdf": lambda right: lambda x, k, d: right(x, k, d) + Fraction(1, 10**4),
    "radius_upper": lambda right: lambda m, k, d: right(m, k, d) + Fraction(1, 10**4),
    "cyclic_distance": lambda right: lambda m, i, j: right(m, i, j) + (i > j),
}


@pytest.mark.parametrize("name", PERTURBED)
def test_a_perturbed_formula_is_refused(name: str, compiled: Path) -> None:
    texts = {one.formula: one.text() for one in agreement.AGREEMENTS}
    (one,) = [each for each in agreement.AGREEMENTS if each.formula == name]
    texts[name] = one.text(PERTURBED[name](one.function))
    path = compiled / "perturbed.v"
    path.write_text(agreement.assembled(texts), encoding="utf-8")
    assert not assistant.compiles(compiled, path.name)


def test_a_source_that_is_refused_is_named(compiled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(compiled, folder)
    path = folder / "laws.v"
    path.write_text(path.read_text().replace("1 <= k", "0 <= k", 1), encoding="utf-8")
    with pytest.raises(assistant.ProofError, match=r"laws\.v"):
        assistant.compile_all(folder, 2)


def test_an_axiom_is_reported(compiled: Path) -> None:
    (compiled / "cheat.v").write_text(
        "Axiom a : False.\nTheorem cheat : 1 = 2. Proof. destruct a. Qed.\n", encoding="utf-8"
    )
    assert assistant.compiles(compiled, "cheat.v")
    found = assistant.theorems(compiled, ["cheat.cheat", "optimum.theorem_1"])
    assert found["optimum.theorem_1"].assumptions == record.CLOSED
    assert "a : False" in found["cheat.cheat"].assumptions
