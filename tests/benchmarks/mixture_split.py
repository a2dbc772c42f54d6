"""How a private mixture should split its budget: divergences on generated mixtures, plan by plan.

The mixtures are the public prior that the plans were chosen on: class sizes from a Dirichlet law,
means uniform in a ball, covariances with log-uniform eigenvalues and random axes. Each row is one
number of records, features, classes and ε; each column the geometric mean of the divergence to the
fitted mixture under one plan. The plan in use is marked. With `--all`, more rows.
"""

import sys
from fractions import Fraction
from itertools import product
from unittest import mock

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture
from provedp.mechanisms.mixture.private import release as steps
from provedp.mechanisms.mixture.private.plan import PLANS, Plan, plan_for

DELTA = "2e-5"
SPREAD = 0.25  # of the bound: root mean square length within a class
THINNEST = 0.02  # smallest eigenvalue of a covariance over its largest, at least
SEEDS = 12


def generated(seed: int, records: int, dimension: int, classes: int):
    """Return features, labels and the fitted mixture; the bound is 1."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(0, dtype=int)
    while np.bincount(labels, minlength=classes).min() < dimension + 2:
        labels = rng.choice(classes, records, p=rng.dirichlet(3 * np.ones(classes)))
    features = np.empty((records, dimension))
    for k in range(classes):
        direction = rng.standard_normal(dimension)
        length = (1 - SPREAD) * rng.uniform() ** (1 / dimension)
        values = np.exp(rng.uniform(np.log(THINNEST), 0, dimension))
        values *= SPREAD**2 / values.sum()
        axes = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
        inside = labels == k
        noise = rng.standard_normal((int(inside.sum()), dimension)) * np.sqrt(values)
        features[inside] = direction * length / np.linalg.norm(direction) + noise @ axes.T
    parts = [features[labels == k] for k in range(classes)]
    fitted = LabelledMixture(
        tuple(range(classes)),
        np.bincount(labels) / records,
        np.stack([part.mean(axis=0) for part in parts]),
        np.stack([np.atleast_2d(np.cov(part.T)) for part in parts]),
    )
    return features, labels, fitted


def divergence(plan: Plan, records: int, dimension: int, classes: int, epsilon: float) -> float:
    """Return the geometric mean over seeds."""
    logs = []
    for seed in range(SEEDS):
        features, labels, fitted = generated(seed, records, dimension, classes)
        private = PrivateMixture(epsilon, DELTA, bound=1, classes=range(classes), random_state=seed)
        with mock.patch.object(steps, "plan_for", lambda *_: plan):
            logs.append(np.log(private.fit(features, labels).mixture_.kl_to(fitted)))
    return float(np.exp(np.mean(logs)))


def main() -> None:
    plans = [plan for _, plan in PLANS]
    sizes = (150, 1000, 5000, 30_000) if "--all" in sys.argv else (150, 1000, 5000)
    shapes = ((2, 3), (4, 3), (10, 5)) if "--all" in sys.argv else ((4, 3), (10, 5))
    print(
        f"{'N':>6} {'d':>3} {'K':>3} {'ε':>4}" + "".join(f"  plan {i}  " for i in range(len(plans)))
    )
    for records, (dimension, classes), epsilon in product(sizes, shapes, (1.0, 3.0)):
        budget = gaussian_budget(ratio_below(epsilon), Fraction(DELTA))
        used = plans.index(plan_for(records, classes, dimension, budget))
        found = [divergence(plan, records, dimension, classes, epsilon) for plan in plans]
        cells = [f"{value:9.3g}{'*' if i == used else ' '}" for i, value in enumerate(found)]
        print(f"{records:6} {dimension:3} {classes:3} {epsilon:4g}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
