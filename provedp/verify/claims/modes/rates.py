"""Theorem 4.3 and eq. (11), (16), (17): the algebra of the rates."""

from provedp.theory import modes
from provedp.verify.claims.prelude import *

D = sympy.Symbol("d", integer=True, positive=True)
BETA = 2 + sympy.Symbol("b", positive=True)


@published(
    "modes paper, eq. (11) and (16): the bandwidth without privacy",
    formula=modes.bandwidth_exponent,
)
@proved()
def sampling_bandwidth_balances(exponent: Formula) -> Finding:
    """H = (ln n/n)^(1/(d + 2β)) makes h^(2(β − 1)) and (ln n/n) h^(−(d + 2)) equal."""
    power = exponent(D, BETA)
    return equal(2 * (BETA - 1) * power, 1 - (D + 2) * power)


@published(
    "modes paper, eq. (11) and (16): the bandwidth with privacy", formula=modes.bandwidth_exponent
)
@proved()
def privacy_bandwidth_balances(exponent: Formula) -> Finding:
    """H = A_n^(1/(2d + 2β)) makes h^(2(β − 1)) and A_n h^(−2(d + 1)) equal."""
    power = exponent(D, BETA, True)
    return equal(2 * (BETA - 1) * power, 1 - 2 * (D + 1) * power)


@published("modes paper, Theorem 4.3; eq. (17)", formula=modes.error_exponent)
@proved()
def errors_have_the_exponents_of_the_bandwidths(exponent: Formula) -> Finding:
    """At these bandwidths h^(2(β − 1)) is (ln n/n)^(2(β − 1)/(d + 2β)), A_n^((β − 1)/(d + β))."""
    powers = [(private, modes.bandwidth_exponent(D, BETA, private)) for private in (False, True)]
    return all_of(
        *(equal(2 * (BETA - 1) * power, exponent(D, BETA, private)) for private, power in powers)
    )


@published("modes paper, eq. (16)", formula=modes.local_error)
@proved()
def error_is_three_terms(error: Formula) -> Finding:
    """R_n(h) = h^(2(β − 1)) + (ln n/n) h^(−(d + 2)) + A_n h^(−2(d + 1)); each term at the bandwidth
    that balances it with the first is (17)'s.
    """
    h, v, a = sympy.symbols("h v a", positive=True)
    beta = sympy.Integer(3)
    found = error(h, 2, beta, v, a)
    sampling = error(v ** sympy.Rational(1, 8), 2, beta, v, 0)
    privacy = error(a ** sympy.Rational(1, 10), 2, beta, 0, a)
    return all_of(
        equal(found, h**4 + v / h**4 + a / h**6),
        equal(sampling, 2 * v ** modes.error_exponent(2, beta)),
        equal(privacy, 2 * a ** modes.error_exponent(2, beta, True)),
    )


@published("modes paper, eq. (11): the threshold", formula=modes.threshold_exponents)
@proved()
def bandwidths_meet_at_the_threshold(exponents: Formula) -> Finding:
    """ε_thr = (ln n/n)^(−d/(2(d + 2β))) (n ln n)^(−1/2) is n^(−β/(d + 2β)) (ln n)^(−(d + β)/(d +
    2β)), and there A_n = 1/(nε)² makes the two bandwidths equal. With the T ∝ ln n of the theorem
    in A_n the threshold is larger by √(ln n).
    """
    size, logs = exponents(D, BETA)
    part, half = D / (2 * (D + 2 * BETA)), sympy.Rational(1, 2)
    printed = (part - half, -part - half)
    near, far = modes.bandwidth_exponent(D, BETA), modes.bandwidth_exponent(D, BETA, True)
    # (n ε)^(−2 far) against (ln n/n)^near, in powers of n and of ln n
    return all_of(
        equal(size, printed[0]),
        equal(logs, printed[1]),
        equal(-2 * far * (1 + size), -near),
        equal(-2 * far * logs, near),
    )


@published("modes paper, Theorem 4.3, the proof: the growth of minibatches")
@proved()
def minibatches_grow_fast_enough() -> Finding:
    """N h^(d + 2)/(ln n)² → ∞ at both bandwidths: at h_np the power of n is 1 − (d + 2)/(d + 2β) =
    2(β − 1)/(d + 2β) > 0, and h_dp ≥ h_np where the privacy term dominates.
    """
    power = 1 - (D + 2) * modes.bandwidth_exponent(D, BETA)
    return all_of(equal(power, 2 * (BETA - 1) / (D + 2 * BETA)), less(0, power))


@published("modes paper, Section 4.2.1: 'if β → ∞ we recover near-parametric rates'")
@proved()
def rates_tend_to_parametric_ones() -> Finding:
    """As β → ∞ the exponents tend to 1, of ln n/n and of 1/(nε)², and they grow with β and fall
    with d.
    """
    beta, size = sympy.symbols("beta e", positive=True)
    findings = []
    for private in (False, True):
        power = modes.error_exponent(D, 1 + beta, private)
        findings += [
            base_case(equal(sympy.limit(power, beta, sympy.oo), 1)),
            less(0, sympy.diff(power, beta)),
            less(sympy.diff(power.subs(D, size), size), 0),
        ]
    return all_of(*findings)


@published("modes paper, Theorem 4.3: the bound on the conditional mean squared error")
@open_(
    "It holds for n large enough, with constants that are not named and a set of data sets that is "
    "empty as defined; its steps and exponents are claims of their own. The privacy term does not "
    "fall for large ε, and with the Gaussian kernel of the experiments the theorem does not apply."
)
def one_start_converges_at_the_rate() -> Finding:
    """E[‖x_T − μ_j‖² | X] ≤ C (ln n/n)^(2(β − 1)/(d + 2β)) + C′ (T d polylog/(n ε)²)^((β − 1)/(d +
    β)).
    """
    raise NotImplementedError


@ours(
    "modes paper, Theorem 4.3: the exponents of the rate that is public",
    formula=modes.bandwidth_exponent,
)
@proved()
def public_bandwidth_is_the_rate_for_smoothness_three(exponent: Formula) -> Finding:
    """Section 5.1's h = (ln n/n)^(1/(d + 6)) is the best rate without privacy for β = 3; the
    Gaussian kernel has the bias of β = 2, whose rate is 1/(d + 4).
    """
    return all_of(equal(exponent(D, 3), 1 / (D + 6)), equal(exponent(D, 2), 1 / (D + 4)))
