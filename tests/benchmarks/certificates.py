"""Exact certificates without a channel: all M from 2 to 200, and M = 1000; then a file's check."""

import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np

from provedp.theory.counting import release_matrix
from provedp.theory.matrices import circulant
from provedp.verify.solvers import certificates
from provedp.verify.solvers.channel.optimum import least_error, least_error_behind
from provedp.verify.solvers.check import check

K, DELTA = Fraction(3, 2), Fraction(1, 20)


@contextmanager
def timed(label: str, peer: float | None = None) -> Iterator[Callable[[], float]]:
    """Print the CPU seconds of a block and, if there is a peer, their ratio to its."""
    start = time.process_time()
    taken: list[float] = []
    yield lambda: taken[0]
    taken.append(time.process_time() - start)
    ratio = "" if peer is None else f"  ratio {taken[0] / peer:.2f}"
    print(f"{label:<58} {taken[0]:8.3f} s{ratio}", flush=True)


def float_check(m: int) -> float:
    """Return the largest excess over delta of P*, in floats: what an unproven check costs."""
    release = np.array(release_matrix(m, float(K), float(DELTA)))
    gaps = (release[:-1] - float(K) * release[1:], release[1:] - float(K) * release[:-1])
    return max(float(np.maximum(gap, 0).sum(axis=1).max()) for gap in gaps) - float(DELTA)


def main() -> None:
    """Print the times."""
    with timed("floats, M = 2..200 (release and excess alone)") as floats:
        worst = max(float_check(m) for m in range(2, 201))
    with timed("exact brackets, M = 2..200, k = 3/2, delta = 1/20", floats()):
        gaps = {least_error(m, K, DELTA).gap for m in range(2, 201)}
    print(f"  largest float excess {worst:.1e}; exact gaps {sorted(map(str, gaps))}")
    with timed("floats, M = 1000 (release and excess alone)") as floats:
        float_check(1000)
    with timed("exact bracket, M = 1000", floats()):
        print(f"  gap {least_error(1000, K, DELTA).gap}")
    channel = circulant([Fraction(7, 10)] + [Fraction(3, 310)] * 31)
    with timed("bracket behind a channel, M = 32") as solving:
        best = least_error_behind(channel, K, DELTA)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        certificates.write(best, certificates.problem(channel, K, DELTA), path)
        with timed(f"check of its file ({path.stat().st_size / 1e6:.1f} MB)", solving()):
            check(json.loads(path.read_text(encoding="utf-8")))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
