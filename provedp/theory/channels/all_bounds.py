"""All bounds on the least error behind a channel at once."""

from collections.abc import Callable

from provedp.theory.channels.assignment_mixing import (
    assignment_mixing_error,
    assignment_mixing_error_as_printed,
)
from provedp.theory.channels.extremes import CHANNEL, assignment_error, trivial_error
from provedp.theory.channels.mixing import mixing_error, mixing_error_as_printed
from provedp.theory.channels.spectral import spectral_error
from provedp.theory.channels.step_size import UndefinedError
from provedp.theory.counting.release import RATIO, SLACK
from provedp.theory.domain import domain
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number

__all__ = ["bounds"]

UPPER: dict[str, Callable[[Matrix, Number, Number], Number]] = {
    "u0": trivial_error,
    "u1": mixing_error,
    "u2": spectral_error,
    "u3": assignment_mixing_error,
    "u1_as_printed": mixing_error_as_printed,
    "u3_as_printed": assignment_mixing_error_as_printed,
}


@domain(channel=CHANNEL, k=RATIO, delta=SLACK)
def bounds(channel: Matrix, k: Number, delta: Number) -> dict[str, Number | None]:
    """The lower bound l and the upper bounds u₀ … u₃ of Proposition 1, repaired and as printed.

    max(p_e*, l) ≤ p_e*(T) ≤ min(u₀, u₁, u₂, u₃)

    Returns
    -------
    A dictionary with the keys l, u0, u1, u2, u3, u1_as_printed and u3_as_printed; None where a
    bound is not defined (u₁: singular T; u₂, u₃: ε = δ = 0; as printed: an empty minimum) or not
    decided (balls, symbols). u₂ uses the default direction.

    Source: counting paper, Proposition 1.

    >>> from fractions import Fraction as F
    >>> found = bounds([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], 3, 0)
    >>> [str(found[name]) for name in ("l", "u0", "u1", "u2", "u3", "u3_as_printed")]
    ['1/3', '5/12', '1/3', '1/3', '1/3', '1/4']
    """
    lower = {"l": assignment_error(channel)}
    return lower | {name: _defined(bound, channel, k, delta) for name, bound in UPPER.items()}


def _defined(
    bound: Callable[[Matrix, Number, Number], Number], channel: Matrix, k: Number, delta: Number
) -> Number | None:
    try:
        return bound(channel, k, delta)
    except UndefinedError:
        return None
