"""Private modes beside what a user would pick instead, all at one ε, with one public box and h.

Corners: the samples of modes_choice.py, for d = 1, 2 and 3. Blobs: the overlapping ones of the
modes paper, standardised; h is a tenth of the box. New data for each seed, moved by a random public
offset of up to half a bandwidth or so.

- `ours`: PrivateModes, which chooses its method for (ε, 10⁻⁶); labels are those of
  PrivateModalClustering's centres.
- `histogram`: Laplace noise on cells one bandwidth wide, δ = 0, smoothed, and the same peak finder.
- `k-means`: diffprivlib, with the public box, δ = 0. It is told the number of modes, and has no
  rule to find it.
- `synthetic`: records of DataSynthesizer (PrivBayes; its noisy histogram for one column), at the ε
  that it is given and on cells one bandwidth wide; their modes are those of their density without
  further noise. Where the number of modes is not known, those count to which a twentieth of the
  synthetic records is nearest.

Columns: the mean over the modes of the squared distance to the nearest one found (capped at 9, and
at 0.73 for blobs) and the ARI of nearest-mode labels, both with the number of modes known; then how
many are found where it is not, and in which share of the runs that is the right number. The last
table is modal regression: the two sine curves of the paper, n = 1200, the loss (15) at 101 places
and the mean number of branches, of two (a missing one costs nothing).

`--python` names the interpreter of the environment that tests/benchmarks/peers/private_kmeans.py
describes; without it the first two methods run alone. `--data` names what is to be run, and
`--quick` leaves out all values of ε but 1.
"""

import argparse
import json
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from modes_choice import CAP, DELTA, Cell, Request, error, histogram, histogram_field, own
from sklearn.metrics import adjusted_rand_score

from provedp.experiments.modes.regressions import BRANCHES, PLACES, loss
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.mechanisms.modes.private.bins import BinAxis, binned, bits_of
from provedp.mechanisms.modes.private.field import Field
from provedp.mechanisms.modes.private.peaks import peaks_of
from provedp.mechanisms.modes.private.ridges import ridges
from provedp.verify.claims.modes.instances.samples import Curves, blobs, sinusoid

PEERS = Path(__file__).parent / "peers"
EPSILONS = (0.25, 0.5, 1.0, 5.0)
DATA = ["corners, d = 1", "corners, d = 2", "corners, d = 3", "blobs", "sine curves"]
RECORDS, CURVE_RECORDS = 1000, 1200
BLOBS_CAP = 0.73  # about the square of half the distance between two centres
COUNTED = 0.05  # share of the synthetic records of a mode that counts
FINE = 0.5  # bandwidths between nodes of estimates without noise
SILENT = 1e-9  # deviation that stands for no noise


@dataclass(frozen=True)
class Problem:
    """What is asked of all methods: a release, the true modes and labels, and the cap."""

    request: Request
    modes: np.ndarray
    labels: np.ndarray
    cap: float


def corners(dimension: int, epsilon: float, seed: int) -> Problem:
    """Return one of the samples of modes_choice.py; labels are the nearest true modes."""
    request, modes = Cell(dimension, RECORDS, epsilon).request(seed)
    return Problem(request, modes, nearest(request.points, modes), CAP)


def overlapping(epsilon: float, seed: int) -> Problem:
    """Return the paper's blobs; labels are the classes, modes their means."""
    sample = blobs(RECORDS, seed)
    width = (sample.box[0][1] - sample.box[0][0]) / 10
    moved = np.random.default_rng(seed).uniform(-width / 2, width / 2, 2)
    points, modes = sample.points + moved, sample.reference + moved
    request = Request(points, sample.box, (width,) * 2, len(modes), epsilon, "replace-one", seed)
    return Problem(request, modes, sample.labels, BLOBS_CAP)


def nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the index of the nearest centre of each point."""
    return ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)


def asked(python: str | None, peer: str, jobs: list[dict[str, Any]]) -> list[Any]:
    """Return a peer's answers, or nothing where there is no interpreter for it."""
    if python is None:
        return []
    done = subprocess.run(
        [python, str(PEERS / peer)],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(done.stdout))


def k_means_job(request: Request) -> dict[str, Any]:
    """Return what the peer's k-means is asked for."""
    return {
        "points": np.clip(request.points, *np.array(request.box).T).tolist(),
        "clusters": request.modes,
        "epsilon": request.epsilon,
        "seeds": [request.seed],
        "bounds": request.box[0],
    }


def synthetic_job(points: np.ndarray, box: Any, bins: int, epsilon: float, seed: int) -> Any:
    """Return what the maker of synthetic records is asked for."""
    return {
        "points": points.tolist(),
        "box": [list(interval) for interval in box],
        "bins": bins,
        "epsilon": epsilon,
        "seed": seed,
    }


def exact_field(points: np.ndarray, box: Any, bandwidth: Sequence[float]) -> Field:
    """Return the density estimate of records that need no further noise."""
    axes = tuple(BinAxis(low, high, h, FINE) for (low, high), h in zip(box, bandwidth, strict=True))
    counts = binned(points, axes) / 2.0 ** (bits_of(len(axes)) * len(axes))
    return Field(axes, counts.reshape([axis.node_count for axis in axes]), SILENT)


def counted(points: np.ndarray, request: Request) -> int:
    """Return how many modes of synthetic records have their share of them."""
    found = peaks_of(exact_field(points, request.box, request.bandwidth), None).places
    held = np.bincount(nearest(points, found), minlength=len(found))
    return int((held >= COUNTED * len(points)).sum())


def public(request: Request) -> dict[str, Any]:
    """Return the settings of ours."""
    return {
        "epsilon": request.epsilon,
        "delta": DELTA,
        "box": request.box,
        "bandwidth": request.bandwidth,
        "adjacency": request.adjacency,
        "random_state": request.seed,
    }


def unknown(request: Request) -> int:
    """Return how many modes ours finds if it is not told their number."""
    return len(PrivateModes(**public(request)).fit(request.points).modes_)


def own_centres(request: Request) -> np.ndarray:
    """Return the cluster centres of ours."""
    model = PrivateModalClustering(**public(request), clusters=request.modes)
    return model.fit(request.points).cluster_centers_


def noisy_count(request: Request) -> int:
    """Return how many peaks of the histogram are four deviations above zero."""
    return len(histogram(1.0)(replace(request, modes=None)))


def scored(problem: Problem, found: np.ndarray, centres: np.ndarray, count: float) -> list[float]:
    """Return the error, the ARI by centres, the number found and whether it is right."""
    points, modes = problem.request.points, problem.modes
    labels = nearest(points, centres) if len(centres) else np.zeros(len(points))
    ari = float(adjusted_rand_score(problem.labels, labels))
    right = float(count == len(modes)) if count == count else count
    return [error(found, modes, problem.cap), ari, count, right]


def results(problems: list[Problem], python: str | None) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the methods and their scores, a row for each problem."""

    def table(
        found: list[np.ndarray], counts: Sequence[float], centres: list[np.ndarray] | None = None
    ) -> np.ndarray:
        rows = zip(problems, found, found if centres is None else centres, counts, strict=True)
        return np.array([scored(*row) for row in rows])

    requests = [problem.request for problem in problems]
    modes, counts = [own("auto")(r) for r in requests], [unknown(r) for r in requests]
    yield "ours", table(modes, counts, [own_centres(r) for r in requests])
    cells = [histogram(1.0)(request) for request in requests]
    yield "histogram", table(cells, [noisy_count(request) for request in requests])
    centres = asked(python, "private_kmeans.py", [k_means_job(r) for r in requests])
    if centres:
        found = [np.array(each[0]) for each in centres]
        yield "k-means", table(found, [float("nan")] * len(found))
    jobs = []
    for r in requests:
        bins = round((r.box[0][1] - r.box[0][0]) / r.bandwidth[0])
        jobs.append(synthetic_job(r.points, r.box, bins, r.epsilon, r.seed))
    drawn = [np.array(each) for each in asked(python, "private_synthetic.py", jobs)]
    if drawn:
        pairs = list(zip(drawn, requests, strict=True))
        fields = [exact_field(points, r.box, r.bandwidth) for points, r in pairs]
        modes = [peaks_of(f, r.modes).places for f, r in zip(fields, requests, strict=True)]
        yield "synthetic", table(modes, [counted(points, r) for points, r in pairs])


def regressions(epsilon: float, seeds: int, python: str | None) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the methods with losses and numbers of branches, a row for each seed."""
    curves = [sinusoid(CURVE_RECORDS, seed) for seed in range(seeds)]
    box = curves[0].box
    widths = tuple((high - low) / 10 for low, high in box)
    pairs = [np.column_stack([each.predictors, each.responses]) for each in curves]
    ours, cells = [], []
    for seed, (data, points) in enumerate(zip(curves, pairs, strict=True)):
        model = PrivateModalRegression(epsilon, DELTA, box=box, bandwidth=widths, random_state=seed)
        ours.append(curve_scores(data, model.fit(points[:, :1], points[:, 1]).field_))
        request = Request(points, box, widths, 1, epsilon, "replace-one", seed)
        cells.append(curve_scores(data, histogram_field(request)))
    yield "ours", np.array(ours)
    yield "histogram", np.array(cells)
    jobs = [synthetic_job(p, box, 10, epsilon, seed) for seed, p in enumerate(pairs)]
    drawn = asked(python, "private_synthetic.py", jobs)
    if drawn:
        fields = [exact_field(np.array(each), box, widths) for each in drawn]
        yield (
            "synthetic",
            np.array([curve_scores(*each) for each in zip(curves, fields, strict=True)]),
        )


def curve_scores(data: Curves, field: Field) -> list[float]:
    """Return the loss of the branches of a field, and their mean number."""
    places = np.linspace(*data.box[0], PLACES)
    found = ridges(field, places[:, None], BRANCHES)
    lost = loss(data, np.repeat(places, BRANCHES), found.ravel())
    return [lost, float((~np.isnan(found)).sum() / PLACES)]


def line(name: str, epsilon: float, method: str, found: np.ndarray, digits: Sequence[int]) -> str:
    """Return a row of means, the first with its standard error."""
    spread = found[:, 0].std() / sqrt(len(found))
    first, *rest = found.mean(axis=0)
    shown = "".join(
        f"{'-':>10}" if value != value else f"{value:10.{places}f}"
        for value, places in zip(rest, digits, strict=True)
    )
    return f"{name:<16}{epsilon:>6g}  {method:<12}{first:10.4g} ± {spread:<9.2g}{shown}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of an environment with the peers")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--data", nargs="*", choices=DATA, default=DATA)
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    epsilons = (1.0,) if chosen.quick else EPSILONS
    heads = "".join(f"{head:>10}" for head in ("ARI", "found", "right"))
    print(f"{'data':<16}{'ε':>6}  {'method':<12}{'error':>10}{'':12}{heads}")
    for name in DATA[:-1]:
        if name not in chosen.data:
            continue
        for epsilon in epsilons:
            problems = [
                overlapping(epsilon, seed)
                if name == "blobs"
                else corners(int(name[-1]), epsilon, seed)
                for seed in range(chosen.seeds)
            ]
            for method, found in results(problems, chosen.python):
                print(line(name, epsilon, method, found, (3, 2, 2)), flush=True)
    if DATA[-1] not in chosen.data:
        return
    print(f"\n{'data':<16}{'ε':>6}  {'method':<12}{'loss':>10}{'':12}{'branches':>10}")
    for epsilon in epsilons:
        for method, found in regressions(epsilon, chosen.seeds, chosen.python):
            print(line(DATA[-1], epsilon, method, found, (2,)), flush=True)


if __name__ == "__main__":
    main()
