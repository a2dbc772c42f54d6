"""DP-SGD on digits in NumPy, right and wrong, audited from one training beside the accountant.

Logistic regression on 1000 digits of scikit-learn and 1000 canaries, each in by a coin of its own.
A canary has a feature of its own, as a rare word has, and a random label. The claim is what the
accountant says of the settings, which all trainers are run with: Gaussian noise of σ times the
clipping norm on Poisson samples. Two scores are audited, each with four numbers of guesses:

- black box: minus the loss of the canary at the end, minus the median of its label;
- white box: the noisy sums of all steps along the canary's own gradient.

The bounds are medians over the seeds; a verdict stands if all seeds agree.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import PoissonSampledGaussian
from provedp.verify.audit import ApproximateDP, audit_canaries

DIGITS, CANARIES, CLASSES = 1000, 1000, 10
RATE, ROUNDS, SIGMA, CLIP, STEP = Fraction(1, 10), 100, 2.0, 1.0, 1.0
REACH = 10.0  # the length of a canary, whose gradient is clipped at once
DELTA = 1e-5
GUESSES = (20, 100, 400, 1000)
BATCH = float(RATE) * (DIGITS + CANARIES / 2)
LINE = "{:<42}{:>9}  {:<28}{:<28}"

Floats = Any
Noise = Callable[[np.random.Generator, tuple[int, int]], Floats]


def fresh(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Return noise of standard deviation 1 for each weight."""
    return rng.normal(size=shape)


def divided(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Return noise that was meant for the average, on the sum."""
    return rng.normal(size=shape) / BATCH


def shared(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Return the same noise for all features."""
    return np.broadcast_to(rng.normal(size=(1, shape[1])), shape)


@dataclass(frozen=True)
class Trainer:
    """A variant of DP-SGD."""

    name: str
    noise: Noise = fresh
    clips: bool = True
    shuffles: bool = False


TRAINERS = (
    Trainer("right"),
    Trainer("no clipping", clips=False),
    Trainer("noise divided by the batch", divided),
    Trainer("one noise for all features", shared),
    Trainer("shuffled, accounted as Poisson", shuffles=True),
)


@dataclass(frozen=True)
class Records:
    """Digits, canaries and the coins of the canaries."""

    digits: Floats
    labels: Floats
    canaries: Floats
    canary_labels: Floats
    included: Floats


def records(rng: np.random.Generator) -> Records:
    """Return digits of length 1 and canaries, in a space with a feature for each canary."""
    points, labels = load_digits(return_X_y=True)
    chosen = rng.permutation(len(points))[:DIGITS]
    width = points.shape[1]
    digits = np.zeros((DIGITS, width + CANARIES))
    digits[:, :width] = points[chosen] / np.linalg.norm(points[chosen], axis=1, keepdims=True)
    canaries = np.zeros((CANARIES, width + CANARIES))
    canaries[np.arange(CANARIES), width + np.arange(CANARIES)] = REACH
    return Records(
        digits,
        labels[chosen],
        canaries,
        rng.integers(0, CLASSES, CANARIES),
        rng.random(CANARIES) < 0.5,
    )


def softmax(scores: Floats) -> Floats:
    """Return the probabilities of the classes, a row for each record."""
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def residuals(points: Floats, labels: Floats, weights: Floats) -> Floats:
    """Return the gradient of the loss by the scores: it is xᵀ times this by the weights."""
    return softmax(points @ weights) - np.eye(CLASSES)[labels]


def batches(trainer: Trainer, rng: np.random.Generator, size: int) -> list[Floats]:
    """Return the records of each step: Poisson samples, or parts of shuffled records."""
    if not trainer.shuffles:
        return [np.flatnonzero(rng.random(size) < float(RATE)) for _ in range(ROUNDS)]
    parts: list[Floats] = []
    while len(parts) < ROUNDS:
        parts += np.array_split(rng.permutation(size), RATE.denominator)
    return parts[:ROUNDS]


def trained(trainer: Trainer, data: Records, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the weights at the end, and the sum of the steps along each canary's gradient."""
    points = np.vstack([data.digits, data.canaries[data.included]])
    labels = np.concatenate([data.labels, data.canary_labels[data.included]])
    weights = np.zeros((points.shape[1], CLASSES))
    along = np.zeros(CANARIES)
    own = data.digits.shape[1] - CANARIES + np.arange(CANARIES)
    for chosen in batches(trainer, rng, len(points)):
        batch = points[chosen]
        rests = residuals(batch, labels[chosen], weights)
        lengths = np.linalg.norm(batch, axis=1) * np.linalg.norm(rests, axis=1)
        if trainer.clips:
            rests = rests * np.minimum(1.0, CLIP / np.maximum(lengths, CLIP))[:, None]
        noisy = batch.T @ rests + SIGMA * CLIP * trainer.noise(rng, weights.shape)
        ways = residuals(data.canaries, data.canary_labels, weights)
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        along += np.sum(noisy[own] * ways, axis=1)
        weights = weights - STEP / BATCH * noisy
    return weights, along


def black_box(data: Records, weights: Floats) -> Floats:
    """Return minus the loss of each canary, minus the median over the canaries of its label."""
    chances = softmax(data.canaries @ weights)[np.arange(CANARIES), data.canary_labels]
    scores = np.log(np.maximum(chances, 1e-300))
    for label in range(CLASSES):
        scores[data.canary_labels == label] -= np.median(scores[data.canary_labels == label])
    return scores


def claimed() -> tuple[float, float]:
    """Return bounds on the ε that the accountant has for these settings."""
    return compose([(PoissonSampledGaussian(CLIP / SIGMA, RATE), ROUNDS)]).epsilon(DELTA)


def column(found: list[Any]) -> str:
    """Return the median bound, the largest p-value of the claim, and the verdict."""
    bound = np.median([each.epsilon_lower for each in found])
    refuted = sum(each.refuted for each in found)
    verdict = "refuted" if refuted == len(found) else "not refuted" if not refuted else "mixed"
    return f"{bound:.3f} p ≤ {max(each.p_value for each in found):.1g} {verdict}"


def row(trainer: Trainer, epsilon: float, seeds: range) -> str:
    """Return the accuracy of a trainer, and what its canaries show in both scores."""
    claim = ApproximateDP(epsilon, DELTA)
    accuracies: list[float] = []
    columns: tuple[list[Any], list[Any]] = ([], [])
    for seed in seeds:
        rng = np.random.default_rng(seed)
        data = records(rng)
        weights, along = trained(trainer, data, rng)
        accuracies.append(np.mean(np.argmax(data.digits @ weights, axis=1) == data.labels))
        for scores, found in zip((black_box(data, weights), along), columns, strict=True):
            found.append(audit_canaries(scores, data.included, claim, guesses=GUESSES))
    return LINE.format(trainer.name, f"{np.median(accuracies):.3f}", *map(column, columns))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    started = time.process_time()
    low, high = claimed()
    print(f"accountant: ε at δ = {DELTA} is in [{low:.6f}, {high:.6f}]; the upper end is claimed")
    print(LINE.format("trainer", "accuracy", "black box", "white box"))
    for trainer in TRAINERS:
        print(row(trainer, high, range(100, 100 + chosen.seeds)), flush=True)
    print(f"{time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main()
