"""Certificates of P* by structure, held against the check of the same points entry by entry."""

import copy
import json
import subprocess
import sys
from fractions import Fraction as Q
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import provedp
from provedp.verify.solvers import certificates
from provedp.verify.solvers.channel.bracket import Problem
from provedp.verify.solvers.channel.canonical import Canonical, least_error_by_structure
from provedp.verify.solvers.channel.optimum import least_error
from provedp.verify.solvers.check import (
    CertificateError,
    UnreadableError,
    check,
    check_circulant,
    check_dual,
    check_peak,
    check_primal,
)

CHECKER = Path(certificates.__file__).resolve().with_name("check.py")
RATIOS = st.sampled_from([Q(1), Q(11, 10), Q(3, 2), Q(2), Q(7)])
SLACKS = st.sampled_from([Q(0), Q(1, 100), Q(1, 3)])


def written_out(size, k, apex, weight):
    """Return the matrix that an apex and a weight stand for."""
    distances = [[min(abs(i - j), size - abs(i - j)) for j in range(size)] for i in range(size)]
    return [[weight / k**gap + (apex if gap == 0 else 0) for gap in row] for row in distances]


def peaked(size, k, middle, weight):
    """Return y and μ that a middle and a weight stand for."""
    y = [weight / k ** abs(i - middle) for i in range(1, size + 1)]
    mu = {}
    for i in range(1, size + 1):
        if i < middle:
            mu[i, i + 1] = [y[i - 1] if j <= i else Q(0) for j in range(1, size + 1)]
        if i > middle:
            mu[i, i - 1] = [y[i - 1] if j >= i else Q(0) for j in range(1, size + 1)]
    return y, mu


def total(size, k, middle):
    return sum(1 / k ** abs(i - middle) for i in range(1, size + 1))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.integers(2, 9), RATIOS, SLACKS, st.fractions(0, 1, max_denominator=12), st.booleans())
def test_a_circulant_is_what_its_matrix_is(size, k, delta, apex, right):
    weight = (1 - apex) / total(size, k, size // 2 + 1) + (0 if right else Q(1, 1000))
    matrix = written_out(size, k, apex, weight)
    try:
        expected = check_primal(matrix, k, delta)
    except CertificateError:
        with pytest.raises(CertificateError):
            check_circulant(size, k, delta, apex, weight)
    else:
        assert check_circulant(size, k, delta, apex, weight) == expected
        assert right and apex <= delta


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.data(), st.integers(2, 9), RATIOS, SLACKS, st.booleans())
def test_a_peak_proves_what_its_multipliers_prove(data, size, k, delta, right):
    middle = data.draw(st.integers(1, size))
    weight = 1 / total(size, k, middle) + (0 if right else Q(1, 1000))
    y, mu = peaked(size, k, middle, weight)
    if right:
        assert check_peak(size, k, delta, middle, weight) == check_dual(y, mu, k, delta)
        return
    for function in (
        lambda: check_peak(size, k, delta, middle, weight),
        lambda: check_dual(y, mu, k, delta),
    ):
        with pytest.raises(CertificateError):
            function()


@pytest.mark.parametrize("m", [2, 3, 4, 7, 12])
@pytest.mark.parametrize(("k", "delta"), [(Q(1), Q(0)), (Q(3, 2), Q(1, 20)), (Q(5), Q(0))])
def test_structure_and_entries_give_one_bracket(m, k, delta):
    structured, explicit = least_error_by_structure(m, k, delta), least_error(m, k, delta)
    assert (structured.lower, structured.upper) == (explicit.lower, explicit.upper)
    assert (structured.primal == explicit.primal).all()
    assert structured.dual.weights == explicit.dual.weights
    assert structured.dual.multipliers == explicit.dual.multipliers


@pytest.fixture(scope="module")
def genuine():
    best = least_error_by_structure(8, Q(3, 2), Q(1, 20))
    return certificates.document(best, Problem(None, Q(3, 2), Q(1, 20)))


def test_a_genuine_certificate_is_short_and_valid(genuine):
    assert len(json.dumps(genuine)) < 400
    assert len(check(genuine)) == 2


def numbers(document, path=()):
    """Yield the path of each number in a document."""
    for key, value in document.items():
        if isinstance(value, dict):
            yield from numbers(value, (*path, key))
        elif key not in ("format", "kind", "channel"):
            yield (*path, key)


def changed(document, path, step):
    result = copy.deepcopy(document)
    *parents, last = path
    place = result
    for key in parents:
        place = place[key]
    value = place[last]
    place[last] = (
        value + int(step > 0) - int(step < 0) if type(value) is int else str(Q(value) + step)
    )
    return result


WEAKER = {("claim", "error_lower"): -1, ("claim", "error_upper"): 1}


@pytest.mark.parametrize("sign", [1, -1])
def test_every_number_is_held_to(genuine, sign):
    paths = list(numbers(genuine))
    assert len(paths) == 9
    for path in paths:
        document = changed(genuine, path, sign * Q(1, 10**40))
        if WEAKER.get(path) == sign or (path, sign) in SAME:
            assert check(document)
            continue
        with pytest.raises(CertificateError):
            check(document)


# An even number of counts has two middle rows, and the other one is the next.
SAME = {(("dual", "middle"), 1)}

UNREADABLE = [
    lambda d: d.update(format="provedp certificate 3"),
    lambda d: d.update(format=["provedp certificate 2"]),
    lambda d: d["problem"].update(channel=[["1", "0"], ["0", "1"]]),
    lambda d: d["problem"].update(m=True),
    lambda d: d["problem"].update(m="8"),
    lambda d: d["problem"].update(m=10**9),
    lambda d: d["problem"].pop("channel"),
    lambda d: d["dual"].update(middle=4.0),
    lambda d: d["dual"].update(weight=0.25),
    lambda d: d["primal"].pop("apex"),
    lambda d: d.update(primal=[["1", "0"], ["0", "1"]]),
    lambda d: d["claim"].update(error_lower="nan"),
]


@pytest.mark.parametrize("garble", UNREADABLE)
def test_garbled_documents_are_unreadable(genuine, garble):
    document = copy.deepcopy(genuine)
    garble(document)
    with pytest.raises(UnreadableError):
        check(document)


@pytest.mark.parametrize(("m", "middle"), [(-8, 4), (0, 0), (1, 1), (8, 0), (8, 9), (8, -4)])
def test_places_outside_are_refused(genuine, m, middle):
    document = copy.deepcopy(genuine)
    document["problem"]["m"], document["dual"]["middle"] = m, middle
    with pytest.raises(CertificateError):
        check(document)


def test_texts_are_no_rows(genuine):
    texts = {
        **genuine,
        "format": "provedp certificate 1",
        "primal": ["10", "01"],
        "dual": {"y": ["1", "0"], "mu": []},
    }
    with pytest.raises(UnreadableError, match="a row is not a list"):
        check(texts)


def test_a_hundred_thousand_counts(tmp_path):
    best = provedp.solve_counting(100_000, "ln(3/2)", "1/20")
    certificate = best.certificate()
    assert best.lower == best.upper
    assert provedp.check_certificate(certificate)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate))
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    upper, lower = (Q(line.split()[-1].rstrip(".")) for line in done.stdout.splitlines())
    assert lower <= best.lower <= upper <= lower + Q(2, 10**30)


def test_what_no_certificate_can_hold_is_refused_first():
    with pytest.raises(ValueError, match="1000000 counts would hold numbers that are too long"):
        provedp.solve_counting(1_000_000, "ln(3/2)").certificate()


def test_an_irrational_ratio_may_have_many_counts():
    best = provedp.solve_counting(20_000, 1)
    assert best.lower < best.upper <= best.lower + Q(1, 10**20)
    # For so many counts α is that of infinitely many, (k - 1) / (k + 1).
    e = Q("2.718281828459045235360287471352662497757")
    assert abs(best.lower - (1 - (e - 1) / (e + 1))) < Q(1, 10**20)


def test_points_are_written_out_when_asked_for():
    points = Canonical(3, Q(2), Q(0))
    assert points.primal.tolist()[0] == [Q(1, 2), Q(1, 4), Q(1, 4)]
