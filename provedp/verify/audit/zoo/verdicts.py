"""What the law itself says of a claim, in exact or ball arithmetic."""

from collections.abc import Callable
from typing import Any

from flint import arb, ctx

from provedp.theory.numbers import ball, rational

BITS = 256


def ratio_beyond(ratio: Callable[[], Any], epsilon: float) -> bool | None:
    """Return whether a likelihood ratio that occurs exceeds e^ε; None if they may be equal."""
    with ctx.workprec(BITS):
        return _beyond(ball(ratio()), ball(rational(epsilon)).exp())


def level_beyond(level: Callable[[], Any], claimed: float) -> bool | None:
    """Return whether the exact level, a δ or ρ, exceeds the claimed one."""
    with ctx.workprec(BITS):
        return _beyond(ball(level()), ball(rational(claimed)))


def _beyond(exact: arb, claimed: arb) -> bool | None:
    return True if exact > claimed else False if exact <= claimed else None
