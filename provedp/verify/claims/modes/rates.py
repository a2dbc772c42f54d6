"""Theorem 4.3 and eq. (11), (16), (17): the algebra of the rates."""

from provedp.theory import modes
from provedp.verify.claims.modes.ascent import stopped_recursion_contracts
from provedp.verify.claims.modes.local import private_bandwidth_meets_the_condition
from provedp.verify.claims.modes.perturbations import noise_is_at_most_the_largest_of_three_terms
from provedp.verify.claims.prelude import *

D = sympy.Symbol("d", integer=True, positive=True)
BETA = 2 + sympy.Symbol("b", positive=True)


@published(
    Source(MODES, "eq. (11)", "the bandwidth without privacy"),
    Source(MODES, "eq. (16)", "the bandwidth without privacy"),
    formula=modes.bandwidth_exponent,
)
@proved(argued=())
def sampling_bandwidth_balances(exponent: Formula) -> Finding:
    """At h = (ln n/n)^(1/(d + 2β)), h^(2(β − 1)) and (ln n/n) h^(−(d + 2)) are equal."""
    power = exponent(D, BETA)
    return equal(2 * (BETA - 1) * power, 1 - (D + 2) * power)


@published(
    Source(MODES, "eq. (11)", "the bandwidth with privacy"),
    Source(MODES, "eq. (16)", "the bandwidth with privacy"),
    formula=modes.bandwidth_exponent,
)
@proved(argued=())
def privacy_bandwidth_balances(exponent: Formula) -> Finding:
    """At h = A_n^(1/(2d + 2β)), h^(2(β − 1)) and A_n h^(−2(d + 1)) are equal."""
    power = exponent(D, BETA, True)
    return equal(2 * (BETA - 1) * power, 1 - 2 * (D + 1) * power)


@published(Source(MODES, "Theorem 4.3"), Source(MODES, "eq. (17)"), formula=modes.error_exponent)
@proved(argued=())
def errors_have_the_exponents_of_the_bandwidths(exponent: Formula) -> Finding:
    """At these bandwidths h^(2(β − 1)) is (ln n/n)^(2(β − 1)/(d + 2β)), A_n^((β − 1)/(d + β))."""
    printed = {False: 2 * (BETA - 1) / (D + 2 * BETA), True: (BETA - 1) / (D + BETA)}
    findings = []
    for private, power in printed.items():
        at_bandwidth = 2 * (BETA - 1) * modes.bandwidth_exponent(D, BETA, private)
        findings.append(equal(exponent(D, BETA, private), power, at_bandwidth))
    return all_of(*findings)


def one_power_less(h: Any, d: Any, beta: Any, sampling: Any, privacy: Any) -> Any:
    """Return h^(2(β − 1)) + (ln n/n) h^(−2d) + A_n h^(−(d + 4)), which is the same at d = 2."""
    return h ** (2 * (beta - 1)) + sampling / h ** (2 * d) + privacy / h ** (d + 4)


@published(Source(MODES, "eq. (16)"), formula=modes.local_error, mutants=(one_power_less,))
@proved(argued=())
def error_is_three_terms(error: Formula) -> Finding:
    """For every d and β, R_n(h) = h^(2(β − 1)) + (ln n/n) h^(−(d + 2)) + A_n h^(−2(d + 1)); each of
    the last two, at the bandwidth that balances it with the first, is (17)'s.
    """
    h, v, a = sympy.symbols("h v a", positive=True)
    near, far = (symbol(modes.bandwidth_exponent(D, BETA, private)) for private in (False, True))
    printed = h ** (2 * (BETA - 1)) + v * h ** (-(D + 2)) + a * h ** (-2 * (D + 1))
    return all_of(
        equal(error(h, D, BETA, v, a), printed),
        equal(error(v**near, D, BETA, v, 0), 2 * v ** (2 * (BETA - 1) / (D + 2 * BETA))),
        equal(error(a**far, D, BETA, 0, a), 2 * a ** ((BETA - 1) / (D + BETA))),
    )


@published(Source(MODES, "eq. (11)", "the threshold"), formula=modes.threshold_exponents)
@proved(argued=())
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
        # A_n = ln n/(n ε)²
        equal(far * (1 - 2 * (logs + half)), near),
    )


@published(
    Source(MODES, "Theorem 4.3", "the proof: the growth of minibatches"),
    formula=modes.bandwidth_exponent,
    rests_on=(private_bandwidth_meets_the_condition,),
)
@proved(argued=("a positive power of n beats all powers of ln n; n h^(d + 2) grows with h",))
def minibatches_grow_fast_enough(exponent: Formula) -> Finding:
    """At both bandwidths n h^(d + 2)/(ln n)² → ∞: at h_np the power of n is 1 − (d + 2)/(d + 2β) =
    2(β − 1)/(d + 2β) > 0, and h_dp ≥ h_np where the privacy term dominates.
    """
    power = 1 - (D + 2) * exponent(D, BETA)
    return all_of(equal(power, 2 * (BETA - 1) / (D + 2 * BETA)), less(0, power))


@published(
    Source(MODES, "Section 4.2.1", "'if β → ∞ we recover near-parametric rates'"),
    formula=modes.error_exponent,
)
@proved(argued=())
def rates_tend_to_parametric_ones(exponent: Formula) -> Finding:
    """As β → ∞ the exponents tend to 1, of ln n/n and of 1/(nε)², and they grow with β and fall
    with d.
    """
    beta, size = sympy.symbols("beta e", positive=True)
    findings = []
    for private in (False, True):
        power = symbol(exponent(D, 1 + beta, private))
        findings += [
            base_case(equal(sympy.limit(power, beta, sympy.oo), 1)),
            less(0, sympy.diff(power, beta)),
            less(sympy.diff(power.subs(D, size), size), 0),
        ]
    return all_of(*findings)


@published(
    Source(MODES, "Theorem 4.3", "the bound on the conditional mean squared error"),
    rests_on=(
        stopped_recursion_contracts,
        noise_is_at_most_the_largest_of_three_terms,
        error_is_three_terms,
        errors_have_the_exponents_of_the_bandwidths,
    ),
)
@proved(
    argued=(
        "conditioning on an event of probability 1 − q divides a mean of a non-negative by at "
        "least 1 − q",
        "(1 − κη)^T ≤ e^(−κηT), by concavity of the logarithm",
        "the last two terms of R_n fall as h grows, and its first rises",
    )
)
def one_start_converges_at_the_rate() -> Finding:
    """If given the data (in the static event) the path stays in the basin but for a probability of
    q ≤ 1/2, Proposition A.2 bounds E[‖x_T − μ‖² 1_stay] by (1 − κη)^T r² + C(h^(2(β − 1)) + ln n/(n
    h^(d + 2)) + 1/(m h^(d + 2)) + ηdσ²) and dσ² ≤ A_n h^(−2(d + 1)), then with m = n/ln n, T = C_T
    ln n and κηC_T ≥ 2(β − 1)/(d + 2β), E[‖x_T − μ‖² | data, stay] ≤ 2r² n^(−2(β − 1)/(d + 2β)) +
    2C(2 + η) R_n(h), and at the larger bandwidth of (11) R_n(h) is at most three times the larger
    one of the two rates. (As printed it conditions on a set of data that is empty: the event is one
    of data and noise.)
    """
    mean, part, leaves = sympy.symbols("m p q", nonnegative=True)
    n, h, log, decay, times = sympy.symbols("n h L k C", positive=True)
    near, far = (symbol(modes.bandwidth_exponent(D, BETA, private)) for private in (False, True))
    bias, sampling, privacy, step = sympy.symbols("b v a e", nonnegative=True)
    batch = n / log
    v, a, rise, first, second = sympy.symbols("w u x y z", positive=True)
    return all_of(
        entails([leaves <= sympy.Rational(1, 2), mean * (1 - leaves) <= part], mean <= 2 * part),
        equal(1 / (batch * h ** (D + 2)), log / (n * h ** (D + 2))),
        equal(sympy.exp(-decay * times * sympy.log(n)), n ** (-decay * times)),
        entails(
            [],
            bias + sampling + sampling + step * privacy <= (2 + step) * (bias + sampling + privacy),
        ),
        # at h = max{v^near, a^far}, x = h^(2(β − 1)) is the larger of these two, y and z
        equal(v * (v**near) ** (-(D + 2)), v ** (2 * (BETA - 1) / (D + 2 * BETA))),
        equal(a * (a**far) ** (-2 * (D + 1)), a ** ((BETA - 1) / (D + BETA))),
        entails(
            [sympy.Eq(rise, sympy.Max(first, second)), sampling <= first, privacy <= second],
            rise + sampling + privacy <= 3 * sympy.Max(first, second),
        ),
    )


@ours(
    Source(MODES, "Theorem 4.3", "the exponents of the rate that is public"),
    formula=modes.bandwidth_exponent,
)
@proved(argued=())
def public_bandwidth_is_the_rate_for_smoothness_three(exponent: Formula) -> Finding:
    """Section 5.1's h = (ln n/n)^(1/(d + 6)) is the best rate without privacy for β = 3; the
    Gaussian kernel has the bias of β = 2, whose rate is 1/(d + 4).
    """
    return all_of(equal(exponent(D, 3), 1 / (D + 6)), equal(exponent(D, 2), 1 / (D + 4)))
