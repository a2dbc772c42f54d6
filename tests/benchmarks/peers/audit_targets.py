"""Mechanisms of OpenDP and diffprivlib as programs of the line protocol, in the peers' environment.

`python tests/benchmarks/peers/audit_targets.py NAME` is a target for `provedp audit --command`.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def opendp_laplace() -> Callable[[float], float]:
    """Return OpenDP's Laplace noise of scale 1 on a float."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noise: Callable[[float], float] = dp.m.make_laplace(*space, scale=1.0)
    return noise


def opendp_gaussian() -> Callable[[float], float]:
    """Return OpenDP's Gaussian noise of scale 3.7306: (1, 10⁻⁵) for sensitivity 1."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noise: Callable[[float], float] = dp.m.make_gaussian(*space, scale=3.7306)
    return noise


def diffprivlib(name: str, **limits: float) -> Callable[[float], float]:
    """Return a mechanism of diffprivlib with ε = 1 on a float of sensitivity 1."""
    from diffprivlib import mechanisms  # type: ignore[import-not-found]

    noise: Callable[[float], float] = getattr(mechanisms, name)(
        epsilon=1.0, sensitivity=1.0, **limits
    ).randomise
    return noise


def linear_regression(low: float) -> Callable[[list[list[float]]], list[float]]:
    """Return what diffprivlib's regression with ε = 1 releases of pairs (x, y).

    x is in [low, 10] and y in [0, 1].
    """
    from diffprivlib.models import LinearRegression  # type: ignore[import-not-found]

    def release(records: list[list[float]]) -> list[float]:
        x, y = np.array(records).T
        model = LinearRegression(epsilon=1.0, bounds_X=([low], [10]), bounds_y=([0], [1]))
        model.fit(x[:, None], y)
        return [float(model.coef_[0]), float(model.intercept_)]

    return release


TARGETS: dict[str, Callable[[], Callable[[Any], Any]]] = {
    "opendp-laplace": opendp_laplace,
    "opendp-gaussian": opendp_gaussian,
    "diffprivlib-laplace": lambda: diffprivlib("Laplace"),
    "diffprivlib-laplace-truncated": lambda: diffprivlib("LaplaceTruncated", lower=0.0, upper=1.0),
    "diffprivlib-snapping": lambda: diffprivlib("Snapping", lower=0.0, upper=1.0),
    "diffprivlib-regression": lambda: linear_regression(0.0),
    "diffprivlib-regression-symmetric": lambda: linear_regression(-10.0),
}


def main() -> None:
    """Serve the line protocol."""
    warnings.simplefilter("ignore")
    release = TARGETS[sys.argv[1]]()
    with open(os.environ["PROVEDP_DATA"], encoding="utf-8") as file:
        datasets = json.load(file)
    for line in sys.stdin:
        index, count = map(int, line.split())
        for _ in range(count):
            print(json.dumps(release(datasets[index])))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
