"""Figure 2 of the counting paper: the least error behind 8-PSK, and the bounds on it."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
from flint import arb

from provedp.theory import channels, counting
from provedp.theory.numbers import ball
from provedp.verify.solvers.channel.irrational import least_error_behind_balls

SIZE = 8
DECIBELS = (0, 5, 10, 15)  # E_s/N₀; the paper says "several SNR values", and names 10 dB
LARGEST = Fraction(8)  # ε in nats
PRECISION = 200  # bits; entries of P* T⁻¹ lose some twenty digits at 0 dB
BOUNDS = ("u1_as_printed", "u1", "u2", "u3_as_printed", "u3")

SHARP = 1e-12  # radius of a ball that is shown as a number

Row = dict[str, Any]


def figure2(points: int) -> Iterator[Row]:
    """Yield a row for each SNR and ε: the optimum in a certified bracket, and Proposition 1.

    p_e*, l and the bounds are balls, of which the midpoint is shown. "below" names the printed
    bounds that are certainly below the optimum, which no upper bound can be.
    """
    for decibels in DECIBELS:
        for step in range(1, points + 1):
            with flint.ctx.workprec(PRECISION):
                yield keying_row(decibels, LARGEST * step / points)


def keying_row(decibels: int, epsilon: Fraction) -> Row:
    """Return the optimum and the bounds at one SNR and ε, δ = 0."""
    channel, k = channels.psk_matrix(SIZE, arb(decibels)), ball(epsilon).exp()
    best = least_error_behind_balls(channel, k, Fraction(0))
    found: dict[str, Any] = channels.bounds(channel, k, arb(0))
    bounds = {name: _middle(found[name]) for name in BOUNDS}
    below = [
        name
        for name in ("u1_as_printed", "u3_as_printed")
        if found[name] is not None and found[name] < ball(best.lower)
    ]
    return {
        "decibels": decibels,
        "epsilon": float(epsilon),
        "optimum": float(best.lower),
        "gap": float(best.upper - best.lower),
        "free_error": _middle(counting.error(SIZE, k, arb(0))),
        "channel_error": _middle(found["l"]),
        **bounds,
        "below": ", ".join(name.split("_")[0] for name in below) or "none",
    }


def _middle(value: Any) -> float | None:
    """Return the midpoint of a ball whose radius does not show, else None."""
    return float(value.mid()) if value is not None and value.rad() < SHARP else None
