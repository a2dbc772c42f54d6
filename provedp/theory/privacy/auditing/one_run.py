"""How many of a data set's coins can be guessed from one output of a private mechanism.

Each of m canaries is in the data set, or is not, by a fair coin of its own. Whoever sees the output
of one run guesses r of the coins, r fixed beforehand, and v guesses are right. `k` stands for e^ε.
"""

from math import comb

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number, certainly

__all__ = ["one_run_bound", "one_run_published_bound"]

RATIO = reals(1)
DELTA = reals(0, 1, open_high=True)
COUNT = integers(1)


@domain(canaries=COUNT, guesses=COUNT, right=integers(0), k=RATIO, delta=DELTA)
def one_run_bound(canaries: int, guesses: int, right: int, k: Number, delta: Number) -> Number:
    """Greatest probability of so many right guesses, over all (ln k, δ)-private mechanisms.

    min(1, B + m δ B (1 − B)/(v b)), B = P[Bin(r, q) ≥ v], b = P[Bin(r, q) = v], q = k/(1 + k)

    Parameters
    ----------
    canaries
        m, of which any may be guessed.
    guesses
        r ≤ m, fixed before the output is seen.
    right
        v, of which at least so many are right.
    k
        e^ε.
    delta
        δ.

    Returns
    -------
    The probability, over the field of the arguments; it is attained.

    Raises
    ------
    ValueError
        If there are more guesses than canaries, or more right ones than guesses.

    Source: ours; claim `privacy.right_guesses_are_bounded_exactly`.

    >>> from fractions import Fraction as F
    >>> one_run_bound(4, 4, 3, F(1), F(1, 10))
    Fraction(41, 96)
    """
    _require_guesses(canaries, guesses, right)
    if right == 0:
        return k / k
    tail = _tail(guesses, right, k)
    mass = _mass(guesses, right, k)
    return _at_most_one(tail + canaries * delta * tail * (1 - tail) / (right * mass))


@domain(canaries=COUNT, guesses=COUNT, right=integers(0), k=RATIO, delta=DELTA)
def one_run_published_bound(
    canaries: int, guesses: int, right: int, k: Number, delta: Number
) -> Number:
    """The bound of Steinke, Nasr and Jagielski, as their code has it; it fails for small v.

    min(1, f(v) + 2 m δ max_{1 ≤ i ≤ m} (f(v − i) − f(v))/i), f(v) = P[Bin(r, k/(1 + k)) ≥ v]

    Parameters
    ----------
    canaries, guesses, right, k, delta
        As for `one_run_bound`.

    Returns
    -------
    The number, over the field of the arguments.

    Raises
    ------
    ValueError
        If there are more guesses than canaries, or more right ones than guesses.

    Source: Steinke, Nasr and Jagielski (2023), as implemented; see
    `privacy.published_bound_on_right_guesses_holds`.

    >>> from fractions import Fraction as F
    >>> one_run_published_bound(4, 4, 1, F(1), F(1, 15))
    Fraction(233, 240)
    """
    _require_guesses(canaries, guesses, right)
    tail = _tail(guesses, right, k)
    slope, more = 0 * k, 0 * k  # beyond i = v the numerator no longer grows
    for i in range(1, right + 1):
        more = more + _mass(guesses, right - i, k)
        if certainly(more / i > slope):
            slope = more / i
    return _at_most_one(tail + 2 * canaries * delta * slope)


def _require_guesses(canaries: int, guesses: int, right: int) -> None:
    if not right <= guesses <= canaries:
        raise ValueError(
            "There must be at least as many canaries as guesses, and as guesses right ones."
            f" Got {canaries} canaries, {guesses} guesses, {right} right ones instead."
        )


def _mass(guesses: int, right: int, k: Number) -> Number:
    """Return P[Bin(r, k/(1 + k)) = v]."""
    return comb(guesses, right) * k**right / (1 + k) ** guesses


def _tail(guesses: int, right: int, k: Number) -> Number:
    """Return P[Bin(r, k/(1 + k)) ≥ v]."""
    # One division: fractions are reduced at each.
    terms = (comb(guesses, i) * k**i for i in range(right, guesses + 1))
    return sum(terms, start=0 * k) / (1 + k) ** guesses


def _at_most_one(probability: Number) -> Number:
    return probability / probability if certainly(probability >= 1) else probability
