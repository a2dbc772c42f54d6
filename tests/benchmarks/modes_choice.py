"""Private modes as they choose their mechanism, beside every fixed one: errors over n, ε and d.

One normal of deviation 1 at each of M corners at ±3, moved together by a random public offset of up
to half a unit, so that no grid is favoured; a box of ±6; h = 1.2 up to d = 3 and 1.5 in five
dimensions; M known. An error is the mean over the modes of the squared distance to the nearest one
found, 9 at most; new data for each seed. The others get what ours gets and the same finder of
peaks: `field` and `local` are the methods of those names at (ε, 10⁻⁶); `hist` is a histogram with
cells of 0.75 h or h and `lin` linear binning h apart, both with Laplace noise and δ = 0.

Columns: ours with its standard error, all others, the best of these and ours over it, with the
standard error of the paired differences; and what was asked for, if anything. On real data errors
are squared bandwidths, 2.25 at most, from the modes without noise; for each seed the records are
moved by a random public offset of up to half a bandwidth. `--quick` leaves out all but a few cells,
and `--asked` all but those of which something was asked; `--dimensions` without numbers leaves real
data alone.
"""

import argparse
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np
from joblib import Parallel, delayed
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from provedp.mechanisms.modes import PrivateModes
from provedp.mechanisms.modes.private.bins import BinAxis, binned, bits_of
from provedp.mechanisms.modes.private.field import Axis, Field, has_room
from provedp.mechanisms.modes.private.peaks import peaks_of

DELTA = "1e-6"
CAP, REAL_CAP = 9.0, 2.25
SHIFTS = 200
EPSILONS = (0.1, 0.25, 0.5, 1.0)
ASKED = {  # (d, n, ε): largest error
    (1, 1000, 0.25): 0.006,
    (2, 1000, 0.25): 0.115,
    (2, 1000, 0.5): 0.040,
    (2, 1000, 1.0): 0.019,
    (5, 1000, 1.0): 0.40,
    (5, 2000, 0.5): 0.35,
}


@dataclass(frozen=True)
class Cells:
    """Cells of a histogram along one coordinate, smoothed to a bandwidth."""

    low: float
    high: float
    bandwidth: float
    side: float

    @property
    def count(self) -> int:
        """How many there are."""
        return ceil((self.high - self.low) / self.side - 1e-9)

    @property
    def spacing(self) -> float:
        """Their side as it is."""
        return (self.high - self.low) / self.count

    @property
    def knots(self) -> np.ndarray:
        """Their middles."""
        return self.low + self.spacing * (np.arange(self.count) + 0.5)

    @property
    def smoothing(self) -> float:
        """A bandwidth short of the variance within a cell."""
        return sqrt(self.bandwidth**2 - self.spacing**2 / 12)

    @property
    def unit(self) -> float:
        """Factor of a smoothed count in records for one unit of length."""
        return 1 / (sqrt(2 * pi) * self.smoothing)


@dataclass(frozen=True)
class Request:
    """One release: data, what is public about them, and the budget."""

    points: np.ndarray
    box: tuple[tuple[float, float], ...]
    bandwidth: tuple[float, ...]
    modes: int | None
    epsilon: float
    adjacency: str
    seed: int

    @property
    def laplace(self) -> float:
        """Scale of Laplace noise on counts."""
        return (2 if self.adjacency == "replace-one" else 1) / self.epsilon


def own(method: str) -> Callable[[Request], np.ndarray]:
    """Return a method of PrivateModes, given the number of records."""

    def found(request: Request) -> np.ndarray:
        model = PrivateModes(
            request.epsilon,
            DELTA,
            box=request.box,
            bandwidth=request.bandwidth,
            modes=request.modes,
            adjacency=request.adjacency,
            method=method,
            records=len(request.points),
            random_state=request.seed,
        )
        return model.fit(request.points).modes_

    return found


def plain_field(request: Request) -> np.ndarray:
    """Return the peaks of a field, looked for in the estimate of one bandwidth, if it has room."""
    coordinates = zip(request.box, request.bandwidth, strict=True)
    if not has_room([Axis(low, high, h) for (low, high), h in coordinates]):
        return np.empty((0, len(request.box)))
    model = PrivateModes(
        request.epsilon,
        DELTA,
        box=request.box,
        bandwidth=request.bandwidth,
        modes=request.modes,
        adjacency=request.adjacency,
        method="field",
        random_state=request.seed,
    )
    return peaks_of(model.fit(request.points).field_, request.modes).places


def histogram(sides: float) -> Callable[[Request], np.ndarray]:
    """Return a finder of peaks of a histogram with cells of so many bandwidths."""

    def found(request: Request) -> np.ndarray:
        return peaks_of(histogram_field(request, sides), request.modes).places

    return found


def histogram_field(request: Request, sides: float = 1.0) -> Field:
    """Return a histogram with cells of so many bandwidths and Laplace noise."""
    axes = tuple(
        Cells(low, high, h, sides * h)
        for (low, high), h in zip(request.box, request.bandwidth, strict=True)
    )
    edges = [np.linspace(axis.low, axis.high, axis.count + 1) for axis in axes]
    inside = np.clip(request.points, *np.array(request.box).T)
    return noisy(request, axes, np.histogramdd(inside, bins=edges)[0])


def linear(request: Request) -> np.ndarray:
    """Return the peaks of linearly binned counts one bandwidth apart."""
    axes = tuple(
        BinAxis(low, high, h, 1.0)
        for (low, high), h in zip(request.box, request.bandwidth, strict=True)
    )
    whole = 2.0 ** (bits_of(len(axes)) * len(axes))
    counts = binned(request.points, axes) / whole
    field = noisy(request, axes, counts.reshape([axis.node_count for axis in axes]))
    return peaks_of(field, request.modes).places


def noisy(request: Request, axes: tuple, counts: np.ndarray) -> Field:
    """Return counts with Laplace noise."""
    scale = request.laplace
    noise = np.random.default_rng([request.seed, 1]).laplace(0, scale, counts.shape)
    return Field(axes, counts + noise, sqrt(2) * scale, 1 / scale)


OTHERS: Mapping[str, Callable[[Request], np.ndarray]] = {
    "field": plain_field,
    "local": own("local"),
    "hist .75h": histogram(0.75),
    "hist h": histogram(1.0),
    "lin h": linear,
}


@dataclass(frozen=True)
class Cell:
    """One cell of the tables."""

    dimension: int
    records: int
    epsilon: float
    adjacency: str = "replace-one"

    @property
    def corners(self) -> np.ndarray:
        """The modes: all corners of a line or square, four of a cube, three in five dimensions."""
        every = np.array(list(itertools.product((-3.0, 3.0), repeat=self.dimension)))
        if self.dimension == 3:
            return every[[0, 3, 5, 6]]
        return every[[0, 10, 31]] if self.dimension == 5 else every

    @property
    def asked(self) -> float | None:
        """Largest error that was asked for, if any was."""
        if self.adjacency != "replace-one":
            return None
        return ASKED.get((self.dimension, self.records, self.epsilon))

    def request(self, seed: int) -> tuple[Request, np.ndarray]:
        """Return new data, and the modes."""
        rng = np.random.default_rng([seed, self.dimension, self.records])
        modes = self.corners + rng.uniform(-0.5, 0.5, self.dimension)
        points = modes[rng.integers(0, len(modes), self.records)]
        points = points + rng.standard_normal((self.records, self.dimension))
        width = 1.5 if self.dimension == 5 else 1.2
        box = ((-6.0, 6.0),) * self.dimension
        return (
            Request(
                points,
                box,
                (width,) * self.dimension,
                len(modes),
                self.epsilon,
                self.adjacency,
                seed,
            ),
            modes,
        )


def error(found: np.ndarray, modes: np.ndarray, cap: float) -> float:
    """Return the mean over the modes of the capped squared distance to the nearest found."""
    if len(found) == 0:
        return cap
    squares = ((found[:, None] - modes) ** 2).sum(axis=2).min(axis=0)
    return float(np.minimum(squares, cap).mean())


def errors(cell: Cell, seed: int) -> list[float]:
    """Return the errors of ours and of the others on one seed."""
    request, modes = cell.request(seed)
    methods = [own("auto"), *OTHERS.values()]
    return [error(method(request), modes, CAP) for method in methods]


def tables(quick: bool) -> Iterator[Cell]:
    """Yield the cells."""
    if quick:
        yield from (Cell(2, 1000, 0.25), Cell(2, 1000, 1.0))
        return
    yield from (Cell(1, n, e) for n in (1000, 2000) for e in EPSILONS)
    yield from (Cell(2, n, e) for n in (1000, 2000, 5000) for e in EPSILONS)
    yield from (Cell(2, n, 5.0) for n in (1000, 2000))
    yield from (Cell(2, 1000, e, "add-remove") for e in EPSILONS)
    yield from (Cell(3, n, e) for n in (1000, 2000, 5000) for e in EPSILONS)
    wide = {1000: (0.5, 1.0, 5.0), 2000: (0.25, 0.5, 1.0), 5000: (0.25, 0.5, 1.0)}
    yield from (Cell(5, n, e) for n, few in wide.items() for e in few)


def line(head: str, found: np.ndarray, asked: float | None) -> str:
    """Return a row of means."""
    mean, error_of = found.mean(axis=0), found[:, 0].std() / sqrt(len(found))
    cells = "".join(f"{value:10.4g}" for value in mean[1:])
    best = 1 + int(mean[1:].argmin())
    ratio = mean[0] / mean[best]
    spread = (found[:, 0] - ratio * found[:, best]).std() / mean[best] / sqrt(len(found))
    wanted = "" if asked is None else f"{asked:10.4g}"
    return (
        f"{head:<26}{mean[0]:10.4g} ± {error_of:<8.2g}{cells}"
        f"{mean[best]:10.4g}{ratio:8.2f} ± {spread:<6.2f}{wanted}"
    )


def real_samples() -> Iterator[tuple[str, np.ndarray, int]]:
    """Yield names, first principal components of standardised data, and how many modes."""
    for name, load, columns, modes in (
        ("iris", load_iris, 2, 2),
        ("wine", load_wine, 2, 3),
        ("breast cancer", load_breast_cancer, 2, 2),
        ("digits", load_digits, 2, 3),
        ("digits", load_digits, 3, 3),
        ("iris", load_iris, 4, 2),
    ):
        scaled = StandardScaler().fit_transform(load().data)
        yield f"{name}, {columns} comp.", PCA(columns).fit_transform(scaled), modes


def public_box(points: np.ndarray) -> tuple[tuple[tuple[float, float], ...], float]:
    """Return intervals and a bandwidth that stand for public ones."""
    end = float(2.0 ** ceil(np.log2(np.abs(points).max())))
    return ((-end, end),) * points.shape[1], end / 5


def density_modes(points: np.ndarray, width: float, most: int) -> np.ndarray:
    """Return the highest modes of the estimate without noise, without those of a few records.

    Mean-shift steps from every record; a mode that less than a tenth of the records lead to, or
    within half a bandwidth of another one, does not count.
    """
    places = points.copy()
    for _ in range(SHIFTS):
        squares = ((places[:, None] - points) ** 2).sum(axis=2)
        weights = np.exp(-squares / (2 * width**2))
        places = weights @ points / weights.sum(axis=1, keepdims=True)
    modes, held = [], []
    for place in places:
        near = [i for i, mode in enumerate(modes) if np.linalg.norm(mode - place) < width / 2]
        if near:
            held[near[0]] += 1
        else:
            modes.append(place)
            held.append(1)
    order = np.argsort(held)[::-1][:most]
    return np.array([modes[i] for i in order if held[i] >= len(points) / 10])


def real_errors(
    points: np.ndarray, modes: np.ndarray, epsilon: float, adjacency: str, seed: int
) -> list:
    """Return the errors on one real sample, in squared bandwidths."""
    box, width = public_box(points)
    widths = (width,) * points.shape[1]
    offset = np.random.default_rng(seed).uniform(-0.5, 0.5, points.shape[1]) * width
    moved = (modes + offset) / width
    request = Request(points + offset, box, widths, len(modes), epsilon, adjacency, seed)
    methods = [own("auto"), *OTHERS.values()]
    return [error(method(request) / width, moved, REAL_CAP) for method in methods]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dimensions", type=int, nargs="*", default=[1, 2, 3, 5])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--asked", action="store_true")
    parser.add_argument("--no-real", action="store_true")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    heads = "".join(f"{name:>10}" for name in [*OTHERS, "best"])
    print(f"{'cell':<26}{'ours':>10}{'':11}{heads}{'ratio':>8}{'':9}{'asked':>10}")
    run = Parallel(chosen.jobs)
    for cell in tables(chosen.quick):
        if cell.dimension not in chosen.dimensions or (chosen.asked and cell.asked is None):
            continue
        found = np.array(run(delayed(errors)(cell, seed) for seed in range(chosen.seeds)))
        head = f"d={cell.dimension} n={cell.records} ε={cell.epsilon:g} {cell.adjacency}"
        print(line(head, found, cell.asked), flush=True)
    if chosen.quick or chosen.no_real:
        return
    for name, points, most in real_samples():
        modes = density_modes(points, public_box(points)[1], most)
        for epsilon, adjacency in ((1.0, "replace-one"), (0.5, "add-remove")):
            asked = 0.08 if (name, epsilon) == ("iris, 2 comp.", 1.0) else None
            if chosen.asked and asked is None:
                continue
            found = run(
                delayed(real_errors)(points, modes, epsilon, adjacency, seed)
                for seed in range(chosen.seeds)
            )
            print(line(f"{name} ε={epsilon:g} {adjacency}", np.array(found), asked), flush=True)


if __name__ == "__main__":
    main()
