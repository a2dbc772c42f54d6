"""What several releases promise together: the textbook bounds, as formulas.

The bounds on guarantees themselves are in `definitions`.
"""

from provedp.theory.domain import domain, integers, reals
from provedp.theory.numbers import Number
from provedp.theory.privacy.functions import exp, log, sqrt, transcendental

__all__ = ["advanced_composition_epsilon", "composition_delta", "basic_composition_epsilon"]

ROUNDS = integers(1)


@domain(rounds=ROUNDS, epsilon=reals(0))
def basic_composition_epsilon(rounds: int, epsilon: Number) -> Number:
    """Privacy parameter of T releases by basic composition.

    ε_T = T ε

    Parameters
    ----------
    epsilon
        ε of each release in nats.

    Returns
    -------
    ε_T in nats, over the field of ε.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Theorem 3.16.

    >>> from fractions import Fraction as F
    >>> basic_composition_epsilon(3, F(1, 2))
    Fraction(3, 2)
    """
    return rounds * epsilon


@domain(rounds=ROUNDS, delta=reals(0), slack=reals(0))
def composition_delta(rounds: int, delta: Number, slack: Number) -> Number:
    """Additive part of T releases, by basic composition (no slack) or by advanced composition.

    δ_T = T δ + δ'

    Parameters
    ----------
    delta
        δ of each release.
    slack
        δ', 0 for basic composition.

    Returns
    -------
    δ_T, over the field of the arguments; it promises nothing if it is at least 1.

    Source: Dwork and Roth, Theorems 3.16 and 3.20.

    >>> from fractions import Fraction as F
    >>> composition_delta(3, F(1, 100), F(1, 1000))
    Fraction(31, 1000)
    """
    return rounds * delta + slack


@domain(rounds=ROUNDS, epsilon=reals(0), slack=reals(0, 1, open_low=True, open_high=True))
def advanced_composition_epsilon(rounds: int, epsilon: Number, slack: Number) -> Number:
    """Privacy parameter of T releases by advanced composition.

    ε_T = ε √(2T ln(1/δ')) + T ε (e^ε − 1)

    Parameters
    ----------
    epsilon
        ε of each release in nats.
    slack
        δ', which is added to the T δ of the releases.

    Returns
    -------
    ε_T in nats: a float for floats, a ball for balls and exact numbers, an expression for symbols.

    Source: Dwork and Roth, Theorem 3.20; modes paper, proof of Lemma 2.

    >>> round(advanced_composition_epsilon(100, 0.1, 1e-6), 6)
    6.308231
    """
    level = transcendental(epsilon)
    return level * sqrt(2 * rounds * log(1 / slack)) + rounds * level * (exp(level) - 1)
