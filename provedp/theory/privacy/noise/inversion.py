"""A hockey-stick divergence of two Gaussian laws from their Rényi divergences, by an integral.

With L = ln(p/q) under P and M(s) = E e^(sL) = e^(s D_(1+s)(P ‖ Q)),

E_k(P ‖ Q) = E (1 − e^(ε − L))⁺ = 1/(2πi) ∫ M(s) e^(−sε) / (s (s + 1)) ds

along any line Re s = c > 0 where M is finite, because ∫ (1 − e^(−y))⁺ e^(−sy) dy = 1/(s (s + 1)).
The line is bent to where the integrand decays fastest; the upper half suffices, by symmetry.
"""

import math
from typing import NamedTuple

from flint import acb, arb

from provedp.theory.privacy.noise.spectrum import Mode

BENDS = (0.5, 0.125, 0.0)  # of the line: below 1, so that e^(s²) decays along it; 0 never grows
ACCURACY_BITS = 56  # of what is left out, relative to the integrand and its width at the start
SHARP_BITS = 40  # relative accuracy with which a bend is good enough
MOST_EVALUATIONS = 20_000  # per piece of the contour; after them the ball is left wide
FARTHEST = 1 << 200  # where the contour is given up
GOLDEN = (math.sqrt(5) - 1) / 2
SADDLE_STEPS = 60  # of a search whose result only affects the speed


class Contour(NamedTuple):
    """The half-line s = start + r · slope, r ≥ 0, and what is integrated along it."""

    modes: list[Mode]
    epsilon: arb
    start: arb
    slope: acb

    def integral(self) -> arb:
        """Return a ball that contains the divergence."""
        total, near, far = acb(0), arb(0), self.start.min(arb(1))
        accuracy = arb(2) ** -ACCURACY_BITS
        tolerance = accuracy * far * abs(self._integrand(acb(0), False)).upper()
        while True:
            total += acb.integral(
                self._integrand,
                near,
                far,
                abs_tol=tolerance,
                rel_tol=accuracy,
                eval_limit=MOST_EVALUATIONS,
            )
            rest = self._rest(far)
            if rest < tolerance:
                return total.imag / arb.pi() + arb(0, rest.upper())
            if far > FARTHEST:
                raise ValueError("The integral for the divergence does not converge.")
            near, far = far, 2 * far

    def _integrand(self, r: acb, analytic: bool) -> acb:
        s = self.start + r * self.slope
        exponent = -s * self.epsilon
        for mode in self.modes:
            base = 1 + (1 - mode.eigenvalue) * s
            exponent -= (s * mode.eigenvalue.log() + base.log(analytic)) * mode.multiplicity / 2
            exponent += s * (1 + s) / base * mode.weight / 2
        return exponent.exp() / (s * (1 + s)) * self.slope

    def _rest(self, far: arb) -> arb:
        """Return a bound on the integral beyond r = far, over π.

        With a = 1 − λ, s(1 + s)/(1 + as) = s/a − λ/a² (1 − 1/(1 + as)), |1 + as| ≥ |a| r and
        |s|, |1 + s| ≥ r: the integrand is at most its linear exponential times falling factors.
        """
        end = self.start + far * self.slope.real
        varying = [mode for mode in self.modes if mode.eigenvalue != 1]
        falls = 1 + arb(sum(mode.multiplicity for mode in varying)) / 2
        exponent = -decay_rate(self.modes, self.epsilon) * end
        for mode in varying:
            gap = abs(1 - mode.eigenvalue)
            exponent -= gap.log() * mode.multiplicity / 2
            exponent -= mode.weight * mode.eigenvalue / gap**2 * (1 - 1 / (gap * far)) / 2
        for mode in self.modes:
            exponent += self._square(mode, far) if mode.eigenvalue == 1 else 0
        return abs(self.slope) * exponent.exp() * far**-falls / falls / arb.pi()

    def _square(self, mode: Mode, far: arb) -> arb:
        """Return the exponent for λ = 1, Re s(1 + s)/2 times the weight, once it falls with r."""
        bend, end = self.slope.real, self.start + far * self.slope.real
        falling = far * (1 - bend**2) >= abs(bend) * (self.start + 0.5)
        return mode.weight * (end**2 - far**2 + end) / 2 if falling else arb.pos_inf()


def decay_rate(modes: list[Mode], epsilon: arb) -> arb:
    """Return κ if the integrand behaves like e^(−κs) far from 0.

    If p/q is bounded, its largest value is e^(ε − κ).
    """
    rate = epsilon
    for mode in modes:
        rate += mode.eigenvalue.log() * mode.multiplicity / 2
        if mode.eigenvalue != 1:
            rate -= mode.weight / (1 - mode.eigenvalue) / 2
    return rate


def is_bounded(modes: list[Mode]) -> bool:
    """Return whether p/q is certainly bounded: no direction is wider, or as wide and shifted."""
    return all(mode.eigenvalue < 1 or (mode.eigenvalue == 1 and mode.weight == 0) for mode in modes)


def inverted(modes: list[Mode], epsilon: arb) -> arb:
    """Return a ball that contains the divergence.

    The half-line starts near the saddle point and bends into the side where the integrand decays,
    as far as it does not grow on the way.
    """
    rate, start = decay_rate(modes, epsilon), arb(_saddle(modes, float(epsilon)))
    side = 1 if rate > 0 else -1 if rate < 0 else 0
    for bend in BENDS:
        found = Contour(modes, epsilon, start, acb(side * bend, 1)).integral()
        if found.rel_accuracy_bits() >= SHARP_BITS:
            break
    return found


def _saddle(modes: list[Mode], epsilon: float) -> float:
    """Return where the integrand is least on (0, end of the strip), by golden section."""
    floats = [(float(mode.eigenvalue), mode.multiplicity, float(mode.weight)) for mode in modes]
    strip = max(value for value, _, _ in floats) - 1

    def place(u: float) -> float:
        return u / strip if strip > 0 else u / (1 - u)

    def height(u: float) -> float:
        s = place(u)
        total = -s * epsilon - math.log(s) - math.log1p(s)
        for value, times, weight in floats:
            base = 1 + (1 - value) * s
            total -= (s * math.log(value) + math.log(base)) * times / 2
            total += s * (1 + s) / base * weight / 2
        return total

    low, high = 0.0, 1.0
    for _ in range(SADDLE_STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if height(left) < height(right) else (left, high)
    return place((low + high) / 2)
