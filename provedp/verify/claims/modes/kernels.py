"""Definitions 2 and 3, Assumption 1 and Section 5.2: which kernels the theory is about."""

import math

from provedp.theory import modes
from provedp.verify.claims.prelude import *

U = sympy.Symbol("u", real=True)


def line_integral(coefficients: tuple[Q, ...], power: int) -> Q:
    """Return ∫ over [−1, 1] of u^power times a polynomial."""
    even = ((i + power, c) for i, c in enumerate(coefficients) if (i + power) % 2 == 0)
    return sum((2 * c / (degree + 1) for degree, c in even), start=Q(0))


@published(Source(MODES, "Definition 3"), formula=modes.kernel_moment)
@certified(order=range(1, 8))
def polynomial_kernels_have_their_order(moment: Formula, order: int) -> Finding:
    """Σ_{s<r} (−1)^s He_{2s}(u)/(2^s s!) times the Gaussian density is a kernel of order 2r − 1:
    its integral is 1 and its moments of degrees 1 to 2r − 1 vanish, that of degree 2r does not.
    """
    top = 2 * (order // 2 + 1)
    vanish = [equal(moment(power, order), 0) for power in range(1, top)]
    return all_of(equal(moment(0, order), 1), *vanish, negation(equal(moment(top, order), 0)))


@ours(
    Source(MODES, "Assumption 1"),
    Source(MODES, "Section 5.1", "'the experiments use the Gaussian kernel'"),
)
@refuted(order=1)
def kernel_of_the_experiments_meets_the_assumption(order: int) -> Finding:
    """The Gaussian kernel, the default of all experiments, is of the order ⌊β⌋ ≥ 2 that Assumption
    1 asks for: ∫ u² K(u) du = 0. (It is 1. The paper says that the theory allows others, 'but the
    experiments use' this one: the theorems on rates are about another algorithm.)
    """
    return equal(modes.kernel_moment(2, order), 0)


@repairs(kernel_of_the_experiments_meets_the_assumption, formula=modes.kernel_moment)
@certified(order=range(1, 8))
def kernel_of_higher_order_meets_the_assumption(moment: Formula, order: int) -> Finding:
    """With (3 − u²)/2 times the Gaussian density, or more terms, ∫ K = 1 and ∫ u^j K(u) du = 0 for
    j = 1, 2 and 3: the order is 3 or more, as Assumption 1 asks for 2 < β < 4.
    """
    assume(order >= 2)
    return all_of(equal(moment(0, order), 1), *(equal(moment(j, order), 0) for j in (1, 2, 3)))


@published(Source(MODES, "Assumption 1", "(i)–(iv)"))
@proved(
    argued=(
        "induction on the order of the derivative, of which the step is decided, and products over "
        "coordinates",
        "a polynomial times the Gaussian density is bounded, integrable with every power of u, and "
        "vanishes at infinity",
    )
)
def polynomial_kernels_have_light_derivatives() -> Finding:
    """For every j ≥ 0, (u^j φ(u))′ = (j u^(j−1) − u^(j+1)) φ(u): all derivatives of a polynomial
    times the Gaussian density are of that form again, so they are bounded, integrable with every
    power of u, and vanish at infinity, which is (i) to (iv).
    """
    j = sympy.Symbol("j", integer=True, nonnegative=True)
    u = sympy.Symbol("u", positive=True)
    density = sympy.exp(-(u**2) / 2)
    slope = sympy.diff(u**j * density, u)
    return equal(sympy.expand(slope / density), j * u ** (j - 1) - u ** (j + 1))


@ours(Source(MODES, "Assumption 1"), Source(MODES, "Definition 3"))
@proved(argued=("∫ u² K ≥ s² w for K ≥ 0 with mass w beyond s",))
def no_kernel_of_order_two_is_a_density() -> Finding:
    """A kernel K ≥ 0 with mass w > 0 beyond a distance s > 0 has ∫ u² K ≥ s² w > 0. So under
    Assumption 1 the density estimate takes negative values for some data, in one dimension and, by
    integrating the others out, in each coordinate.
    """
    s, w, second = sympy.symbols("s w M", real=True)
    return entails([s > 0, w > 0, second >= s**2 * w], second > 0)


@published(Source(MODES, "Section 5.2"), formula=modes.legendre_kernel_polynomial)
@certified(order=range(1, 8))
def legendre_kernel_has_its_order(polynomial: Formula, order: int) -> Finding:
    """The kernel from the Legendre expansion of degree ℓ on [−1, 1] is of order ℓ: its integral is
    1 and its moments of degrees 1 to ℓ vanish.
    """
    found = polynomial(order)
    vanish = [equal(line_integral(found, power), 0) for power in range(1, order + 1)]
    return all_of(equal(line_integral(found, 0), 1), *vanish)


@published(
    Source(MODES, "Section 5.2", "'a compactly supported order-4 kernel'"),
    Source(MODES, "Section 5.1", "'general differentiable kernels'"),
    defect=Defect.DEGENERATE,
)
@refuted(order=4)
def kernel_of_the_comparison_meets_the_assumption(order: int) -> Finding:
    """The order-4 kernel of Section 5.2 is one of the 'differentiable kernels' that the theory
    allows: it is continuous at 1. (At ±1 it jumps by 15/16, so that it has no G_K, and the bound
    (5), from which the noise would follow, is infinite.)
    """
    return equal(sum(modes.legendre_kernel_polynomial(order)), 0)


@repairs(
    kernel_of_the_comparison_meets_the_assumption,
    formula=modes.kernel_moment,
    rests_on=(polynomial_kernels_have_light_derivatives,),
)
@certified(order=(2, 3, 4, 5, 6))
def smooth_kernel_of_the_same_order_exists(moment: Formula, order: int) -> Finding:
    """The polynomial times the Gaussian density of order 4 has the same vanishing moments and no
    edge: with Assumption 1(i)–(iv) for such kernels, it can take the place of the Legendre kernel.
    """
    vanish = [equal(moment(power, order), 0) for power in range(1, order + 1)]
    return all_of(equal(moment(0, order), 1), *vanish, polynomial_kernels_have_light_derivatives())


@published(Source(MODES, "Figure 2"))
@open_(
    "The figure's numbers are not printed, nor are the clip, the step, the β of its bandwidth and "
    "the seeds; the program that is rebuilt here has no order-4 variant."
)
def kernel_of_higher_order_has_no_advantage() -> Finding:
    """On the four corners the Gaussian implementation is competitive with the order-4 one, which
    has no systematic advantage.
    """
    raise NotImplementedError


@published(
    Source(MODES, "Definition 2"),
    Source(MODES, "Theorem 4.6", "'translations preserve Hölder regularity'"),
)
@proved(argued=("induction on the number of derivatives, of which the step is decided",))
def scaled_bump_keeps_its_seminorm() -> Finding:
    """The ℓ-th derivative of h^β ψ(x/h) is h^(β−ℓ) times that of ψ at x/h: one more takes h^(β−ℓ)
    f(x/h) to h^(β−ℓ−1) f′(x/h). If the latter's increments are at most L |u − u′|^(β−ℓ), those of
    the former are at most L |x − x′|^(β−ℓ).
    """
    h, gap, smooth, steps, bound = sympy.symbols("h g beta l L", positive=True)
    x, u = sympy.symbols("x u", real=True)
    wave = sympy.Function("f")
    slope = sympy.diff(h ** (smooth - steps) * wave(x / h), x).doit()
    next_slope = h ** (smooth - steps - 1) * sympy.diff(wave(u), u).subs(u, x / h).doit()
    increment = h ** (smooth - steps) * bound * (gap / h) ** (smooth - steps)
    return all_of(
        equal(slope, next_slope),
        equal(sympy.powsimp(sympy.expand_power_base(increment)), bound * gap ** (smooth - steps)),
    )


@ours(Source(MODES, "Lemma 6", "the bias h^β"))
@certified(order=(1, 3, 5))
def bias_has_the_order_of_the_kernel(order: int) -> Finding:
    """At the mode of the normal density, E p̂ − p = ∫ K(u) (φ(hu) − φ(0)) du is h^(2r) times a
    constant that is not 0, for the kernel of order 2r − 1: by the expansion of φ and the moments.
    """
    terms = order // 2 + 2
    coefficients = [
        Q((-1) ** j, 2**j) / math.factorial(j) * modes.kernel_moment(2 * j, order)
        for j in range(1, terms)
    ]
    return all_of(
        *(equal(c, 0) for c in coefficients[:-1]),
        negation(equal(coefficients[-1], 0)),
    )
