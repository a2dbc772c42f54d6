"""The sharp constant of Lemma 1: the largest move of the stabilised score at one point."""

from provedp.theory import modes
from provedp.verify.claims.modes.score import WIDTH, length
from provedp.verify.claims.prelude import *


@ours(Source(MODES, "Lemma 1", "the sharp constant"))
@proved(
    argued=(
        "‖∇K(u) − ∇K(v)‖ ≤ ‖∇K(u)‖ + ‖∇K(v)‖, with equality for antipodal u and v",
        "a function that rises up to a place and falls beyond is largest there",
    )
)
def sharp_constant_is_at_two_distances() -> Finding:
    """For records at distances a and b with K(b) ≥ K(a), α ‖∇K(u) − ∇K(v)‖ + β |K(u) − K(v)| is at
    most F(a, −β) + F(b, β) with F(x, s) = (αx + s) e^(−x²/2), as ‖∇K(u)‖ = ‖u‖ K(u); antipodal ones
    attain it. F(·, s) rises up to x = √(τ² + 1) − τ, τ = s/2α, and falls beyond; the two distances
    have product 1.
    """
    x, tilt, weight = sympy.symbols("x t a", real=True)
    value = weight * (x + 2 * tilt) * sympy.exp(-(x**2) / 2)
    slope = sympy.diff(value, x) / (weight * sympy.exp(-(x**2) / 2))
    root = sympy.sqrt(tilt**2 + 1)
    far = sympy.Symbol("r", positive=True)  # √(τ² + 1)
    place = [sympy.Eq(far**2, tilt**2 + 1), x >= 0]
    product = (far - tilt - x) * (far + tilt + x)
    near, other, norm, peak, a, b, alpha, beta = sympy.symbols("p q n m c d e f", nonnegative=True)
    return all_of(
        # with K(u) = p ≤ q = K(v): α(ap + bq) + β(q − p) = (αa − β)p + (αb + β)q
        entails(
            [norm <= a * near + b * other, sympy.Eq(peak, other - near)],
            alpha * norm + beta * peak <= (alpha * a - beta) * near + (alpha * b + beta) * other,
        ),
        entails([*place, x <= far - tilt], product >= 0),
        entails([*place, x >= far - tilt], product <= 0),
        equal(slope, (root - tilt - x) * (root + tilt + x)),
        equal((root - tilt) * (root + tilt), 1),
    )


@ours(
    Source(MODES, "Lemma 1", "the sharp constant"),
    formula=modes.sharp_score_sensitivity,
    mutants=(modes.score_sensitivity,),
)
@certified(bits=192, n=levels((200,), (200, 1000)), distance=(Q(1, 2), Q(3, 4)))
def sharp_constant_is_nearly_attained(sharp: Formula, n: int, distance: Q) -> Finding:
    """With n − 1 records at one place and the last one moved from the far stationary distance,
    where p_floor and A are the density and its slope, to the near one, n times the move is more
    than (1 − 4/n) S*, which is the value at those two distances.
    """
    here, one = [[ball(Q(0))]], ball(Q(1))
    rest = [[ball(distance)]] * (n - 1)
    tilt = ball(distance) / 2  # β/2α of the others: the ratio of slope and density
    root = (tilt * tilt + 1).sqrt()
    before, after = [*rest, [root + tilt]], [*rest, [tilt - root]]
    floor = modes.density(here, before, one)[0]
    clip = modes.density_gradient(here, before, one)[0][0]
    first, second = (
        modes.stabilised_score(here, data, one, clip, floor)[0][0] for data in (before, after)
    )
    found, top = sharp(one, 1, clip, floor), modes.kernel([ball(Q(0))])
    moved, ratio = n * abs(first - second), clip / floor / 2
    near, far = (ratio * ratio + 1).sqrt() - ratio, (ratio * ratio + 1).sqrt() + ratio
    # F(far, −β) + F(near, β), with β = 2α·ratio and near + 2·ratio = far
    wanted = top / floor * (near * (-far * far / 2).exp() + far * (-near * near / 2).exp())
    return all_of(
        close(found / wanted, 1, tolerance=WIDTH),
        at_most(moved, found),
        less((1 - ball(Q(4, n))) * found, moved),
    )


@ours(
    Source(MODES, "Lemma 1", "the sharp constant"),
    formula=modes.sharp_score_sensitivity,
    rests_on=(sharp_constant_is_at_two_distances,),
)
@certified(bits=192, d=levels((1, 2), (1, 2, 3)), h=(Q(1, 2), Q(1)), tilt=(Q(1, 10), Q(1), Q(5)))
def sharp_constant_bounds_and_is_smaller(sharp: Formula, d: int, h: Q, tilt: Q) -> Finding:
    """S* is the value of α ‖∇K(u) − ∇K(v)‖ + β |K(u) − K(v)| at its stationary point, is at least
    its values on a grid of antipodal u and v, and is less than S_h.
    """
    floor = Q(1, 10)
    clip = 2 * tilt * floor / h  # β/α = 2τ
    found = sharp(h, d, clip, floor)
    slope = 1 / (ball(floor) * ball(h) ** (d + 1))

    def total(a: Any, b: Any) -> Any:
        near, far = [[x] + [0 * x] * (d - 1) for x in (b, -a)]
        rise = length(modes.kernel_gradient(near) - modes.kernel_gradient(far))
        return slope * (rise + 2 * ball(tilt) * (modes.kernel(near) - modes.kernel(far)))

    root = (ball(tilt) ** 2 + 1).sqrt()
    steps = [ball(Q(i, 4)) for i in (1, 4, 7, 12)]
    grid = [(a, b) for a in steps for b in steps]
    return all_of(
        *(at_most(total(a, b), found) for a, b in grid),
        close(total(root + ball(tilt), root - ball(tilt)) / found, 1, tolerance=WIDTH),
        less(found, modes.score_sensitivity(h, d, clip, floor)),
    )
