"""Private k-means of diffprivlib, a peer that does not import with this project's scikit-learn.

It runs in an environment of its own:

    python3 -m venv ELSEWHERE
    ELSEWHERE/bin/pip install -r tests/benchmarks/peers/private_kmeans.txt
    ELSEWHERE/bin/python tests/benchmarks/peers/private_kmeans.py < JOBS

Reads a JSON list of jobs with points, clusters, epsilon, seeds and bounds (a pair for all features,
or null: then the library reads them off the data, which is not private). Writes the lists of
centres, one for each seed, as JSON.
"""

import json
import sys
import warnings
from typing import Any

import numpy as np


def centres(job: dict[str, Any]) -> list[list[list[float]]]:
    """Return the centres for each seed of a job."""
    from diffprivlib.models import KMeans  # is not there where this file's examples are looked for

    points = np.array(job["points"])
    bounds = None if job["bounds"] is None else tuple(job["bounds"])
    found = []
    for seed in job["seeds"]:
        model = KMeans(job["clusters"], epsilon=job["epsilon"], bounds=bounds, random_state=seed)
        found.append(model.fit(points).cluster_centers_.tolist())
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of data-dependent bounds, and of an older scikit-learn
    json.dump([centres(job) for job in json.load(sys.stdin)], sys.stdout)
