"""Bounds of jax_privacy on scores of runs, in the peers' own environment.

Reads JSON lines {"file", "scores", "delta", "seed"} and answers each with one JSON line. FILE is an
npz with two arrays for each name in "scores": NAME_first and NAME_second. Bounds are at 95 %.
"""

import json
import sys
import time
from typing import Any

import numpy as np

CONFIDENCE = 0.95


def clopper_pearson(first: Any, second: Any, delta: float, seed: int) -> float:
    """Return the best of both signs and two strategies, each at half the error probability.

    This flatters: four bounds, two of which may be wrong, are not corrected for as four.
    """
    from jax_privacy.auditing import Bonferroni, CanaryScoreAuditor, Split  # type: ignore[import-not-found]

    found = []
    for sign in (1, -1):
        auditor = CanaryScoreAuditor(sign * first, sign * second)
        for strategy in (Bonferroni(), Split(seed=seed)):
            found.append(
                auditor.epsilon_clopper_pearson(
                    (1 - CONFIDENCE) / 2, delta, one_sided=False, threshold_strategy=strategy
                )
            )
    return float(max(found))


def other_bounds(first: Any, second: Any, delta: float) -> dict[str, float]:
    """Return ε at δ from a bound on μ, and from all runs taken for canaries of a single run.

    Scores are high on the second data set.
    """
    from jax_privacy.auditing import CanaryScoreAuditor

    auditor = CanaryScoreAuditor(second, first)
    significance = 1 - CONFIDENCE
    return {
        "gdp": float(auditor.epsilon_from_gdp(significance, delta)),
        "one_run": float(auditor.epsilon_one_run(significance, delta)),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return bounds for each kind of score, and the seconds that they took."""
    arrays, delta, found = np.load(request["file"]), request["delta"], {}
    start = time.perf_counter()
    for name in request["scores"]:
        first, second = arrays[f"{name}_first"], arrays[f"{name}_second"]
        found[name] = clopper_pearson(first, second, delta, request["seed"])
    seconds = (time.perf_counter() - start) / len(request["scores"])
    reply = {"epsilon": found, "seconds": seconds}
    if delta > 0:
        first, second = (arrays[f"{request['scores'][0]}_{side}"] for side in ("first", "second"))
        reply |= other_bounds(first, second, delta)
    return reply


def main() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
