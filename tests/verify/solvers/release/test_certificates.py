"""Certificates of releases: genuine ones hold, and no entry of them can be changed unnoticed."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import pytest

from provedp import check_certificate, solve_release
from provedp.verify.solvers import check as checker
from provedp.verify.solvers.check import CertificateError, UnreadableError, check

from .exact_values import VALUES

TINY = Q(1, 10**40)
Document = dict[str, Any]


def solved(**more: Any) -> Document:
    return solve_release(4, "ln(2)", **more).certificate()


GENUINE: dict[str, Document] = {
    "rays": solved(loss="absolute"),
    "rays with a prior": solved(loss="squared", prior=["1/2", "1/4", "1/8", "1/8"]),
    "program": solved(delta="1/10", loss="absolute"),
    "circle": solved(loss="absolute", graph="circle", prior=["1/2", "1/4", "1/8", "1/8"]),
    "side": solved(side=["fair", "row-monotone"], prior="uniform"),
    "weakly honest": solve_release(
        5, "ln(10/9)", prior="uniform", side=["weakly-honest"]
    ).certificate(),
    "constant": solve_release(4, 0, loss="squared", graph="circle").certificate(),
    "other outputs": solve_release(
        3, "ln(2)", loss="absolute", outputs=[1, "3/2", 2, 3]
    ).certificate(),
}


@pytest.mark.parametrize("name", GENUINE)
def test_genuine_certificates_hold_and_are_tight(name: str) -> None:
    claim = GENUINE[name]["claim"]
    assert claim["value_lower"] == claim["value_upper"]
    assert len(check(GENUINE[name])) == 2


def test_an_irrational_ratio_is_enclosed() -> None:
    document = solve_release(4, 1, loss="absolute").certificate()
    low, high = (Q(document["problem"][name]) for name in ("k_lower", "k_upper"))
    assert low < Q("2.718281828459045235") < high < low + Q(1, 10**11)
    assert len(check(document)) == 2


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all numbers in quotes."""
    if isinstance(document, str):
        if document[-1].isdigit() and path != ("format",):
            yield path
    elif isinstance(document, (list, dict)):
        items = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in items:
            yield from places(value, (*path, key))


def changed(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    copied = copy.deepcopy(document)
    inside = copied
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return copied


def still_proves(document: Document) -> bool:
    try:
        check(document)
    except (CertificateError, UnreadableError):
        return False
    return True


@pytest.mark.parametrize("name", GENUINE)
def test_no_number_of_the_proof_moves_both_ways(name: str) -> None:
    """Every number of the proof binds one way at least; those of the matrix and of y both ways."""
    document = GENUINE[name]
    for path in places(document):
        value = Q(document_at(document, path))
        up, down = (still_proves(changed(document, path, str(value + s))) for s in (TINY, -TINY))
        if path[0] == "primal" or path[:2] in (("dual", "y"), ("problem", "prior")):
            assert not up and not down, path
        elif path[:2] == ("dual", "lambda") or path == ("problem", "delta"):
            assert not (up and down), path
        elif path[:2] in (("dual", "mu"), ("dual", "nu")):
            assert not (up and down) or not still_proves(changed(document, path, "-1")), path


def document_at(document: Any, path: tuple[Any, ...]) -> str:
    for key in path:
        document = document[key]
    return str(document)


@pytest.mark.parametrize("name", GENUINE)
@pytest.mark.parametrize(
    ("path", "step"),
    [
        (("claim", "value_lower"), TINY),
        (("claim", "value_upper"), -TINY),
        (("problem", "k_lower"), -TINY),
        (("problem", "k_upper"), TINY),
        (("problem", "delta"), -TINY),
    ],
)
def test_no_claim_is_strengthened_unnoticed(name: str, path: tuple[str, str], step: Q) -> None:
    document = GENUINE[name]
    if name == "constant" and path[1] == "k_upper":
        return  # at most one of the two points needs k = 1
    moved = changed(document, path, str(Q(document_at(document, path)) + step))
    assert not still_proves(moved)


def test_multipliers_at_a_larger_ratio_prove_less() -> None:
    document = changed(GENUINE["constant"], ("problem", "k_upper"), "2")
    assert not still_proves(document)


CHANGES: dict[str, tuple[str, Callable[[Document], Any]]] = {
    "rows reversed": ("program", lambda d: d["primal"].reverse()),
    "a row less": ("program", lambda d: d["primal"].pop()),
    "a ragged row": ("program", lambda d: d["primal"][0].append("0")),
    "no multipliers": ("program", lambda d: d["dual"].update(mu=[])),
    "far multipliers": ("program", lambda d: d["dual"]["mu"].append([1, 3, 1, "1"])),
    "a loss scaled": ("program", lambda d: d["problem"]["loss"][0].__setitem__(1, "2")),
    "a negative loss": ("program", lambda d: d["problem"]["loss"][0].__setitem__(1, "-1")),
    "a ragged loss": ("program", lambda d: d["problem"]["loss"][1].append("0")),
    "lambda beside delta": (
        "program",
        lambda d: d.update(dual={"y": d["dual"]["y"], "lambda": ["1/8"] * 4}),
    ),
    "lambda off a path": (
        "circle",
        lambda d: d.update(dual={"y": d["dual"]["y"], "lambda": ["0"] * 4}),
    ),
    "lambda too short": ("rays", lambda d: d["dual"]["lambda"].pop()),
    "y too short": ("rays", lambda d: d["dual"]["y"].pop()),
    "an edge more": ("rays", lambda d: d["problem"]["edges"].append([1, 4])),
    "an edge less": ("circle", lambda d: d["problem"].update(edges=[[1, 2], [3, 4]])),
    "an edge twice": ("program", lambda d: d["problem"]["edges"].append([2, 1])),
    "a loop": ("program", lambda d: d["problem"]["edges"].append([2, 2])),
    "the prior left out": ("rays with a prior", lambda d: d["problem"].update(prior=None)),
    "another prior": ("rays with a prior", lambda d: d["problem"]["prior"].reverse()),
    "a condition more": ("rays", lambda d: d["problem"].update(side=["weakly-honest", "fair"])),
    "a condition less": ("side", lambda d: d["problem"].update(side=["row-monotone"])),
    "a multiplier of no row": ("side", lambda d: d["dual"]["nu"].append(["fair", 4, "1"])),
    "a negative multiplier": (
        "side",
        lambda d: d["dual"]["nu"].append(["row-monotone", 1, "-1"]),
    ),
    "ratios exchanged": (
        "rays",
        lambda d: d["problem"].update(k_lower="2", k_upper="3/2"),
    ),
    "a ratio below one": ("rays", lambda d: d["problem"].update(k_lower="1/2")),
    "delta of one": ("program", lambda d: d["problem"].update(delta="1")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_tampering_is_found(change: str) -> None:
    name, tamper = CHANGES[change]
    document = copy.deepcopy(GENUINE[name])
    tamper(document)
    assert check_certificate(GENUINE[name]).valid
    with pytest.raises(CertificateError):
        check(document)


GARBLED: list[Callable[[Document], Any]] = [
    lambda d: d["problem"].update(side=["handsome"]),
    lambda d: d["problem"].update(edges=[[1, 9]]),
    lambda d: d["problem"].update(edges=[[1, True]]),
    lambda d: d["problem"].update(edges=[[1, 2, 3]]),
    lambda d: d["problem"].pop("prior"),
    lambda d: d["problem"].update(loss=[]),
    lambda d: d["problem"].update(loss=[["x"]]),
    lambda d: d["dual"].update(nu=[["fair", "1", "1"]]),
    lambda d: d["dual"].update(nu=[["fair", 1, "1"], ["fair", 1, "1"]]),
    lambda d: d["dual"].pop("mu"),
    lambda d: d["claim"].pop("value_lower"),
    lambda d: d["problem"]["side"].append("fair"),
    lambda d: d["problem"].update(side=""),
    lambda d: d["dual"].update(nu={}),
    lambda d: d.update(note="1"),
    lambda d: d["problem"].update(k="3"),
    lambda d: d["dual"].update({"lambda": ["0"] * 4}),
    lambda d: d["claim"].update(error_lower="1"),
]


@pytest.mark.parametrize("garble", GARBLED)
def test_garbled_documents_are_unreadable(garble: Callable[[Document], Any]) -> None:
    document = copy.deepcopy(GENUINE["side"])
    garble(document)
    with pytest.raises(UnreadableError):
        check(document)


NO_NUMBERS = [
    *(
        None,
        True,
        0.5,
        1,
        -1,
        "",
        "x",
        "1/0",
        "1/-2",
        "-1/-2",
        " 1/2",
        "1/2 ",
        "1_0",
        "\u0663",
        "1e3",
    ),
    *("0x1", "nan", "inf", "1.5", "+1/2", [], ["1"], {}, 10**400),
]


@pytest.mark.parametrize("name", ["rays with a prior", "side"])
def test_what_is_no_number_is_unreadable_in_every_place(name: str) -> None:
    for path in places(GENUINE[name]):
        for value in NO_NUMBERS:
            if path != ("problem", "prior") or value is not None:
                with pytest.raises(UnreadableError):
                    check(changed(GENUINE[name], path, value))


def test_a_key_that_is_there_twice_is_found(tmp_path: Path) -> None:
    """Most readers take the last of them; a person may take the first."""
    document = json.dumps(GENUINE["rays"])
    file = tmp_path / "certificate.json"
    file.write_text(document.replace('"delta": ', '"delta": "0", "delta": ', 1))
    assert json.loads(file.read_text()) == GENUINE["rays"]
    with pytest.raises(ValueError, match="a key twice"):
        check_certificate(file)
    command = [sys.executable, "-I", "-S", checker.__file__, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "") and "a key twice" in done.stderr


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_two_vectors_from_elsewhere_prove_their_value(loss: str) -> None:
    given = VALUES[f"certificate-path-worst-{loss}-M5-k2"]
    document = solve_release(5, "ln(2)", loss=loss).certificate()
    document["dual"], document["primal"] = given["certificate"], given["mechanism"]
    document["claim"] = {"value_lower": given["value"], "value_upper": given["value"]}
    assert len(check(document)) == 2


def test_the_script_runs_without_the_package(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(GENUINE["side"]))
    command = [sys.executable, "-I", "-S", checker.__file__, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fair, row-monotone" in done.stdout
