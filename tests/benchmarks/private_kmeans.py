"""Cluster centres, Tables 6 and 7 of the modes paper: private modes beside private k-means.

`--python` names the interpreter of the environment that tests/benchmarks/peers/private_kmeans.py
describes. k-means runs twice: as in the paper, with bounds that are read off the data (so that it
is not private), and with the public box that the private modes have.
"""

import argparse
import json
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from provedp.experiments.modes import clusters as clusters
from provedp.verify.claims.modes.instances import printed as printed
from provedp.verify.claims.modes.instances import settings as settings
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, blobs, digits

PEER = Path(__file__).parent / "peers" / "private_kmeans.py"
LINE = "{:>6} {:>5}  {:<28}{:>17}{:>17}{:>17}"
Centres = list[list[list[float]]]


@dataclass(frozen=True)
class Case:
    """A sample, its values of ε with the first seed of each, and what is printed for them."""

    name: str
    sample: Sample
    delta: float
    seeds: Mapping[float, int]
    printed: Mapping[float, Any]


def cases(quick: bool) -> Iterable[Case]:
    """Return the rows of Table 6, for n = 1000 alone if that is enough, and of Table 7."""
    for place, records in enumerate(SIZES, start=1):
        if quick and records != 1000:
            continue
        seeds = {e: settings.blob_seeds(records, e, 1)[0] for e in settings.BLOBS_EPSILONS}
        shown = {e: printed.TABLE6_K_MEANS[records, e] for e in settings.BLOBS_EPSILONS}
        sample = blobs(records, 1000 * place + settings.BLOBS_SEED)
        yield Case(str(records), sample, settings.DELTA, seeds, shown)
    seeds = dict.fromkeys(clusters.DIGITS_EPSILONS, settings.BLOBS_SEED)
    yield Case("digits", digits(), clusters.DIGITS_DELTA, seeds, printed.TABLE7_K_MEANS)


def peer(python: str, case: Case, runs: int) -> list[Centres]:
    """Return the peer's centres: for each ε, with bounds of the data and with the public box."""
    jobs = [
        {
            "points": case.sample.points.tolist(),
            "clusters": len(case.sample.reference),
            "epsilon": epsilon,
            "seeds": list(range(first, first + runs)),
            "bounds": bounds,
        }
        for epsilon, first in case.seeds.items()
        for bounds in (None, case.sample.box[0])
    ]
    done = subprocess.run(
        [python, str(PEER)], input=json.dumps(jobs), capture_output=True, text=True, check=True
    )
    found: list[Centres] = json.loads(done.stdout)
    return found


def show(case: Case, runs: int, found: list[Centres]) -> None:
    """Print ARI, NMI and the error of each method at each ε."""

    def line(epsilon: float, method: str, cells: Iterable[Any]) -> None:
        shown = (f"{mean:.4g} ± {error:.2g}" for mean, error in cells)
        print(LINE.format(case.name, epsilon, method, *shown))

    for at, epsilon in enumerate(case.seeds):
        line(epsilon, "k-means, as printed", case.printed[epsilon])
        names = ("k-means, bounds of the data", "k-means, public box")
        for name, centres in zip(names, found[2 * at : 2 * at + 2], strict=bool(found)):
            scores = [settings.cluster_scores(case.sample, np.array(each)) for each in centres]
            line(epsilon, name, clusters.score_columns("", scores).values())
        modes = clusters.private_clusters(case.sample, epsilon, case.delta, runs)
        line(epsilon, "private modes", [modes[f"private_{m}"] for m in clusters.MEASURES])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of an environment with diffprivlib")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="blobs with n = 1000 alone")
    chosen = parser.parse_args()
    print(LINE.format("n", "ε", "method", "ARI", "NMI", "MSE"))
    find: Callable[[Case], list[Centres]] = (
        (lambda case: peer(chosen.python, case, chosen.seeds)) if chosen.python else lambda _: []
    )
    for case in cases(chosen.quick):
        show(case, chosen.seeds, find(case))


if __name__ == "__main__":
    main()
