"""Bounds of jax_privacy on the canaries of single runs, in the peers' own environment.

`python tests/benchmarks/peers/canary_bounds.py FILE DELTA` reads an npz with `scores` and
`included`, a row for each run, and prints a JSON object: for each method the bounds on ε at 95 %
(of the first runs alone, if it is slow) and its seconds for one run, and `hull`, over how many
thresholds each run is corrected.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from jax_privacy.auditing import CanaryScoreAuditor, Split  # type: ignore[import-not-found]

ALPHA = 0.05
Bound = Callable[[Any, float], float]
SLOW = {"one run, f-DP": 200}  # of how many runs it is asked
METHODS: dict[str, Bound] = {
    "one run": lambda auditor, delta: auditor.epsilon_one_run(ALPHA, delta),
    "one run, split": lambda auditor, delta: auditor.epsilon_one_run(
        ALPHA, delta, threshold_strategy=Split(seed=0)
    ),
    "one run, f-DP": lambda auditor, delta: auditor.epsilon_one_run_fdp(ALPHA, delta),
    "GDP": lambda auditor, delta: auditor.epsilon_from_gdp(ALPHA, delta),
    "Clopper–Pearson": lambda auditor, delta: auditor.epsilon_clopper_pearson(
        ALPHA, delta, one_sided=False
    ),
}


def main(path: str, delta: str) -> None:
    """Bound ε in each run and print what was found."""
    runs = np.load(path)
    pairs = zip(runs["scores"], runs["included"], strict=True)
    auditors = [CanaryScoreAuditor(scores[coins], scores[~coins]) for scores, coins in pairs]
    found: dict[str, Any] = {"hull": [len(each._fn_counts) for each in auditors]}
    for name, bound in METHODS.items():
        start = time.process_time()
        values = [float(bound(each, float(delta))) for each in auditors[: SLOW.get(name)]]
        found[name] = {"values": values, "seconds": (time.process_time() - start) / len(values)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
