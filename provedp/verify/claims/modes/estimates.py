"""Lemmas 6 to 9 and Definition 5: how near the estimate and its derivatives are to the density."""

from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.modes.local import bandwidths_of_the_theory_meet_the_condition
from provedp.verify.claims.prelude import *


@published(Source(MODES, "Lemma 6", "the rate of the supremum"), defect=Defect.MISPRINT)
@refuted(bits=128, n=2, h=Q(1, 10**8), radius=Q(1), constant=1000)
def density_derivatives_converge_uniformly(n: int, h: Q, radius: Q, constant: int) -> Finding:
    """On the basins p̂ and its first two derivatives are within C(h^(β − s) + √(ln n/(n h^(d +
    2s)))) of those of p with probability at least 1 − n^(−4), for every n and h. (For N(0, 1), β =
    3, the kernel (3 − u²)/2 φ(u), n = 2 and h = 10⁻⁸, a record within 1 of the mode makes p̂ − p
    larger than 1000 times that for s = 0, and one is there with probability 0.89. Any C fails for
    smaller h. The proof says 'for all sufficiently large n', which the lemma leaves out.)
    """
    top, width = 1 / (2 * arb.pi()).sqrt(), ball(h)
    lowest = -(ball(Q(-5, 2))).exp() * top  # of the kernel, at u² = 5
    error = (ball(Q(3, 2)) * top + (n - 1) * lowest) / (n * width) - top
    size = ball(n)
    assume(less(constant * (width**3 + (size.log() / (size * width)).sqrt()), error))
    missed = (2 * normal_cdf(-ball(radius))) ** n
    return at_most(1 - missed, 1 / size**4)


def _net_and_bernstein() -> Finding:
    """Find that the net and Bernstein's inequality give 2C τ h^(−s), τ² = ln n/(n h)."""
    n, h, log, order = sympy.symbols("n h L s", positive=True)
    c, spread, peak, steep, radius = sympy.symbols("C v k G r", positive=True)
    tau, w, count, root = sympy.symbols("t w q N", positive=True)
    rate = sympy.sqrt(log / (n * h))
    aim = c * rate * h ** (-order)
    variance, reach = spread * h ** (-(1 + 2 * order)), 2 * peak * h ** (-(1 + order))
    exponent = n * aim**2 / (2 * (variance + reach * aim / 3))
    spacing = c * tau * h**2 / (2 * steep)
    a = 2 * steep * radius / c
    return all_of(
        equal(exponent, c**2 * log / (2 * (spread + 2 * peak * c * rate / 3))),
        entails(
            [tau <= 1, c**2 >= 14 * (spread + 2 * peak * c / 3)],
            c**2 * log >= 7 * log * 2 * (spread + 2 * peak * c * tau / 3),
        ),
        # between points of the net p̂ and its mean together move by at most the aim
        equal(2 * steep * h ** (-(2 + order)) * spacing, c * tau * h ** (-order)),
        # τ ≥ n^(−1/2) and h ≥ 1/n: at most r/ρ + 1 ≤ a n^(5/2) + 1 points; w = √n, q = w⁵
        entails(
            [tau * w >= 1, h * w**2 >= 1, count <= radius / spacing + 1],
            count <= a * w**5 + 1,
        ),
        entails([root >= 1, w >= 6 * (a + 1)], 6 * (a * root + 1) <= w * root),
        equal(w**6 / w**14, 1 / (w**2) ** 4),
    )


@repairs(
    density_derivatives_converge_uniformly, rests_on=(bandwidths_of_the_theory_meet_the_condition,)
)
@proved(
    argued=(
        "Bernstein's inequality at each point of the net: |K^(s)| ≤ k and ∫ (K^(s))² p_max ≤ v "
        "bound reach and variance",
        "the supremum is at most the largest value on the net and the move between its points",
        "the bias is ∫ K(u)(p^(s)(x − hu) − p^(s)(x)) du: Taylor's formula to the order ⌊β⌋ − s",
        "with a bandwidth that meets Assumption 3 the conditions on n and h hold for large n",
    )
)
def density_derivatives_converge_for_many_records() -> Finding:
    """For d = 1, p with ⌊β⌋ derivatives on the line of which the last is Hölder, |K^(s)| ≤ k,
    |K^(s + 1)| ≤ G and p_max ∫ (K^(s))² ≤ v for s ≤ 2: if C² ≥ 14(v + 2kC/3), 1/n ≤ h ≤ 1, n h ≥
    ln n and √n ≥ 6(2Gr/C + 1), then with probability at least 1 − n^(−4), for s = 0, 1 and 2 at
    once, p̂^(s) is on a basin of radius r within 2C √(ln n/(n h^(1 + 2s))) of its mean, and that is
    within L h^(β − s) ∫ |u|^(β − s) |K| of p^(s): with seven in Bernstein's exponent three
    unions over a net of a n^(5/2) + 1 points are at most 6 (a n^(5/2) + 1) n^(−7) ≤ n^(−4).
    """
    h, step, smooth, order, bound = sympy.symbols("h u beta s L", positive=True)
    remainder = bound * (h * step) ** (smooth - order)
    wanted = bound * h ** (smooth - order) * step ** (smooth - order)
    return all_of(
        _net_and_bernstein(), equal(sympy.powsimp(sympy.expand_power_base(remainder)), wanted)
    )


@published(Source(MODES, "Lemma 9", "the third part"), Source(MODES, "Definition 5", "D_j"))
@proved(
    argued=(
        "Bernstein's inequality on a net, as for Lemma 6, with K² ≤ k and p_max ∫ K⁴ ≤ v, and "
        "likewise for (K′)²",
    )
)
def squared_kernel_sums_stay_bounded() -> Finding:
    """For d = 1 and with the constants of the repaired Lemma 6 for K² and (K′)² in the place of K,
    1/(nh) Σ K((x − X_i)/h)² and 1/(nh) Σ K′((x − X_i)/h)² are on the basin at most their means plus
    2Cτ ≤ 2C, but for a probability of at most n^(−4); the means are at most p_max ∫ K² and p_max ∫
    (K′)². So D = max of these + 2C serves, and does not depend on n.
    """
    mean, moved, most, c, tau, least = sympy.symbols("e m v C t D", nonnegative=True)
    return all_of(
        _net_and_bernstein(),
        entails(
            [mean <= most, moved <= mean + 2 * c * tau, tau <= 1, least >= most + 2 * c],
            moved <= least,
        ),
    )


@published(Source(MODES, "Lemma 7"))
@proved(argued=())
def density_stays_above_half() -> Finding:
    """If p ≥ p_min and |p̂ − p| ≤ p_min/2, which Lemma 6 says of a basin for large n but for a
    probability of n^(−4), then p̂ ≥ p_min/2.
    """
    below, truth, least = sympy.symbols("q p l", real=True)
    return entails([truth >= least, 2 * sympy.Abs(below - truth) <= least], 2 * below >= least)


@published(Source(MODES, "Lemma 8"), Source(MODES, "eq. (19)"))
@proved(
    argued=(
        "|ln x − ln y| ≤ |x − y|/c for x, y ≥ c, by the mean value theorem",
        "in d dimensions, norms of sums are at most sums of norms, and ‖abᵀ‖ = ‖a‖ ‖b‖",
        "e₀ ≤ e₁ ≤ e₂ for h ≤ 1 if e_s is of the order of Lemma 6, so that all terms are of it",
    )
)
def log_derivatives_follow_the_derivatives() -> Finding:
    """If p, p̂ ≥ c, ‖∇p‖ ≤ G, ‖∇²p‖ ≤ H and p̂ and its first two derivatives are off by at most e₀,
    e₁ and e₂, then ln p̂, its gradient and its Hessian are off by at most e₀/c, f = e₁/c + G e₀/c²
    and e₂/c + H e₀/c² + f(2G/c + f): ∇p̂/p̂ − ∇p/p = (∇p̂ − ∇p)/p̂ − ∇p (p̂ − p)/(p p̂), likewise for
    ∇², and ∇² ln p = ∇²p/p − s sᵀ for s = ∇ ln p. Two events of probability 1 − n^(−4) hold
    together with 1 − 2n^(−4).
    """
    first, second, both, tail = sympy.symbols("A B C t", real=True)
    union = entails([first <= tail, second <= tail, both <= first + second], both <= 2 * tail)
    slope, other, below, truth = sympy.symbols("g u q p", positive=True)
    split = (other - slope) / below - slope * (below - truth) / (truth * below)
    least, off, most, gap = sympy.symbols("c a S e", positive=True)
    inside = [below >= least, truth >= least]
    score, moved, steep, part = sympy.symbols("s m G f", real=True)
    curve = sympy.Symbol("r", real=True)  # ∇²p
    return all_of(
        union,
        equal(other / below - slope / truth, split),
        entails(inside, off / below <= off / least),
        entails([*inside, slope <= most], slope * gap * least**2 <= most * gap * truth * below),
        # s̃s̃ᵀ − ssᵀ = s(s̃ − s)ᵀ + (s̃ − s)sᵀ + (s̃ − s)(s̃ − s)ᵀ
        equal((score + moved) ** 2 - score**2, 2 * score * moved + moved**2),
        entails(
            [sympy.Abs(score) * least <= steep, sympy.Abs(moved) <= part],
            sympy.Abs(2 * score * moved + moved**2) <= part * (2 * steep / least + part),
        ),
        equal(
            sympy.diff(sympy.log(truth + slope * moved + curve * moved**2 / 2), moved, 2).subs(
                moved, 0
            ),
            curve / truth - (slope / truth) ** 2,
        ),
    )


@published(Source(MODES, "Lemma 9"))
@proved(argued=())
def static_event_has_the_sum_of_the_tails() -> Finding:
    """If the three parts of the local event (Lemmas 8 and 7, and the bound D_j) fail with
    probability at most 2n^(−4), n^(−4) and n^(−4), all hold with at least 1 − 4n^(−4).
    """
    parts = sympy.symbols("a b c", nonnegative=True)
    tail, fails = sympy.symbols("t f", nonnegative=True)
    caps = [parts[0] <= 2 * tail, parts[1] <= tail, parts[2] <= tail, fails <= sum(parts)]
    return entails(caps, fails <= 4 * tail)


@ours(
    Source(MODES, "Definition 5", "'the set of all datasets such that G holds'"),
    Source(MODES, "Theorem 4.3", "'the set of all datasets such that G holds'"),
)
@refuted(bits=128, radius=Q(1), step=Q(1, 2), spread=Q(1), score=Q(1))
def some_data_keep_every_path_in_the_basin(radius: Q, step: Q, spread: Q, score: Q) -> Finding:
    """Read as a set of data, 'the set of all datasets such that G holds' is not empty: for some
    data the path stays in the basin for certain. (A path leaves with a positive probability
    whatever the data are, since the noise is Gaussian: G is an event of data and noise. One step
    leaves with probability at least Φ(−(2r + ηA/p_floor)/(ησ)) > 0, here Φ(−5).)
    """
    reach = (2 * radius + step * score) / (step * spread)  # out, whatever the score was
    return at_most(normal_cdf(-ball(reach)), 0)


@published(Source(MODES, "Definition 5"), Source(MODES, "Theorem 4.3", "Pr(X ∈ 𝒳) ≥ 1 − 5n⁻⁴"))
@proved(argued=())
def data_and_noise_keep_the_path_in_the_basin() -> Finding:
    """If the static event fails with probability at most 4n^(−4) (Lemma 9) and given it the path
    leaves the basin with at most n^(−5) (Proposition A.3 for large n), then the local event, of
    data and noise, fails with at most 5n^(−4).
    """
    n, static, leaves, fails = sympy.symbols("n a l f", positive=True)
    return entails(
        [n >= 1, static * n**4 <= 4, leaves * n**5 <= 1, fails <= static + (1 - static) * leaves],
        fails * n**4 <= 5,
    )
