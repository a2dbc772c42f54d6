"""Additive Wishart noise on a scatter matrix against a shift of the scatter.

W_d(V, ν) is the law of the sum of ν squares x xᵀ with x ~ N(0, V) in d dimensions.
"""

from flint import arb, ctx

from provedp.theory.domain import SquareMatrix, check_argument, domain, integers, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, ball, common_field, maximum, minimum
from provedp.theory.privacy.functions import (
    exp,
    exp_minus_one,
    gamma_lower,
    gamma_upper,
    numeric,
    positive_part,
)
from provedp.theory.privacy.noise.covariance import Covariance, exact_entries
from provedp.theory.privacy.noise.laplace import DIRECTION
from provedp.theory.privacy.noise.spectrum import pencil_eigenvalues

__all__ = [
    "chi_square_delta",
    "constant_ratio_delta",
    "wishart_delta",
    "wishart_least_degree_delta",
]

GUARD_BITS = 64  # differences of tails of comparable size


@domain(ratio=reals(0, open_low=True), overlap=reals(0, 1), k=reals(1))
def constant_ratio_delta(ratio: Number, overlap: Number, k: Number) -> Number:
    """Divergence of two laws whose likelihood ratio is constant where both live.

    E_k(P ‖ Q) = 1 − a min(1, k/r), if p = r q on the common support and P(supp Q) = a

    Parameters
    ----------
    ratio
        r.
    overlap
        a in [0, min(1, r)].

    Returns
    -------
    The divergence, over the field of the arguments: at least 1 − a for every ε.

    Source: ours: P tells itself from Q outside supp Q for nothing, and inside it if r > k.

    >>> from fractions import Fraction as F
    >>> constant_ratio_delta(F(1, 2), F(1, 2), F(3)), constant_ratio_delta(F(4), F(1, 2), F(2))
    (Fraction(1, 2), Fraction(3, 4))
    """
    return 1 - overlap * minimum(0 * k + 1, k / ratio)


@domain(degrees=reals(2), shift=reals(0, open_low=True), epsilon=reals(0), direction=DIRECTION)
def chi_square_delta(
    degrees: Number, shift: Number, epsilon: Number, direction: str = "both"
) -> Number:
    """Privacy profile of chi-square noise against a shift.

    With the cdf F_m of χ²_m and h = m/2 − 1, P = χ²_m and Q = χ²_m + c:
    E(P ‖ Q) = F_m(x) − e^ε F_m(x − c), x = c/(1 − e^(−(ε + c/2)/h));
    E(Q ‖ P) = F̄_m(x − c) − e^ε F̄_m(x), x = c/(1 − e^(−(c/2 − ε)/h)), and 0 if c ≤ 2ε;
    h = 0 is `support_loss_delta` with a = e^(−c/2)

    Both fall as m grows (χ²_(m+1) is χ²_m plus independent noise) and grow with c (the density is
    log-concave for m ≥ 2).

    Parameters
    ----------
    degrees
        m.
    shift
        c.
    direction
        "from": E(P ‖ Q), from the unshifted law; "onto": E(Q ‖ P); "both": the larger.

    Returns
    -------
    The divergence: a float for floats, a ball for balls and exact numbers.

    Source: ours; the likelihood ratio ((x − c)/x)^h e^(c/2) increases, so half-lines are worst.

    >>> round(chi_square_delta(34.0, 1.0, 1.0), 12)
    9.363206e-06
    """
    with ctx.workprec(ctx.prec + GUARD_BITS):
        free, move, level = (numeric(number) for number in (degrees, shift, epsilon))
        delta = _chi_square(free, move, level, direction)
    return delta if isinstance(delta, float) else +delta


@domain(
    dimension=integers(1),
    degrees=reals(2),
    shift=reals(0, open_low=True),
    epsilon=reals(0),
    direction=DIRECTION,
)
def wishart_delta(
    dimension: int, degrees: Number, shift: Number, epsilon: Number, direction: str = "both"
) -> Number:
    """Privacy profile of Wishart noise against a positive semidefinite shift of rank one.

    S + W_d(V, ν) against S + v vᵀ + W_d(V, ν) is χ²_m against χ²_m + c,
    m = ν − d + 1, c = vᵀ V⁻¹ v

    Proof: the ratio of the densities at S + X is (1 − vᵀX⁻¹v)^((ν−d−1)/2) e^(c/2), so that
    T = c/(vᵀX⁻¹v) is sufficient; T is χ²_m under W_d(V, ν), and T + c for X + v vᵀ by
    (X + v vᵀ)⁻¹ v = X⁻¹v/(1 + vᵀX⁻¹v).

    Parameters
    ----------
    degrees
        ν ≥ d + 1; not necessarily an integer.
    shift
        The largest c over adjacent inputs, positive: ‖v‖²/s for V = s I.
    direction
        As for `chi_square_delta`: P is the law without the shift.

    Returns
    -------
    The divergence: a float for floats, a ball for balls and exact numbers.

    Source: ours.

    >>> wishart_delta(3, 36.0, 1.0, 1.0) == chi_square_delta(34.0, 1.0, 1.0)
    True
    """
    least = reals(dimension + 1)
    check_argument("privacy.wishart_delta", "degrees", least, degrees)
    return chi_square_delta(degrees - dimension + 1, shift, epsilon, direction)


@domain(shift=SquareMatrix(), scale=Covariance(), k=reals(1))
def wishart_least_degree_delta(shift: Matrix, scale: Matrix, k: Number) -> arb:
    """Divergence for Wishart noise with ν = d + 1 degrees of freedom against any symmetric shift.

    E_k(P ‖ Q) = 1 − a min(1, k/r), r = e^(−tr(V⁻¹E)/2),
    e^(−Σ λ⁺/2) ≤ a = P(W ≥ E) ≤ min(1, r), with the eigenvalues λ of V⁻¹E

    The density is constant · e^(−tr(V⁻¹W)/2) on the cone, so the ratio on the common support is
    constant and what counts is what the support loses: at least 1 − a for every ε.

    Parameters
    ----------
    shift
        E, a symmetric d × d matrix of exact numbers or floats: P = S + W, Q = S + E + W.
    scale
        V, a symmetric positive definite d × d matrix, likewise.

    Returns
    -------
    A ball that contains the divergence; the value itself if E or −E is positive semidefinite.

    Raises
    ------
    ValueError
        If E is not symmetric or the sizes differ.

    Source: ours; refutes the mixture paper, Lemma 2.

    >>> decay = 1 - wishart_least_degree_delta([[1, 0], [0, 0]], [[1, 0], [0, 1]], 5)
    >>> decay.overlaps(arb(-0.5).exp())
    True
    """
    moved, noise = exact_entries(shift), exact_entries(scale)
    if common_field(moved.ravel()) > Field.FLINT:
        raise ValueError("The shift and the scale must be exact numbers or floats.")
    if moved.shape != noise.shape or (moved != moved.T).any():
        raise ValueError("The shift must be symmetric and of the size of the scale.")
    with ctx.workprec(ctx.prec + GUARD_BITS):
        bounds = _least_degree_bounds(moved, noise, ball(numeric(k)))
    return bounds


def _chi_square(degrees: Number, shift: Number, epsilon: Number, direction: str) -> Number:
    if degrees == 2:  # support_loss_delta at a = e^(−c/2), for small c too
        gap = (epsilon if direction == "onto" else 0 * epsilon) - shift / 2
        return positive_part(-exp_minus_one(gap))
    if direction == "both":
        ways = (_chi_square(degrees, shift, epsilon, way) for way in ("from", "onto"))
        return maximum(*ways)
    return (_from if direction == "from" else _onto)(degrees, shift, epsilon)


def _from(degrees: Number, shift: Number, epsilon: Number) -> Number:
    end = -shift / exp_minus_one(-(epsilon + shift / 2) / (degrees / 2 - 1))
    near, far = gamma_lower(degrees / 2, end / 2), gamma_lower(degrees / 2, (end - shift) / 2)
    return near - exp(epsilon) * far


def _onto(degrees: Number, shift: Number, epsilon: Number) -> Number:
    if shift <= 2 * epsilon:
        return 0 * shift
    if not shift > 2 * epsilon:  # balls: q/p ≤ e^(c/2), hence q − e^ε p ≤ (1 − e^(ε − c/2)) q
        return arb(0).union((1 - exp(ball(epsilon - shift / 2))).upper())
    end = -shift / exp_minus_one(-(shift / 2 - epsilon) / (degrees / 2 - 1))
    near, far = gamma_upper(degrees / 2, (end - shift) / 2), gamma_upper(degrees / 2, end / 2)
    return near - exp(epsilon) * far


def _least_degree_bounds(shift: Matrix, scale: Matrix, k: arb) -> arb:
    roots = [value for value, times in pencil_eigenvalues(shift, scale) for _ in range(times)]
    ratio = (-sum(roots, start=arb(0)) / 2).exp()
    least = (-sum((root.max(arb(0)) for root in roots), start=arb(0)) / 2).exp()
    return _loss(ratio, least, k).union(_loss(ratio, ratio.min(arb(1)), k))


def _loss(ratio: arb, overlap: arb, k: arb) -> arb:
    return ball(constant_ratio_delta(ratio, overlap, k))
