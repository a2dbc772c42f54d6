"""Peers of the noise-shape solver: the same semidefinite program in general-purpose tools.

Run with NAME N D, it solves once and prints a JSON object.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SEED = 20
REPEATS = 20  # of a solve that takes less than a tenth of a second


def problem(count: int, size: int) -> tuple[Floats, Floats]:
    """Return the displacements of a class mean under label flips, and the class covariance.

    A third of the records is in the class: removing x moves its mean by (mean − x)/(n − 1), adding
    one by (x − mean)/(n + 1).
    """
    generator = np.random.default_rng(SEED)
    mixing = generator.standard_normal((size, size)) / np.sqrt(size) + np.eye(size)
    records = generator.standard_normal((count, size)) @ mixing
    inside = np.arange(count) < max(count // 3, size + 2)
    records[~inside] += generator.standard_normal(size)
    own = records[inside]
    mean, n = own.mean(axis=0), len(own)
    moved = np.where(inside[:, None], (mean - records) / (n - 1), (records - mean) / (n + 1))
    return moved, np.cov(own.T).reshape(size, size)


def provedp(points: Floats, sigma: Floats) -> dict[str, Any]:
    """Solve, with bounds."""
    from provedp.verify.solvers.noise_shape.noise_shape import noise_shape

    found = noise_shape(points, sigma)
    return {"value": found.value, "gap": found.gap, "support": len(found.support)}


def provedp_identity(points: Floats, sigma: Floats) -> dict[str, Any]:
    """Solve without a covariance, which saves whitening."""
    from provedp.verify.solvers.noise_shape.noise_shape import noise_shape

    found = noise_shape(points)
    return {"value": found.value, "gap": found.gap, "support": len(found.support)}


def _cvxpy(points: Floats, sigma: Floats, solver: str) -> dict[str, Any]:
    import cvxpy

    # The solvers need points of size 1.
    unit = float(np.abs(points).max())
    shape = cvxpy.Variable(sigma.shape, symmetric=True)
    above = [shape - np.outer(point, point) >> 0 for point in points / unit]
    cost = cvxpy.trace(np.linalg.inv(sigma) @ shape)
    compiled = cvxpy.Problem(cvxpy.Minimize(cost), above)
    return {"value": float(compiled.solve(solver=solver)) * unit**2, "support": 0}


def clarabel(points: Floats, sigma: Floats) -> dict[str, Any]:
    """Solve with cvxpy and Clarabel."""
    return _cvxpy(points, sigma, "CLARABEL")


def scs(points: Floats, sigma: Floats) -> dict[str, Any]:
    """Solve with cvxpy and SCS."""
    return _cvxpy(points, sigma, "SCS")


METHODS: dict[str, Callable[[Floats, Floats], dict[str, Any]]] = {
    "provedp": provedp,
    "provedp, identity": provedp_identity,
    "cvxpy+Clarabel": clarabel,
    "cvxpy+SCS": scs,
}


def main(name: str, count: str, size: str) -> None:
    """Solve one problem after a warm-up of the imports, and print what it took."""
    solve = METHODS[name]
    solve(*problem(20, 3))
    points, sigma = problem(int(count), int(size))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    found = solve(points, sigma)
    seconds = time.process_time() - start
    if seconds < 0.1:
        start = time.process_time()
        for _ in range(REPEATS):
            solve(points, sigma)
        seconds = (time.process_time() - start) / REPEATS
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    numbers = {"seconds": seconds, "megabytes": memory, "before": before}
    print(json.dumps({**found, **numbers}))


if __name__ == "__main__":
    main(*sys.argv[1:])
