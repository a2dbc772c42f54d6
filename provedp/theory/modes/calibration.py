"""The noise of the ascent: from a budget for all rounds to the standard deviation of one."""

from provedp.theory.domain import Range, argument_error, domain, integers, reals
from provedp.theory.numbers import Number, minimum
from provedp.theory.privacy.functions import exp_minus_one, log, numeric, sqrt
from provedp.theory.privacy.noise.least_gaussian import classical_sigma
from provedp.theory.privacy.sampling.mixtures import component_ratio

__all__ = ["iteration_epsilon", "noise_scale", "round_delta", "round_epsilon"]

COUNT = integers(1)
BUDGET: dict[str, Range] = dict(
    epsilon=reals(0, open_low=True),
    delta=reals(0, 1, open_low=True, open_high=True),
    n=COUNT,
    m=COUNT,
    rounds=COUNT,
)
GAUSSIAN_CONSTANT = (5, 4)  # of the classical Gaussian mechanism: ln(1.25/δ)


@domain(**BUDGET)
def iteration_epsilon(epsilon: Number, delta: Number, n: int, m: int, rounds: int) -> Number:
    """Privacy parameter of one ascent round.

    ε_iter = min{ln(1 + (e − 1) m/n), ε/(2 √(2 T ln(2/δ))), √(ε/(4T))}

    Parameters
    ----------
    epsilon
        ε_modes of all rounds, in nats.
    delta
        δ of all rounds.
    n
        Number of records.
    m
        Size of a minibatch, at most n.

    Returns
    -------
    ε_iter: a float for floats, a ball for balls and exact numbers.

    Source: modes paper, Section 4.1, before eq. (6).

    >>> round(iteration_epsilon(1.0, 1e-6, 1000, 145, 7), 9)
    0.035082648
    """
    _require_part(n, m)
    level = numeric(epsilon)
    one = 0 * level + 1
    sampling = log(1 + exp_minus_one(one) * m / n)
    composition = level / (2 * sqrt(2 * rounds * log(2 / numeric(delta))))
    return minimum(minimum(sampling, composition), sqrt(level / (4 * rounds)))


@domain(**BUDGET)
def round_epsilon(epsilon: Number, delta: Number, n: int, m: int, rounds: int) -> Number:
    """Privacy parameter of one round on the whole minibatch, before it counts as a sample.

    ε* = ln(1 + n (e^ε_iter − 1)/m) ≤ 1

    Parameters
    ----------
    epsilon, delta, n, m, rounds
        As for `iteration_epsilon`.

    Returns
    -------
    ε*, fields as for `iteration_epsilon`.

    Source: modes paper, the proof of Lemma 2.

    >>> round(round_epsilon(1.0, 1e-6, 1000, 145, 7), 9)
    0.22013381
    """
    small = iteration_epsilon(epsilon, delta, n, m, rounds)
    return log(component_ratio(1 + exp_minus_one(small), (0 * small + m) / n))


@domain(**BUDGET)
def round_delta(epsilon: Number, delta: Number, n: int, m: int, rounds: int) -> Number:
    """Additive part of one round on the whole minibatch.

    δ* = n δ/(2 m T)

    Parameters
    ----------
    epsilon, delta, n, m, rounds
        As for `iteration_epsilon`; ε does not matter.

    Returns
    -------
    δ*, over the field of δ.

    Source: modes paper, the proof of Lemma 2.

    >>> from fractions import Fraction as F
    >>> round_delta(F(1), F(1, 100), 100, 10, 5)
    Fraction(1, 100)
    """
    _require_part(n, m)
    return n * delta / (2 * m * rounds)


@domain(sensitivity=reals(0, open_low=True), **BUDGET)
def noise_scale(
    sensitivity: Number, epsilon: Number, delta: Number, n: int, m: int, rounds: int
) -> Number:
    """Standard deviation of the noise of an ascent round, as the modes paper prints it.

    σ = (S/m)/ln(1 + n (e^ε_iter − 1)/m) · √(2 ln(2.5 m T/(n δ)))

    Parameters
    ----------
    sensitivity
        S: `score_sensitivity` in eq. (6), `joint_sensitivity` in eq. (9).
    epsilon, delta, n, m, rounds
        As for `iteration_epsilon`; 2.5 m T > n δ.

    Returns
    -------
    σ, fields as for `iteration_epsilon`.

    Raises
    ------
    ValueError
        If the logarithm is not positive.

    Source: modes paper, eq. (6) and (9).

    >>> round(noise_scale(183.67909820983675, 1.0, 1e-6, 1000, 145, 7), 6)
    31.25124
    """
    target = round_delta(epsilon, delta, n, m, rounds)
    if not target < 1:
        raise ValueError(f"The noise has no value for n δ ≥ 2 m T. Got δ* = {target}.")
    above, below = GAUSSIAN_CONSTANT
    constant = (0 * numeric(target) + above) / below
    budget = round_epsilon(epsilon, delta, n, m, rounds)
    return classical_sigma(budget, target, sensitivity / m, constant)


def _require_part(n: int, m: int) -> None:
    if m > n:
        raise argument_error("modes.iteration_epsilon", "m", f"at most n = {n}", m)
