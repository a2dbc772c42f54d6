"""Certificates of what one run allows: multipliers in rationals, and the law that attains them.

See `check` for the format, and `provedp.theory.privacy.one_run_bound` for the value.
"""

import math
from fractions import Fraction
from typing import Any

from provedp.verify.solvers.check import FORMAT

PRECISION = 200  # bits of a multiplier
DIGITS = 30  # of a bound
NEAR = Fraction(1, 1 << 120)  # relative, by which the base is above the tail: room to round


def one_run_certificate(
    canaries: int, guesses: int, right: int, k: Fraction, delta: Fraction
) -> dict[str, Any]:
    """Return a certificate that bounds the chance of so many right guesses, from above.

    The multipliers are rounded: the claim is above the exact bound by a relative 10⁻³⁰ or so.

    Raises
    ------
    ValueError
        If no guess is right, or so few are that the bound is 1.
    """
    masses, whole = _masses(guesses, k)
    base = _up(Fraction(sum(masses[right:]), whole) * (1 + NEAR))
    multipliers = _multipliers(guesses, right, k, base)
    bound = base + canaries * delta * max(multipliers)
    if right == 0 or bound >= 1:
        raise ValueError("So few right guesses bound nothing: there is nothing to certify.")
    return {
        "format": FORMAT,
        "problem": _problem(canaries, guesses, right, k, delta),
        "primal": None,
        "dual": {"base": str(base), "z": list(map(str, multipliers))},
        "claim": {"probability_lower": "0", "probability_upper": str(_rounded(bound))},
    }


def exact_certificate(
    canaries: int, guesses: int, right: int, k: Fraction, delta: Fraction
) -> dict[str, Any]:
    """Return a certificate of the greatest chance itself: for few guesses, as numbers grow long.

    The law has p_i = b_i (A + w [i ≥ v]), w = m δ/(v b_v), A = 1 − w B_v; where A would be negative
    all mass is at v or more, and the bound is 1.
    """
    weights, whole = _masses(guesses, k)
    masses = [Fraction(mass, whole) for mass in weights]
    tail = sum(masses[right:], Fraction(0))
    z = [_exact_multiplier(masses, right, i) for i in range(1, guesses + 1)]
    base, slack = tail, canaries * delta
    weight = slack / (right * masses[right])
    rest = 1 - weight * tail
    if rest < 0:
        rest, weight = Fraction(0), 1 / tail
        base, z = Fraction(1), [Fraction(0)] * guesses
    law = [mass * (rest + (weight if i >= right else 0)) for i, mass in enumerate(masses)]
    value = base + slack * max(z)
    return {
        "format": FORMAT,
        "problem": _problem(canaries, guesses, right, k, delta),
        "primal": {"law": list(map(str, law))},
        "dual": {"base": str(base), "z": list(map(str, z))},
        "claim": {"probability_lower": str(value), "probability_upper": str(value)},
    }


def _problem(
    canaries: int, guesses: int, right: int, k: Fraction, delta: Fraction
) -> dict[str, Any]:
    sizes = {"canaries": canaries, "guesses": guesses, "right": right}
    return {"kind": "one-run", **sizes, "k": str(k), "delta": str(delta)}


def _masses(guesses: int, k: Fraction) -> tuple[list[int], int]:
    """Return C(r, i) a^i b^(r − i) for k = a/b, and their sum."""
    a, b = k.numerator, k.denominator
    masses, mass = [], b**guesses
    for i in range(guesses + 1):
        masses.append(mass)
        mass = mass * (guesses - i) * a // ((i + 1) * b)
    return masses, (a + b) ** guesses


def _exact_multiplier(masses: list[Fraction], right: int, i: int) -> Fraction:
    """Return y_i/(i b_i): B_v (1 − B_i) for i ≤ v, (1 − B_v) B_i beyond, over i b_i."""
    here, there = (sum(masses[place:], Fraction(0)) for place in (i, right))
    y = there * (1 - here) if i <= right else (1 - there) * here
    return y / (i * masses[i])


def _multipliers(guesses: int, right: int, k: Fraction, base: Fraction) -> list[Fraction]:
    """Return multipliers that keep every row: rounded down up to v, from below, and up from above.

    Row i < v bounds z_(i+1) from above by z_i, row i ≥ v bounds z_i from below by z_(i+1); the base
    leaves room at v, where they meet.
    """
    z = [Fraction(0)] * (guesses + 2)
    for i in range(right):
        z[i + 1] = _down((base + i * z[i]) / (k * (guesses - i)))
    above = Fraction(0)
    for i in range(guesses, right, -1):
        above = z[i] = _up((1 - base + k * (guesses - i) * above) / i)
    needed = (1 - base + k * (guesses - right) * above) / right
    if needed > z[right]:
        raise ArithmeticError("The multipliers do not meet: more precision is needed.")
    z[right] = needed
    return z[1:-1]


def _down(x: Fraction) -> Fraction:
    shift = PRECISION - (x.numerator.bit_length() - x.denominator.bit_length())
    scaled = (x.numerator << max(shift, 0)) // (x.denominator << max(-shift, 0))
    return Fraction(scaled << max(-shift, 0), 1 << max(shift, 0))


def _rounded(x: Fraction) -> Fraction:
    """Return a decimal of some digits that is not below."""
    places = 10 ** (DIGITS + max(0, len(str(x.denominator)) - len(str(x.numerator))))
    return Fraction(math.ceil(x * places), places)


def _up(x: Fraction) -> Fraction:
    return -_down(-x) if x else x
