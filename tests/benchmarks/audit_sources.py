"""Audits of mechanisms of OpenDP and diffprivlib, run by an interpreter of their own.

Each is a program of the line protocol in the peers' environment (`make bench-peers`); `--python`
names its interpreter. The programs draw their own seeds, so bounds differ from run to run. Audits
have confidence 1 − 10⁻⁶. Last comes a stability audit of OpenDP's `make_pairwise_predict`.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provedp.verify.audit import (
    ApproximateDP,
    AuditResult,
    Pair,
    audit,
    audit_stability,
    program,
)
from provedp.verify.exact.stability import StabilityResult

TARGETS = Path(__file__).parent / "peers" / "audit_targets.py"
CONFIDENCE = 1 - 1e-6
REGRESSION = [[0.1, 1.0]] * 10, [[0.1, 1.0]] * 9 + [[10.0, 1.0]]
CUTS = (25.0, 75.0)
ROWS_OF_TABLE = [[1.0, 1.0], [2.0, 3.0]]
LINE = "{:<36}{:<8}{:>14}{:>8}{:>9}{:>7}  {}"


@dataclass(frozen=True)
class Source:
    """A program, the pair and the channel, and whether the claim must be refuted there."""

    name: str
    channel: str
    wrong: bool
    runs: int = 20_000
    pair: tuple[Any, Any] = (0.0, 1.0)
    delta: float = 0.0

    def audit(self, python: str, seed: int = 0) -> AuditResult:
        """Audit with the interpreter `python`."""
        what = program([python, str(TARGETS), self.name])
        claim = ApproximateDP(1.0, self.delta)
        chosen: dict[str, Any] = {"channel": self.channel, "confidence": CONFIDENCE, "seed": seed}
        return audit(what, self.pair, claim, runs=self.runs, **chosen)


SOURCES = [
    Source("opendp-laplace", "value", False),
    Source("opendp-laplace", "bits", False),
    Source("opendp-gaussian", "value", False, delta=1e-5),
    Source("opendp-gaussian", "bits", False, delta=1e-5),
    Source("diffprivlib-laplace", "value", False),
    Source("diffprivlib-laplace", "bits", True),
    Source("diffprivlib-laplace-truncated", "value", False),
    Source("diffprivlib-laplace-truncated", "bits", True),
    Source("diffprivlib-snapping", "value", False),
    Source("diffprivlib-snapping", "bits", False),
    Source("diffprivlib-regression", "value", True, 2000, REGRESSION),
    Source("diffprivlib-regression-symmetric", "value", False, 2000, REGRESSION),
]


def pairwise_predictions() -> StabilityResult:
    """Audit the stability that OpenDP claims for predictions from pairs of rows.

    A table of odd length loses its last row: one row added in front makes two predictions differ.
    """
    import numpy as np
    import opendp.prelude as dp
    from opendp.extras.sklearn.linear_model._make_private_theil_sen import make_pairwise_predict

    dp.enable_features("contrib", "honest-but-curious")
    predict = make_pairwise_predict(np.array(CUTS))

    def predictions(rows: list[list[float]]) -> Any:
        return predict(np.array(rows)).tolist()

    pair = Pair(ROWS_OF_TABLE, [[9.0, 3.0], *ROWS_OF_TABLE])
    return audit_stability(predictions, [pair], predict.map(1), "symmetric")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of the peers' environment")
    options = parser.parse_args()
    print(LINE.format("program", "channel", "claim", "runs", "bound", "s", "verdict"))
    for source in SOURCES if options.python else []:
        start = time.perf_counter()
        found = source.audit(options.python)
        verdict = "refuted" if found.refuted else "not refuted"
        right = "" if found.refuted == source.wrong else ": NOT AS EXPECTED"
        spent = f"{time.perf_counter() - start:.1f}"
        bound = f"{found.epsilon_lower:.3f}"
        cells = source.name, source.channel, found.claim, source.runs, bound, spent
        print(LINE.format(*cells, verdict + right), flush=True)
    stability = pairwise_predictions()
    print(f"make_pairwise_predict: stability {stability.claimed} claimed, {stability.found} found")


if __name__ == "__main__":
    main()
