"""Claims of Rényi and zero-concentrated differential privacy, and what they say of (ε, δ)."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flint import arb, ctx
from scipy import optimize

from provedp.theory.domain import check_argument, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.noise.gaussian import gaussian_delta

BITS = 256
ORDER = reals(1, 10_000, open_low=True)
LEVEL = reals(0, 1000)
HALVINGS = 100
MARGINS = (1e-10, 1e-7, 1e-4, 1e-2)  # relative, by which the ends of δ are moved until they hold
LEAST_LOG = -700.0  # of δ, as a float
LARGEST_LOG = 700.0  # of α − 1 for which a conversion is sought


@dataclass(frozen=True)
class RenyiClaim:
    """A release of which only bounds on Rényi divergences are claimed, in both directions.

    Parameters
    ----------
    bounds
        For each order α > 1 a bound on D_α in nats.
    rho, offset
        Or, for zero-concentrated DP, ρ and ξ with D_α ≤ ξ + ρ α for every α > 1.
    """

    bounds: Mapping[float, Number] = field(default_factory=dict)
    rho: Number | None = None
    offset: Number = 0

    def __post_init__(self) -> None:
        for order, bound in self.bounds.items():
            check_argument("privacy.RenyiClaim", "order", ORDER, order)
            check_argument("privacy.RenyiClaim", "divergence", LEVEL, bound)
        if self.rho is not None:
            check_argument("privacy.RenyiClaim", "rho", LEVEL, self.rho)
            check_argument("privacy.RenyiClaim", "offset", LEVEL, self.offset)
        if not self.bounds and self.rho is None:
            raise ValueError("A Rényi claim needs an order and a bound, or ρ.")

    def at(self, order: float) -> arb | None:
        """Return the bound on D_α, or None if nothing is claimed at this order."""
        known = [ball(self.bounds[order])] if order in self.bounds else []
        if self.rho is not None:
            known.append(ball(self.offset) + ball(self.rho) * ball(order))
        return functools.reduce(arb.min, known) if known else None


def composed_claims(claims: Sequence[tuple[RenyiClaim, int]]) -> RenyiClaim:
    """Return what claims together say: at each order that all have, the bounds add up."""
    orders = {order for claim, _ in claims for order in claim.bounds}
    bounds: dict[float, Number] = {}
    with ctx.workprec(BITS):
        for order in sorted(orders):
            found = [(claim.at(order), rounds) for claim, rounds in claims]
            known = [bound * rounds for bound, rounds in found if bound is not None]
            if len(known) == len(found):
                bounds[order] = sum(known, start=arb(0))
        rho = offset = None
        rhos = [ball(claim.rho) * n for claim, n in claims if claim.rho is not None]
        if len(rhos) == len(claims):
            rho = sum(rhos, start=arb(0))
            offset = sum((ball(claim.offset) * n for claim, n in claims), start=arb(0))
    if not bounds and rho is None:
        raise ValueError("The Rényi claims have no order in common.")
    return RenyiClaim(bounds, rho, offset or 0)


def claimed_delta(claim: RenyiClaim, epsilon: Number) -> tuple[float, float]:
    """Return what some release with this claim attains, and what none with it exceeds.

    From above, the best of the claimed orders, each by its optimal conversion; for ρ, an order that
    is about the best. From below, Gaussian noise with μ = √(2ρ) for ρ, and two outcomes for a claim
    of one order, if they keep it in both directions; otherwise 0.
    """
    level = float(ball(epsilon).mid())
    orders = dict(claim.bounds)
    lower = arb(0)
    with ctx.workprec(BITS):
        if claim.rho is not None and not claim.bounds:
            order = _best_order(float(ball(claim.rho)), float(ball(claim.offset)), level)
            orders[order] = ball(claim.offset) + ball(claim.rho) * ball(order)
            if ball(claim.rho) > 0:
                lower = ball(gaussian_delta((2 * ball(claim.rho)).sqrt(), ball(epsilon)))
        ends = [conversion(order, bound, epsilon) for order, bound in orders.items()]
        if len(ends) == 1 and claim.rho is None:
            lower = ends[0][0]
        upper = functools.reduce(arb.min, (end for _, end in ends))
        return _outward(lower.lower(), -math.inf), _outward(upper.upper(), math.inf)


def _outward(exact: arb, towards: float) -> float:
    nearest = float(exact)
    moved = nearest if arb(nearest) == exact else math.nextafter(nearest, towards)
    return min(max(moved, 0.0), 1.0)


def _best_order(rho: float, offset: float, epsilon: float) -> float:
    """Return an order at which Canonne, Kamath and Steinke's bound on δ is about the least."""

    def log_delta(log_shift: float) -> float:
        order = 1 + math.exp(log_shift)
        return log_delta_by_moments(order, offset + rho * order, epsilon)

    found = optimize.minimize_scalar(log_delta, bounds=(-6.0, 9.0), method="bounded")
    return 1 + math.exp(float(found.x))


def log_delta_by_moments(order: float, bound: float, epsilon: float) -> float:
    """Return about ln of Canonne, Kamath and Steinke's bound on δ for D_α ≤ bound."""
    shift = order - 1
    moment = shift * (bound - epsilon)
    return moment - order * math.log1p(1 / shift) - math.log(shift)


def conversion(order: float, bound: Number, epsilon: Number) -> tuple[arb, arb]:
    """Return a δ that two outcomes with D_α ≤ bound attain, and one that no laws exceed.

    E_k and D_α are divergences of f-kind, so that two outcomes (p, q) attain sup E_k. With
    p = δ + kq, the sum p^α q^(1−α) + (1 − p)^α (1 − q)^(1−α) is convex in q, and its tangent at one
    q bounds it from below at all. The lower end is 0 if the outcomes break the reverse bound.

    Source: Asoodeh, Liao, Calmon, Kosut and Sankar, Three Variants of Differential Privacy, for the
    problem; the certificates of both ends are ours.
    """
    alpha, k = ball(order), ball(epsilon).exp()
    most = (alpha - 1) * ball(bound)
    guess = _log_delta(order, float(most), float(k))
    lower, upper = arb(0), arb(1)
    for margin in MARGINS:
        delta = arb(guess - margin).exp()
        q = arb(_best_q(order, guess - margin, float(k))[0])
        if _keeps(alpha, delta + k * q, q, most):
            lower = delta
            break
    for margin in MARGINS:
        delta = arb(guess + margin).exp()
        if delta < 1 and _exceeds(
            alpha, delta, k, arb(_best_q(order, guess + margin, float(k))[0]), most
        ):
            upper = delta
            break
    closed = (
        ((alpha - 1) * (ball(bound) - ball(epsilon))).exp() / alpha * (1 - 1 / alpha) ** (alpha - 1)
    )
    return lower, upper.min(closed)


def _keeps(alpha: arb, p: arb, q: arb, most: arb) -> bool:
    """Return whether D_α of two outcomes is at most the bound, in both directions."""
    if not (0 < q and p < 1):
        return False
    return all(_sum(alpha, a, b) <= most.exp() for a, b in ((p, q), (q, p)))


def _exceeds(alpha: arb, delta: arb, k: arb, q: arb, most: arb) -> bool:
    """Return whether (δ + kq, q) exceeds the bound on D_α for every q, by a tangent."""
    p = delta + k * q
    if not (0 < q and p < 1):
        return False
    odds, rest = p / q, (1 - p) / (1 - q)
    slope = alpha * k * (odds ** (alpha - 1) - rest ** (alpha - 1))
    slope += (1 - alpha) * (odds**alpha - rest**alpha)
    return bool(_sum(alpha, p, q) - abs(slope) * (1 - delta) / k > most.exp())


def _sum(alpha: arb, p: arb, q: arb) -> arb:
    return p * (p / q) ** (alpha - 1) + (1 - p) * ((1 - p) / (1 - q)) ** (alpha - 1)


def _log_delta(order: float, most: float, k: float) -> float:
    """Return about ln of the largest δ, by bisection."""
    low, high = LEAST_LOG, 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _best_q(order, middle, k)[1] > most else (middle, high)
    return low


def _best_q(order: float, log_delta: float, k: float) -> tuple[float, float]:
    """Return q for which ln of the sum is least at this δ, and that."""
    delta = math.exp(log_delta)
    end = (1 - delta) / k

    def log_sum(t: float) -> float:
        q = end / (1 + math.exp(-t))
        p = min(delta + k * q, 1.0)
        left = order * math.log(p) + (1 - order) * math.log(q)
        if p >= 1:
            return left
        right = order * math.log1p(-p) + (1 - order) * math.log1p(-q)
        return max(left, right) + math.log1p(math.exp(-abs(left - right)))

    found = optimize.minimize_scalar(
        log_sum, bounds=(-700.0, 40.0), method="bounded", options={"xatol": 1e-13}
    )
    return end / (1 + math.exp(-float(found.x))), float(found.fun)
