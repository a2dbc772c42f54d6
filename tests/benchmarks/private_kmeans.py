"""Cluster centres of blobs, Table 6 of the modes paper: private modes beside private k-means.

`--python` names the interpreter of the environment that tests/benchmarks/peers/private_kmeans.py
describes. k-means runs twice: as in the paper, with bounds that are read off the data (so that it
is not private), and with the public box that the private modes have.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from provedp.experiments import modes_printed as printed
from provedp.experiments.modes_clusters import (
    DELTA,
    EPSILONS,
    SEED,
    blob_seeds,
    cluster_scores,
    private_clusters,
    score_columns,
)
from provedp.experiments.modes_data import SIZES, Sample, blobs

PEER = Path(__file__).parent / "peers" / "private_kmeans.py"
LINE = "{:>5} {:>5}  {:<28}{:>16}{:>16}{:>16}"


def jobs(sample: Sample, records: int, seeds: int) -> list[dict[str, Any]]:
    """Return two jobs for each ε: with bounds of the data, and with the public box."""
    return [
        {
            "points": sample.points.tolist(),
            "clusters": len(sample.reference),
            "epsilon": epsilon,
            "seeds": list(blob_seeds(records, epsilon, seeds)),
            "bounds": bounds,
        }
        for epsilon in EPSILONS
        for bounds in (None, sample.box[0])
    ]


def peer(python: str, wanted: list[dict[str, Any]]) -> list[list[list[list[float]]]]:
    """Return the centres that the peer finds."""
    done = subprocess.run(
        [python, str(PEER)], input=json.dumps(wanted), capture_output=True, text=True, check=True
    )
    found: list[list[list[list[float]]]] = json.loads(done.stdout)
    return found


def show(records: int, epsilon: float, method: str, cells: Any) -> None:
    """Print ARI, NMI and the error of a method."""
    print(LINE.format(records, epsilon, method, *(f"{m:.3g} ± {e:.2g}" for m, e in cells)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of an environment with diffprivlib")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="n = 1000 alone")
    chosen = parser.parse_args()
    print(LINE.format("n", "ε", "method", "ARI", "NMI", "MSE"))
    for place, records in enumerate(SIZES, start=1):
        if chosen.quick and records != 1000:
            continue
        sample = blobs(records, 1000 * place + SEED)
        found = peer(chosen.python, jobs(sample, records, chosen.seeds)) if chosen.python else []
        for at, epsilon in enumerate(EPSILONS):
            show(records, epsilon, "k-means, as printed", printed.TABLE6_K_MEANS[records, epsilon])
            names = ("k-means, bounds of the data", "k-means, public box")
            for name, runs in zip(names, found[2 * at : 2 * at + 2], strict=bool(found)):
                scores = [cluster_scores(sample, np.array(centres)) for centres in runs]
                show(records, epsilon, name, score_columns("", scores).values())
            modes = private_clusters(sample, epsilon, DELTA, chosen.seeds)
            shown = [modes[f"private_{measure}"] for measure in ("ari", "nmi", "mse")]
            show(records, epsilon, "private modes", shown)


if __name__ == "__main__":
    main()
