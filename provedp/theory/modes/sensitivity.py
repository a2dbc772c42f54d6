"""How far one replaced record moves the stabilised score: at one point, and as the paper has it."""

from flint import arb

from provedp.theory.domain import Range, domain, integers, reals
from provedp.theory.modes.kernel_norms import density_norm_squared, gradient_norm_squared
from provedp.theory.modes.kernels import kernel_bound, kernel_gradient_bound
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import exp, numeric, sqrt

__all__ = ["joint_sensitivity", "score_sensitivity", "sharp_score_sensitivity"]

POSITIVE = reals(0, open_low=True)
DIMENSION = integers(1)
RANGES: dict[str, Range] = dict(h=POSITIVE, d=DIMENSION, clip=POSITIVE, floor=POSITIVE)


@domain(**RANGES)
def score_sensitivity(h: Number, d: int, clip: Number, floor: Number) -> Number:
    """Bound on n times the move of the stabilised score at one point, for the Gaussian kernel.

    S_h(A, p_floor) = 2 G_K/(p_floor h^(d+1)) + 2 A K_∞/(p_floor² h^d)

    Parameters
    ----------
    clip
        A, the largest norm of the gradient.
    floor
        p_floor.

    Returns
    -------
    S_h: a float for floats, a ball for balls and exact numbers. One replaced record of n moves the
    score by at most S_h/n.

    Source: modes paper, Lemma 1 and eq. (5).

    >>> round(score_sensitivity(0.5, 2, 0.3, 0.05), 6)
    183.679098
    """
    slope, value = _weights(h, d, clip, floor)
    return 2 * (slope * like(h, kernel_gradient_bound(d)) + value * like(h, kernel_bound(d)))


@domain(**RANGES)
def sharp_score_sensitivity(h: Number, d: int, clip: Number, floor: Number) -> Number:
    """Largest move of the stabilised score at one point times n, to first order in 1/n.

    S* = sup_{u,v} α ‖∇K(u) − ∇K(v)‖ + β |K(u) − K(v)| = K_∞ α (b e^(−a²/2) + a e^(−b²/2)),
    α = 1/(p_floor h^(d+1)), β = A/(p_floor² h^d), a = √(τ² + 1) + τ, b = √(τ² + 1) − τ, τ = β/2α

    The supremum is at antipodal u and v at the distances a and b = 1/a, where the two derivatives
    vanish. It bounds the move for every n, and is attained in the limit where the other records
    give a density p_floor with a gradient of norm A.

    Parameters
    ----------
    h, d, clip, floor
        As for `score_sensitivity`.

    Returns
    -------
    S* < S_h, fields as for `score_sensitivity`.

    Source: ours, from the proof of the modes paper's Lemma 1.

    >>> round(sharp_score_sensitivity(0.5, 2, 0.3, 0.05), 6)
    80.369436
    """
    slope, value = _weights(h, d, clip, floor)
    tilt = value / slope / 2
    root = sqrt(tilt * tilt + 1)
    far, near = root + tilt, 1 / (root + tilt)
    shape = near * exp(-far * far / 2) + far * exp(-near * near / 2)
    return like(h, kernel_bound(d)) * slope * shape


@domain(**RANGES)
def joint_sensitivity(h: Number, d: int, clip: Number, floor: Number) -> Number:
    """The paper's bound on m times the move of the scores at all starts, in units of their noise.

    Δ_(h,corr) = 2√2 (√I₁/(p_floor h^(d+1)) + A √I₀/(p_floor² h^d)), for the Gaussian kernel

    Some data and starts exceed it: Lemma 3 is refuted.

    Parameters
    ----------
    h, d, clip, floor
        As for `score_sensitivity`.

    Returns
    -------
    Δ_(h,corr), fields as for `score_sensitivity`.

    Source: modes paper, eq. (8) and Lemma 3.

    >>> round(joint_sensitivity(0.3, 1, 1.0, 0.02), 4)
    11501.3599
    """
    slope, value = _weights(h, d, clip, floor)
    gradients, densities = sqrt(gradient_norm_squared(d)), sqrt(density_norm_squared(d))
    parts = slope * like(h, gradients) + value * like(h, densities)
    return 2 * like(h, arb(2).sqrt()) * parts


def like(h: Number, constant: Number) -> Number:
    """Return a constant as a float beside floats, and as a ball beside balls and exact numbers."""
    return float(ball(constant).mid()) if isinstance(h, float) else ball(constant)


def _weights(h: Number, d: int, clip: Number, floor: Number) -> tuple[Number, Number]:
    """Return α = 1/(p_floor h^(d+1)) and β = A/(p_floor² h^d)."""
    width, level = numeric(h), numeric(floor)
    return 1 / (level * width ** (d + 1)), numeric(clip) / (level * level * width**d)
