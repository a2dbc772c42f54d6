"""Reports of faults in accountants: the releases, what was said, and the verdict that it deserves.

The names are of projects and of their issues: google is google/differential-privacy, prv is
microsoft/prv_accountant. Where a report has no numbers, they were chosen here: opacus 19 (σ), 384
(σ, rate, rounds), 585 (rounds), autodp 2 and tf-privacy 173 (δ), jax-privacy 121 and 288,
private-transformers 7, smartnoise-core 316, smartnoise 385 and 424. The last three were found here:
what the PLD accountant says by default, whose transforms are rounded. Deserved verdicts come from
closed forms, from the Fourier inversions that `accounting.py` cites, or from the reports.
"""

import math
from typing import Any, NamedTuple

from dp_accounting import dp_event

REFUSED = "refused"
ADD, REPLACE = "add-or-remove", "replace-one"


class Report(NamedTuple):
    """A report: the releases, what was said of them, and the verdict that it deserves."""

    name: str
    releases: Any
    epsilon: str
    delta: str
    verdict: str
    adjacency: str | None = ADD


def gaussian(multiplier: float) -> Any:
    """Return Gaussian noise on all records."""
    return dp_event.GaussianDpEvent(multiplier)


def sampled(multiplier: float, rate: float, steps: int) -> Any:
    """Return Gaussian noise on Poisson samples."""
    one = dp_event.PoissonSampledDpEvent(rate, gaussian(multiplier))
    return dp_event.SelfComposedDpEvent(one, steps)


def classical(epsilon: float) -> Any:
    """Return Gaussian noise of the classical formula at δ = 1e-5."""
    return gaussian(math.sqrt(2 * math.log(1.25e5)) / epsilon)


def own(**release: Any) -> Any:
    """Return a document with one kind of release."""
    return {"adjacency": REPLACE, "releases": [release]}


BATCHES = {"noise": "gaussian", "sigma": 1, "sensitivity": 1, "times": 100}
TEN = {"sampling": "without-replacement", "sample": 10, "size": 1000}
FIXED = dp_event.SelfComposedDpEvent(
    dp_event.SampledWithoutReplacementDpEvent(1000, 10, gaussian(1.0)), 100
)
TRUNCATED = dp_event.TruncatedSubsampledGaussianDpEvent(60_000, 0.01, 700, 1.0)
LEAST = 3.730631634944469  # σ of (1, 10⁻⁵)-DP; the sign of a square root turned over gives 1/(2σ)
PRV, MNIST = sampled(4.0, 0.00033, 10000), sampled(1.1, 250 / 60000, 480)

REPORTS = [
    Report("google 378: replace one", gaussian(1.0), "4.72851", "1e-5", "refuted", REPLACE),
    Report("google 378: fixed size", FIXED, "1.48253", "1e-5", "refuted", REPLACE),
    Report("google 378: half as far", own(**BATCHES, **TEN), "1.48253", "1e-5", "proved", None),
    Report("opacus 384: GDP", sampled(1.0, 0.01, 1000), "1.61771", "1e-5", "refuted"),
    Report("opacus 400: GDP", sampled(1.1, 1 / 240, 14400), "2.29358", "1e-5", "refuted"),
    Report("opacus 400: GDP, above", sampled(0.8, 0.125, 1000), "65.17", "1e-6", "proved"),
    Report("prv 17: far above", PRV, "3.9", "1.13e-18", "proved"),
    Report("prv 17", PRV, "0.156", "1.1e-18", "proved"),
    Report("prv 17: its lower end", PRV, "0", "1.1e-18", "refuted"),
    Report("prv 36, opacus 601: error", sampled(0.8, 0.125, 1000), "56.73", "1e-6", "proved"),
    Report("opacus 19: steps", sampled(1.3, 256 / 60000, 14100), "1.82362", "1e-5", "refuted"),
    Report("smartnoise 462: 10", classical(10), "10", "1e-5", "refuted"),
    Report("programming-dp 45: 20", classical(20), "20", "1e-5", "refuted"),
    Report("autodp 2: first", sampled(0.93662, 0.01, 1), "1", "1e-6", "proved"),
    Report("autodp 2: second", sampled(1.25848, 0.01, 1), "1", "1e-6", "proved"),
    Report("autodp 39: 50", gaussian(0.158257), "50", "1e-6", "proved"),
    Report("autodp 39: 100", gaussian(0.0983652), "100", "1e-6", "proved"),
    Report("autodp 39: 200", gaussian(0.0632764), "200", "1e-6", "proved"),
    Report("tf-privacy 166: 0", sampled(1.0, 0.00105, 1), "0", "1e-3", "proved"),
    Report("tf-privacy 173: Keras", MNIST, "16890.31", "1e-5", "proved"),
    Report("tf-privacy 173: expected", MNIST, "0.8", "1e-5", "proved"),
    Report("opacus 585: negative", sampled(1.0, 0.01, 10), "-1", "1e-5", REFUSED),
    Report("jax-privacy 288: updates", sampled(1.0, 0.01, 2000), "1.32604737", "1e-5", "refuted"),
    Report("jax-privacy 288: batches", sampled(1.0, 0.01, 2000), "2.58389", "1e-5", "proved"),
    Report("private-transformers 7: fixed", FIXED, "0.71804", "1e-5", "refuted", REPLACE),
    Report("tf-privacy 483: truncated", TRUNCATED, "1", "1e-5", REFUSED),
    Report("jax-privacy 121: shuffled", own(**BATCHES, sampling="shuffle"), "1", "1e-5", REFUSED,
           None),
    Report("smartnoise 385: a mean is two", own(epsilon=1, times=2), "1", "0", "refuted", None),
    Report("smartnoise 385: square root", own(epsilon=1, times=4), "2", "0", "refuted", None),
    Report("smartnoise 424: one left out", own(epsilon=1, times=3), "2", "0", "refuted", None),
    Report("smartnoise-core 316: sign", gaussian(1 / (2 * LEAST)), "1", "1e-5", "refuted"),
    Report("dp-accounting 0.6.0: J", sampled(2.0, 0.02, 5000), "4.92326", "1e-10", "refuted"),
    Report("dp-accounting 0.6.0: B", sampled(1.1, 1 / 240, 14400), "3.90538", "1e-11", "refuted"),
    Report("dp-accounting 0.6.0: F", sampled(0.5, 0.001, 20000), "14.3499", "1e-12", "refuted"),
]  # fmt: skip
