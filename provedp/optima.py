"""Optima from Python: the command line's `solve`."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import ctx

from provedp.theory.domain import StochasticMatrix, check_argument
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number
from provedp.theory.privacy.finite import worst_path_event
from provedp.verify.accounting.least_noise import Noise, Request, least_gaussian_noise
from provedp.verify.accounting.path_ratio import least_path_ratio
from provedp.verify.solvers.channel.bracket import Bracket
from provedp.verify.solvers.channel.counting_problem import SOLVABLE, CountingProblem
from provedp.verify.solvers.noise_shape.noise_shape import NoiseShape as NoiseShape
from provedp.verify.solvers.noise_shape.noise_shape import noise_shape

__all__ = [
    "CountingOptimum",
    "Noise",
    "NoiseShape",
    "Profile",
    "solve_counting",
    "solve_gaussian",
    "solve_noise_shape",
    "solve_profile",
]

Given = int | str | Fraction


@dataclass(frozen=True, eq=False)
class CountingOptimum:
    """The least worst-case error of a private, consistent release of a count, enclosed.

    Attributes
    ----------
    lower, upper
        Exact bounds on it; equal wherever the optimum is found exactly.
    mechanism
        A row-stochastic matrix of fractions: entry (i, j) is the probability of output j for count
        i, both counted from 0. Its worst-case error, behind the channel if there is one, is
        `upper`.
    decided_by
        'undisturbed optimum', 'nearly undisturbed optimum', 'assignment' or 'linear program'.
    """

    lower: Fraction
    upper: Fraction
    decided_by: str
    _problem: CountingProblem = field(repr=False)
    _bracket: Bracket = field(repr=False)

    @property
    def mechanism(self) -> Matrix:
        """Return the matrix, m × m; without a channel it is built when it is asked for."""
        return self._bracket.primal

    def certificate(self) -> dict[str, Any]:
        """Return a certificate as JSON data, which `check_certificate` checks without a solver.

        Raises
        ------
        ValueError
            If e^ε or an entry of the channel is not rational.
        """
        return self._problem.certificate(self._bracket)


@dataclass(frozen=True, eq=False)
class Profile:
    """How private a matrix of probabilities is.

    Attributes
    ----------
    ratio
        e^ε; None if no ε is enough for the δ that was asked for.
    delta
        The least δ at that ε; None if there is no such ε.
    pair, event
        Two neighbouring rows, and the outcomes by which the first exceeds e^ε times the second by
        δ; counted from 0.
    """

    ratio: Number | None
    delta: Number | None
    pair: tuple[int, int] | None
    event: tuple[int, ...] | None


def solve_counting(
    m: int | None, epsilon: Given, delta: Given = 0, *, channel: Any = None
) -> CountingOptimum:
    """Find the least worst-case error of a private, consistent release of a count.

    The optimum lies between exactly feasible points of the linear program and of its dual.

    Parameters
    ----------
    m
        Number of counts, at least 2; with a channel it may be None.
    epsilon
        ε in nats: a whole number, a fraction, or a text such as 'ln(3/2)' or '0.5'.
    delta
        δ in [0, 1), rational.
    channel
        A stochastic m × m matrix through which the output passes: rows of whole numbers, fractions
        or texts.

    Raises
    ------
    ValueError
        If an argument is outside its range; floats are refused, since they are not what was typed.

    >>> best = solve_counting(3, "ln(2)")
    >>> best.lower == best.upper, str(best.upper)
    (True, '1/2')
    """
    from provedp.cli.numbers import BITS, exact, ratio
    from provedp.theory import channels
    from provedp.theory.counting import release

    where = "solve_counting"
    with ctx.workprec(BITS):
        slack = exact(where, "delta", _text(where, "delta", delta))
        check_argument(where, "delta", release.SLACK, slack)
        k = ratio(where, _text(where, "epsilon", epsilon))
        table = None
        if channel is not None:
            table = _rows(where, "channel", channel)
            table = check_argument(where, "channel", channels.extremes.CHANNEL, table)
        size = m if table is None else len(table)
        if m is not None and m != size:
            raise ValueError(f"'m' is {m}, but the channel has {size} rows.")
        check_argument(where, "m", SOLVABLE, size)
        problem = CountingProblem(int(size or 0), k, slack, table)
        best = problem.solved()
    return CountingOptimum(best.lower, best.upper, best.decided_by, problem, best)


def solve_gaussian(
    epsilon: Given,
    delta: Given,
    sensitivity: Given = 1,
    *,
    rounds: int = 1,
    rate: Given | None = None,
    draws: tuple[int, int] | None = None,
    sampling: str = "without-replacement",
) -> Noise:
    """Find the least Gaussian noise that meets (ε, δ) over all rounds.

    Parameters
    ----------
    epsilon, delta
        The target: ε in nats, δ in (0, 1).
    sensitivity
        Largest ℓ₂ distance of the answers for adjacent inputs; with sampling='poisson', the largest
        length that one record adds.
    rounds
        Releases that share (ε, δ).
    rate
        Share of the records that each round is about, such as '1/100'.
    draws
        (m, n) for m draws with replacement out of n records.
    sampling
        'without-replacement', 'poisson' or 'with-replacement'.

    Raises
    ------
    ValueError
        If an argument is outside its range, or a float.

    >>> round(solve_gaussian(1, "1e-5").sigma, 6)
    3.730632
    """
    from provedp.cli.expressions import parse
    from provedp.cli.numbers import BITS, exact, exact_or_ball

    where = "solve_gaussian"
    with ctx.workprec(BITS):
        request = Request(
            epsilon=exact_or_ball(parse(_text(where, "epsilon", epsilon))),
            delta=exact(where, "delta", _text(where, "delta", delta)),
            sensitivity=exact_or_ball(parse(_text(where, "sensitivity", sensitivity))),
            rounds=rounds,
            rate=None if rate is None else exact(where, "rate", _text(where, "rate", rate)),
            sampling=sampling,
            draws=draws,
        )
    return least_gaussian_noise(request)


def solve_noise_shape(points: Any, covariance: Any = None, gap: float = 1e-9) -> NoiseShape:
    """Find the least noise shape above all displacements, as `provedp solve noise-shape` does.

    Parameters
    ----------
    points
        N × d displacements, with d ≤ 1000 and N d ≤ 10⁷.
    covariance
        Symmetric positive definite d × d matrix; None for the identity.
    gap
        Relative gap to aim at, in (0, 1).

    Raises
    ------
    ValueError
        If an argument is outside its range.

    >>> round(solve_noise_shape([[3.0, 0.0], [0.0, 4.0]]).value)
    25
    """
    return noise_shape(points, covariance, gap)


def solve_profile(
    mechanism: Any, *, epsilon: Given | None = None, delta: Given | None = None
) -> Profile:
    """Find the least δ at ε, or the least ε at δ, of a matrix of probabilities.

    Parameters
    ----------
    mechanism
        Rows are distributions of the output; consecutive rows are neighbours, in both orders.
        Entries are whole numbers, fractions or texts such as '1/3'.
    epsilon, delta
        One of them: ε in nats, or δ in [0, 1).

    Raises
    ------
    ValueError
        If an argument is outside its range, or not exactly one of ε and δ is given.

    >>> found = solve_profile([["3/4", "1/4"], ["1/4", "3/4"]], epsilon="ln(2)")
    >>> str(found.delta), found.pair, found.event
    ('1/4', (0, 1), (0,))
    """
    from provedp.cli.numbers import BITS, exact, ratio

    where = "solve_profile"
    if (epsilon is None) == (delta is None):
        raise ValueError("Give either 'epsilon' or 'delta'.")
    with ctx.workprec(BITS):
        rows = _rows(where, "mechanism", mechanism)
        rows = check_argument(where, "mechanism", StochasticMatrix(square=False), rows)
        k: Number | None
        if epsilon is not None:
            k = ratio(where, _text(where, "epsilon", epsilon))
        else:
            k = least_path_ratio(rows, exact(where, "delta", _text(where, "delta", delta)))
        if k is None:
            return Profile(None, None, None, None)
        worst = worst_path_event(rows, k)
    return Profile(k, worst.delta, worst.pair, worst.outcomes)


def _text(where: str, name: str, value: Any) -> str:
    """Return a number as text, which is read exactly."""
    if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
        raise ValueError(
            f"The '{name}' parameter of {where} must be a whole number, a fraction or a text such "
            f"as '0.1'. Got {value!r} instead."
        )
    return str(value)


def _rows(where: str, name: str, rows: Any) -> Matrix:
    from provedp.cli.numbers import exact_or_ball
    from provedp.cli.tables import read_table

    texts = [[_text(where, name, entry) for entry in row] for row in rows]
    read = read_table(json.dumps(texts), name)
    return matrix([[exact_or_ball(entry) for entry in row] for row in read])
