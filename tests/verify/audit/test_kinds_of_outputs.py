"""Mechanisms with outputs of every kind: broken ones are refuted, correct ones are not."""

import datetime
import decimal
import enum
import fractions
import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from provedp.verify.audit import ApproximateDP, AuditResult, audit, target
from provedp.verify.audit.events.event import event_from
from provedp.verify.audit.runs.independence import _independent, _stationary
from provedp.verify.audit.targets.runner import Runner

ALMOST = 1 - 1e-6
LETTERS, MANY = list("abcd"), [f"c{i}" for i in range(13)]
RNG = np.random.Generator


class Colour(enum.Enum):
    RED, GREEN = 1, 2


def noise(rng: RNG, scale: float = 1.0) -> float:
    return float(rng.laplace(scale=scale))


def text(rng: RNG, size: int = 8) -> str:
    return "".join(rng.choice(LETTERS, size))


BROKEN: dict[str, tuple[Any, tuple[Any, Any]]] = {
    "order of keys": (lambda d, r: {c: noise(r) for c in d}, (["x", "y"], ["y", "x"])),
    "order of keys in text": (lambda d, r: json.dumps({c: noise(r) for c in d}), ("xy", "yx")),
    "a key": (lambda d, r: {"a": noise(r), **({"b": 1} if d else {})}, (0, 1)),
    "number in JSON": (lambda d, r: json.dumps({"n": d + noise(r, 0.2)}), (0, 1)),
    "number in text": (lambda d, r: f"about {d + noise(r, 0.2)}", (0, 1)),
    "JSON in JSON": (lambda d, r: json.dumps({"a": json.dumps([d + noise(r, 0.2)])}), (0, 1)),
    "a category": (lambda d, r: [str(c) for c in r.choice(MANY[: 13 - d], 8)], (0, 1)),
    "int or float": (lambda d, r: (float if d else int)(r.integers(5)), (0, 1)),
    "whitespace": (lambda d, r: f"{noise(r):.3f}" + " " * d, (0, 1)),
    "trailing zeros": (lambda d, r: f"{noise(r):.2f}" + "0" * d, (0, 1)),
    "normal form": (lambda d, r: f"{noise(r):.3f} " + ("e\u0301" if d else "é"), (0, 1)),
    "size of a set": (lambda d, r: set(r.choice(1000, 50 + d, False).tolist()), (0, 1)),
    "repeated elements": (lambda d, r: [text(r), *(["q", "q"] if d else ["q", "p"])], (0, 1)),
    "one letter": (lambda d, r: text(r, 5) + "ab"[d] + text(r, 3), (0, 1)),
    "sparse pattern": (
        lambda d, r: scipy.sparse.csr_matrix(([noise(r)], ([0], [d])), shape=(2, 2)), (0, 1)),
    "Decimal's exponent": (lambda d, r: decimal.Decimal(f"{noise(r):.{2 + d}f}"), (0, 1)),
    "Decimal": (lambda d, r: decimal.Decimal(f"{d + noise(r, 0.2):.6f}"), (0, 1)),
    "Fraction": (lambda d, r: fractions.Fraction(d + noise(r, 0.2)), (0, 1)),
    "date": (lambda d, r: datetime.datetime(2020, 1, 1)
             + datetime.timedelta(seconds=d + noise(r, 0.2)), (0, 1)),
    "time zone": (lambda d, r: datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(
        datetime.timedelta(hours=d))) + datetime.timedelta(seconds=noise(r)), (0, 1)),
    "minus zero": (lambda d, r: noise(r) if r.random() < 0.5 else (-0.0 if d else 0.0), (0, 1)),
    "kind of not a number": (
        lambda d, r: noise(r) if r.random() < 0.5 else (np.nan if d else -np.inf), (0, 1)),
    "bytes or text": (lambda d, r: text(r).encode() if d else text(r), (0, 1)),
    "tuple or list": (lambda d, r: (noise(r),) if d else [noise(r)], (0, 1)),
    "empty shape": (lambda d, r: np.zeros((0, 3 + d)), (0, 1)),
    "dtype": (lambda d, r: np.array([noise(r)], "f4" if d else "f8"), (0, 1)),
    "imaginary part": (lambda d, r: complex(noise(r), d + noise(r, 0.2)), (0, 1)),
    "member": (lambda d, r: Colour.RED if r.random() < (0.9 if d else 0.1) else Colour.GREEN,
               (0, 1)),
    "long integers": (lambda d, r: (d << 60) + int(noise(r, 0.2) * 2**60), (0, 1)),
    "long integers, near": (lambda d, r: 2**60 + 3 * d + int(r.geometric(0.5)), (0, 1)),
    "longer integers": (lambda d, r: (d << 160) + (int(noise(r, 0.2) * 2**60) << 100), (0, 1)),
    "float in bytes": (lambda d, r: np.float64(d + noise(r, 0.2)).tobytes(), (0, 1)),
    "record": (lambda d, r: [{"z": text(r, 1), "n": int(r.integers(3))} for _ in range(4)]
               + [{"z": "q", "n": d}], (0, 1)),
    "rows": (lambda d, r: [[noise(r)]] * (2 + int(r.random() < (0.9 if d else 0.1))), (0, 1)),
    "order of rows": (
        lambda d, r: np.array([[1, 2], [3, 4]])[:: -1 if d else 1] + r.integers(0, 2, (2, 2)),
        (0, 1)),
    "field": (lambda d, r: np.array([(d + noise(r, 0.2), "a")], [("x", "f8"), ("s", "U3")]),
              (0, 1)),
    "generator": (lambda d, r: (x for x in [noise(r), d + noise(r, 0.2)]), (0, 1)),
    "wide": (lambda d, r, count: r.normal(size=(count, 200)) + 6 * d * (np.arange(200) == 9),
             (0, 1)),
}  # fmt: skip

CORRECT: dict[str, Any] = {  # ½-private
    "text": lambda d, r: f"{d + noise(r, 2.0):.3f}",
    "text in full": lambda d, r: str(d + noise(r, 2.0)),
    "JSON": lambda d, r: json.dumps({"id": text(r), "n": d + noise(r, 2.0)}),
    "letters": lambda d, r: text(r),
    "bytes": lambda d, r: r.bytes(8),
    "categories": lambda d, r: [str(c) for c in r.choice(MANY, 8)],
    "set": lambda d, r: set(r.choice(30, 5).tolist()),
    "long integers": lambda d, r: (d << 60) + int(noise(r, 2.0) * 2**60),
    "long NumPy integers": lambda d, r: np.int64((d << 57) + 2 * int(noise(r, 2.0) * 2**56)),
    "rows": lambda d, r: [[d + noise(r, 2.0)]] * int(r.integers(1, 4)),
    "tables of rows": lambda d, r: [[d + noise(r, 2.0), 0.2], *[[1.0, 2.0]] * int(r.integers(2))],
    "an identifier": lambda d, r: {"n": d + noise(r, 2.0), "id": int(r.integers(1 << 62))},
    "Decimal": lambda d, r: decimal.Decimal(f"{d + noise(r, 2.0):.4f}"),
    "errors": lambda d, r: 1 / int(r.random() < (0.5 if d else 0.5 * np.exp(-0.5))),
    "wide": lambda d, r, count: r.normal(size=(count, 200)),
}


def found(release: Any, pair: Any, epsilon: float, **options: Any) -> AuditResult:
    return audit(target(release, isolated=False), pair, ApproximateDP(epsilon), **options)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_mechanisms_are_refuted_by_an_event_that_can_be_replayed(name: str) -> None:
    release, pair = BROKEN[name]
    result = found(release, pair, 1.0, runs=1500, seed=1, checks=False)
    assert result.refuted
    event = event_from(json.loads(json.dumps(result.event_record)))
    assert event.words == result.event
    assert json.dumps(event.record()) == json.dumps(result.event_record)
    with Runner(target(release, isolated=False)) as runner:
        for side, data in enumerate(pair):
            batch = runner.run(data, [side], 50)
            alone = [event.sides(batch.rows(slice(i, i + 1))) for i in range(50)]
            assert event.sides(batch) == tuple(map(sum, zip(*alone, strict=True)))


@pytest.mark.parametrize("name", CORRECT)
def test_correct_mechanisms_are_never_refuted(name: str) -> None:
    for seed, checks in ((0, True), (1, False), (2, False)):
        options = {"seed": seed, "checks": checks, "confidence": ALMOST}
        result = found(CORRECT[name], (0, 1), 0.5, runs=1000, **options)
        assert not result.refuted, result.event


def test_tables_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    broken = [
        lambda d, r: pd.DataFrame({"ab"[d]: [noise(r)]}),
        lambda d, r: pd.DataFrame({"a": [noise(r)]}, index=[d]),
        lambda d, r: pd.DataFrame({"a": [5, 6][:: 1 - 2 * d], "n": r.laplace(size=2)}),
        lambda d, r: pd.DataFrame({"a": np.array([r.integers(9)], ["i4", "i8"][d])}),
        lambda d, r: pd.Series([noise(r)], name="ab"[d]),
    ]
    for release in broken:
        assert found(release, (0, 1), 1.0, runs=300).refuted

    def correct(data: int, rng: RNG) -> Any:
        return pd.DataFrame({"a": [data + noise(rng, 2.0)], "id": [text(rng)]})

    for seed in range(2):
        assert not found(correct, (0, 1), 0.5, runs=300, seed=seed, confidence=ALMOST).refuted


@pytest.mark.parametrize("name", [name for name in CORRECT if name != "wide"])
def test_independent_runs_are_not_accused(name: str) -> None:
    with Runner(target(CORRECT[name], isolated=False)) as runner:
        for seed in range(5):
            batch = runner.run(0, [seed], 300)
            assert _independent(batch, 1e-6).passed
            assert _stationary(batch, 1e-6).passed


class Counted:
    """Texts in the order of a counter."""

    def __init__(self) -> None:
        self.runs = 0

    def release(self, data: int, rng: RNG) -> str:
        self.runs += 1
        return f"run {self.runs:06d}"


class Kept:
    """Texts that sometimes are the last one again."""

    def __init__(self) -> None:
        self.last = ""

    def release(self, data: int, rng: RNG) -> str:
        if not self.last or rng.random() < 0.5:
            self.last = text(rng)
        return self.last


def test_texts_that_depend_on_one_another_are_found() -> None:
    for kind in (Counted, Kept):
        with Runner(target(kind(), isolated=False)) as runner:
            assert not _independent(runner.run(0, [1], 400), 1e-6).passed


def test_wide_outputs_are_learned_from_in_few_numbers() -> None:
    """Of 1000 numbers all move by a little: only their sum tells."""

    def spread(data: int, rng: RNG, count: int) -> Any:
        return rng.normal(size=(count, 1000)) + 3 * data / np.sqrt(1000)

    result = found(spread, (0, 1), 1.0, runs=1000)
    assert result.refuted
    assert "the sum of output" in result.event
