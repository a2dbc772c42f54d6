"""Numbers that come with an error: a certified ball, or a float and a bound or interval."""

from dataclasses import dataclass

from flint import arb

from provedp.theory.numbers import Number, ball

CERTIFIED = "certified"  # the error is the radius of a ball
SAMPLED = "randomised quadrature"  # the error is the half-width of a confidence interval
CONFIDENCE = 0.999  # of that interval


@dataclass(frozen=True, eq=False)
class Estimate:
    """A value and how far it may be off.

    Parameters
    ----------
    value
        A ball that contains the exact value, or a float.
    error
        For a ball, a bound on its radius. For a float, the half-width of an interval at a
        confidence of 99.9 %, by Student's t from independent randomisations, plus a bound on the
        bias of the rules used.
    method
        "certified" or "randomised quadrature".
    """

    value: Number
    error: float
    method: str

    def scaled(self, factor: Number, constant: Number) -> "Estimate":
        """Return the estimate of constant + factor · value."""
        moved = ball(constant) + ball(factor) * ball(self.value)
        if isinstance(self.value, arb):
            return certified(moved)
        rounding, value = float(moved.rad()), float(moved.mid())
        return Estimate(value, abs(float(factor)) * self.error + rounding, self.method)


def certified(value: arb) -> Estimate:
    """Return a ball as an estimate."""
    return Estimate(value, float(value.rad()), CERTIFIED)
