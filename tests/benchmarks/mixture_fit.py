"""Time and memory of a whole private fit, against the same mixture fitted without privacy.

Every row is a process of its own: CPU seconds (imports warm, data ready) and peak memory. The peer
is what anyone would write in numpy: means and covariances class by class. `--quick` stops at 10⁵.
"""

import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture

SIZES = ((10_000, 4, 3), (100_000, 12, 6), (1_000_000, 12, 6))
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
TARGET_SECONDS, TARGET_MEGABYTES = 10, 2000  # at a million records, twelve features, six classes


def plain(features: Any, labels: Any, classes: int) -> LabelledMixture:
    """Return the fitted mixture."""
    parts = [features[labels == k] for k in range(classes)]
    return LabelledMixture(
        tuple(range(classes)),
        np.array([len(part) for part in parts]) / len(labels),
        np.stack([part.mean(axis=0) for part in parts]),
        np.stack([np.cov(part.T) for part in parts]),
    )


def measured(method: str, records: int, dimension: int, classes: int) -> None:
    """Print what one fit takes, as JSON."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, classes, records)
    features = rng.uniform(-10, 10, (classes, dimension))[labels]
    features += rng.standard_normal(features.shape)
    private = PrivateMixture(1, "1e-6", bound=10 * dimension**0.5 + 4, classes=range(classes))
    private.fit(features[:100], labels[:100])
    start = time.process_time()
    if method == "numpy":
        found = plain(features, labels, classes)
    else:
        found = private.fit(features, labels).mixture_
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    divergence = found.kl_to(plain(features, labels, classes))
    print(json.dumps({"seconds": seconds, "megabytes": peak, "divergence": divergence}))


def main() -> None:
    """Print the table."""
    if len(sys.argv) == 5:
        return measured(sys.argv[1], *map(int, sys.argv[2:]))
    print(f"{'N':>8} {'d':>3} {'K':>3}  {'method':<8} {'CPU s':>8} {'ratio':>7} {'MB':>6}  nats")
    for size in SIZES[:2] if "--quick" in sys.argv else SIZES:
        own = None
        for method in ("provedp", "numpy"):
            command = [sys.executable, __file__, method, *map(str, size)]
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, env=os.environ | ONE_THREAD
            )
            row = json.loads(done.stdout)
            own = own or row["seconds"]
            print(
                f"{size[0]:8} {size[1]:3} {size[2]:3}  {method:<8} {row['seconds']:8.3f} "
                f"{row['seconds'] / own:7.2f} {row['megabytes']:6.0f}  {row['divergence']:.2g}",
                flush=True,
            )
    print(f"to reach at 10⁶: {TARGET_SECONDS} s, {TARGET_MEGABYTES} MB")


if __name__ == "__main__":
    main()
