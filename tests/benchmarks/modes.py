"""Private modes: errors at equal budgets, and time against the published rule and mean shift.

First table: the matching error (14) on four corners, M = 4 known, public box and bandwidth, means
over seeds. `anchors` are Algorithm 2's draws alone at the same ε, with its tight budget 2ε/(k + 1)
for each of k = M draws and the best of three radii in hindsight; they have δ = 0. `published` is
the rule that made the paper's tables: it is not private. Second table: CPU seconds of one fit.
Third table: those of the field and of the local method. `--times` leaves out the first table.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.cluster import MeanShift

from provedp.mechanisms.modes import PrivateModes
from provedp.mechanisms.modes.published.anchors import ball_counts, density_aware_anchors, lattice
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.mechanisms.published import RefutedGuaranteeWarning
from provedp.verify.claims.modes.instances.samples import CORNERS, four_corners

EPSILONS = (0.1, 0.25, 0.5, 1.0, 5.0)
BOX = [(-6.0, 6.0)] * 2
BANDWIDTH = 1.5
RADII = (0.8, 1.2, 1.6)
SEEDS = 20
REPEATS = 5


def matching_error(found: np.ndarray) -> float:
    """Return (14): mean squared distances to the nearest, from either side, averaged."""
    squares = ((found[:, None] - CORNERS) ** 2).sum(axis=2)
    return float(squares.min(axis=1).mean() + squares.min(axis=0).mean()) / 2


def anchors(points: np.ndarray, epsilon: float, radius: float, seed: int) -> np.ndarray:
    """Return four draws, at least two radii apart, so that no record counts for two of them."""
    candidates = lattice(BOX, 0.37)  # no multiple of it is a corner
    counts = ball_counts(candidates, points, radius)
    each = 4 * 2 * epsilon / 5  # density_aware_anchors divides by the number of draws
    return density_aware_anchors(
        candidates, counts, 4, each, 2 * radius, np.random.default_rng(seed)
    )


def errors(records: int) -> None:
    """Print the errors at one number of records."""
    points = four_corners(records).points
    rows: dict[str, list[float]] = {"field": [], "local": [], "anchors": [], "published": []}
    for epsilon in EPSILONS:
        for method in ("field", "local"):
            model = PrivateModes(
                epsilon, "1e-6", box=BOX, bandwidth=BANDWIDTH, modes=4, method=method
            )
            found = [model.set_params(random_state=s).fit(points).modes_ for s in range(SEEDS)]
            rows[method].append(np.mean([matching_error(f) if len(f) else np.inf for f in found]))
        draws = [
            np.mean([matching_error(anchors(points, epsilon, r, s)) for s in range(SEEDS)])
            for r in RADII
        ]
        rows["anchors"].append(min(draws))
        rule = PublishedModesCode(epsilon, modes=4)
        found = [rule.set_params(random_state=s).fit(points).modes_ for s in range(SEEDS)]
        rows["published"].append(np.mean([matching_error(f) for f in found]))
    for name, values in rows.items():
        print(f"{records:6} {name:<10}" + "".join(f"{value:10.4f}" for value in values), flush=True)


def seconds(fit) -> float:
    """Return the least CPU seconds of a few fits."""
    found = []
    for _ in range(REPEATS):
        start = time.process_time()
        fit()
        found.append(time.process_time() - start)
    return min(found)


def times() -> None:
    """Print CPU seconds against the number of records."""
    print(
        f"\n{'n':>8} {'provedp':>9} {'published':>10} {'ratio':>6} {'MeanShift':>10} {'ratio':>7}"
    )
    for records in (1000, 5000, 100_000, 1_000_000):
        rng = np.random.default_rng(0)
        points = CORNERS[rng.integers(0, 4, records)] + rng.standard_normal((records, 2))
        model = PrivateModes(1, box=BOX, bandwidth=BANDWIDTH, modes=4)
        own = seconds(lambda model=model, points=points: model.fit(points))
        line = f"{records:8} {own:9.4f}"
        if records <= 5000:
            rule = PublishedModesCode(1, modes=4)
            peer = seconds(lambda rule=rule, points=points: rule.fit(points))
            line += f" {peer:10.4f} {peer / own:6.2f}"
            start = time.process_time()
            MeanShift(bandwidth=BANDWIDTH).fit(points)
            shift = time.process_time() - start
            line += f" {shift:10.3f} {shift / own:7.1f}"
        print(line, flush=True)


def local_times() -> None:
    """Print CPU seconds of the field and of the local method against the number of records."""
    print(f"\n{'n':>8} {'field':>9} {'local':>10} {'ratio':>6}")
    for records in (1000, 100_000, 1_000_000):
        rng = np.random.default_rng(0)
        points = CORNERS[rng.integers(0, 4, records)] + rng.standard_normal((records, 2))
        spent = []
        for method in ("field", "local"):
            model = PrivateModes(1, box=BOX, bandwidth=BANDWIDTH, modes=4, method=method)
            spent.append(seconds(lambda model=model, points=points: model.fit(points)))
        field, local = spent
        print(f"{records:8} {field:9.4f} {local:10.4f} {local / field:6.2f}", flush=True)


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore", RefutedGuaranteeWarning)
    if "--times" not in sys.argv:
        all_errors()
    times()
    local_times()


def all_errors() -> None:
    """Print the first table."""
    print(f"{'n':>6} {'method':<10}" + "".join(f"{f'ε={e:g}':>10}" for e in EPSILONS))
    for records in (1000, 5000) if "--quick" in sys.argv else (700, 1000, 2000, 5000):
        errors(records)


if __name__ == "__main__":
    main()
