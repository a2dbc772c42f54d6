"""Outputs as nobody should return them: broken mechanisms are refuted, correct ones are not."""

import collections
import dataclasses
import enum
import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from provedp.verify.audit import ApproximateDP, AuditResult, audit, target
from provedp.verify.audit.events.event import event_from
from provedp.verify.audit.events.scores.noise_families import fit_family, is_family
from provedp.verify.audit.events.scores.projections import fit_projection
from provedp.verify.audit.events.thresholds import models
from provedp.verify.audit.runs.independence import within_requests
from provedp.verify.audit.statistics.dispersion import BINS, binned
from provedp.verify.audit.targets.outputs import batch_of_array, batch_of_list
from provedp.verify.audit.targets.runner import Runner

RNG = np.random.Generator
INF, NAN = math.inf, math.nan
LARGEST, LEAST = np.finfo(float).max, 5e-324
EXTREMES = [INF, -INF, NAN, LARGEST, -LARGEST, LEAST, -0.0, 0.0, 1e-300, 1e160]
SURE = 1 - 1e-6


class Level(enum.IntEnum):
    LOW, HIGH = 1, 2


class Access(enum.Flag):
    READ, WRITE = enum.auto(), enum.auto()


Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Fit:
    design: Any
    score: float


def noise(rng: RNG, scale: float = 1.0) -> float:
    return float(rng.laplace(scale=scale))


def matrix(value: float, place: int = 0) -> Any:
    return scipy.sparse.csr_matrix(([value], ([0], [place])), shape=(2, 2))


def moment(seconds: float) -> Any:
    record = np.zeros(1, [("t", "M8[ms]"), ("n", "i4")])
    record["t"] = np.datetime64(0, "ms") + np.timedelta64(round(1000 * seconds), "ms")
    return record


def raises(text: str) -> Any:
    raise LookupError(text)


BROKEN: dict[str, Any] = {
    "NaN within": lambda d, r: {"a": [noise(r), NAN if d else INF]},
    "−0 within": lambda d, r: {"a": {"b": (noise(r), -0.0 if d else 0.0)}},
    "infinite or not": lambda d, r: INF if r.random() < (0.9 if d else 0.1) else noise(r),
    "infinite either way": lambda d, r: -INF if r.random() < (0.9 if d else 0.1) else INF,
    "huge integers": lambda d, r: [10**400 + 7 * d + int(r.geometric(0.9))],
    "huge integers apart": lambda d, r: {"n": 10 ** (400 + d) + int(r.integers(1 << 40))},
    "IntEnum or int": lambda d, r: [Level.HIGH if d else 2, noise(r)],
    "Flag": lambda d, r: Access.READ | Access.WRITE if r.random() < (0.9 if d else 0.1) else
    Access.READ,
    "dataclass with a sparse matrix": lambda d, r: Fit(matrix(noise(r), d), noise(r)),
    "generator within": lambda d, r: {"rows": (x for x in [noise(r)] * (1 + d))},
    "generator that fails": lambda d, r: (x if x or not d else raises("end") for x in (1, 0)),
    "named tuple or tuple": lambda d, r: Point(noise(r), 1) if d else (noise(r), 1),
    "JSON in bytes": lambda d, r: json.dumps({"n": d + noise(r, 0.2)}).encode(),
    "frozenset": lambda d, r: frozenset(r.choice(40, 5 + d, False).tolist()),
    "frozenset or set": lambda d, r: (frozenset if d else set)([int(r.integers(9))]),
    "bool or int": lambda d, r: [{"x": bool(r.integers(2)) if d else int(r.integers(2))}],
    "NumPy's bool": lambda d, r: np.bool_(True) if d else True,
    "NumPy's scalars": lambda d, r: [np.float32(noise(r)) if d else np.float64(noise(r))],
    "datetime64 in records": lambda d, r: moment(d + noise(r, 0.2)),
    "unit of datetime64": lambda d, r: np.datetime64(int(r.integers(9)), "s" if d else "ms"),
    "text of an error": lambda d, r: raises(f"{d} rows") if r.random() < 0.5 else noise(r),
    "status": lambda d, r: raise_exit(3 + d) if r.random() < 0.5 else noise(r),
    "recursive": lambda d, r: nested(70 if d else 30, noise(r)),
    "lone surrogate": lambda d, r: "\ud800" if d else "\ud801",
    "wide and extreme": lambda d, r, count: r.choice(EXTREMES, (count, 80))
    + np.where(np.arange(80) == 3, 10.0 ** (300 * d), 0),
}  # fmt: skip


def raise_exit(status: int) -> Any:
    raise SystemExit(status)


def nested(levels: int, value: float) -> Any:
    for _ in range(levels):
        value = [value]  # type: ignore[assignment]
    return value


CORRECT: dict[str, Any] = {  # ½-private
    "extremes": lambda d, r: float(r.choice(EXTREMES)),
    "extremes in a vector": lambda d, r, count: r.choice(EXTREMES, (count, 3)),
    "extremes in a wide vector": lambda d, r, count: r.choice(EXTREMES, (count, 80)),
    "extremes beside noise": lambda d, r: {"x": d + noise(r, 2.0), "y": [float(
        r.choice(EXTREMES))] * int(r.integers(3))},
    "extremes in text": lambda d, r: f"{r.choice(EXTREMES)} {10**int(r.integers(500))}",
    "infinite noise": lambda d, r: d + float(r.choice([INF, noise(r, 2.0)])),
    "Cauchy noise, squared and more": lambda d, r: float(np.clip(
        r.standard_cauchy() ** 99, -LARGEST, LARGEST)),
    "huge integers": lambda d, r: (10**400 + d * 10**380) + int(noise(r, 2.0) * 2**60) * 10**380
    // 2**60,
    "dataclass": lambda d, r: Fit(matrix(d + noise(r, 2.0), int(r.integers(2))), NAN),
    "generator": lambda d, r: (x for x in [d + noise(r, 2.0)] * int(r.integers(4))),
    "records": lambda d, r: moment(round(d + noise(r, 2.0))),
    "errors": lambda d, r: raises(f"{r.integers(9)} rows") if r.random() < 0.3 else d + noise(r, 2),
    "statuses": lambda d, r: raise_exit(int(r.integers(1, 4))) if r.random() < 0.3 else None,
    "frozensets": lambda d, r: frozenset([(int(r.integers(5)), NAN), Level.LOW]),
    "printing": lambda d, r: print(d, flush=True) or d + noise(r, 2.0),
}  # fmt: skip


def found(release: Any, epsilon: float, runs: int, **options: Any) -> AuditResult:
    what = target(release, isolated=False)
    return audit(what, (0, 1), ApproximateDP(epsilon), runs=runs, processes=2, **options)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_ones_are_refuted_by_an_event_that_can_be_replayed(name: str) -> None:
    result = found(BROKEN[name], 1.0, 500, seed=1, checks=False)
    assert result.refuted
    event = event_from(json.loads(json.dumps(result.event_record)))
    assert event.words == result.event
    with Runner(target(BROKEN[name], isolated=False)) as runner:
        for side in (0, 1):
            batch = runner.run(side, [side], 20)
            alone = [event.sides(batch.rows(slice(i, i + 1))) for i in range(20)]
            assert event.sides(batch) == tuple(map(sum, zip(*alone, strict=True)))


@pytest.mark.parametrize("name", CORRECT)
def test_correct_ones_are_not_refuted(name: str) -> None:
    for seed, checks in ((0, True), (1, False)):
        result = found(CORRECT[name], 0.5, 300, seed=seed, checks=checks, confidence=SURE)
        assert not result.refuted, result.event


@pytest.mark.parametrize("options", [{"channel": "bits"}, {"sequential": True}], ids=str)
def test_extremes_in_other_kinds_of_audits(options: Any) -> None:
    for name in ("extremes", "extremes in a vector", "infinite noise"):
        assert not found(CORRECT[name], 0.5, 200, checks=False, confidence=SURE, **options).refuted


def test_bins_are_as_even_as_values_allow() -> None:
    """No arithmetic with what is found: infinite values are as good as others."""
    values = np.r_[np.full(100, -INF), np.arange(300), np.full(400, INF)]
    bins = binned(np.random.default_rng(1).permutation(values))
    assert np.bincount(bins).tolist() == [100, 100, 100, 100, 400] or len(set(bins)) <= BINS
    assert np.bincount(binned(values))[-1] == 400
    assert np.bincount(binned(np.arange(8000.0))).tolist() == [1000] * BINS
    order = np.argsort(values, kind="stable")
    assert (np.diff(binned(values)[order]) >= 0).all()


def test_statistics_bear_extreme_numbers() -> None:
    rng = np.random.default_rng(2)
    one, two = (batch_of_array(rng.choice(EXTREMES, (600, 1))) for _ in range(2))
    fit_family(one, two), is_family(one, two)
    assert models(*(batch.numbers[:, 0] for batch in (one, two))) == []
    wide = [batch_of_array(rng.choice(EXTREMES, (600, 70))) for _ in range(2)]
    assert np.isfinite(np.array(fit_projection(*wide).weights)).all()
    assert np.isfinite(fit_projection(*wide)(wide[0]).numbers[:, :6]).all()
    texts = batch_of_list([f"1e{int(x)}" for x in rng.integers(0, 999, 600)])
    for batch in (one, wide[0], texts):
        assert all(each.passed for each in within_requests(batch, batch, 1e-6))
