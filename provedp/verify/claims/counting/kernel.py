"""The cyclic kernel [q^d(i, j)]: its spectrum and its definiteness (Lemma 1, Appendix A)."""

from provedp.theory import counting
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a ball comparison at that precision, with room for 1/(1 − q)²


def _with_larger_power(formula: Formula) -> Formula:
    def with_twice_the_power(q: Any, power: Any, *cosines: Any) -> Any:
        return formula(q, 2 * power, *cosines)

    return with_twice_the_power


FOURIER = "the eigenvalues of a circulant are the Fourier sums of its first row"


def _power_sums(q: sympy.Expr, z: sympy.Expr, power: sympy.Expr, turn: sympy.Expr) -> sympy.Expr:
    """Return Σ_{r=1}^{h} ((qz)^r + (q/z)^r) for q^h = power and z^h = turn, as geometric sums."""
    forward = q * z * (1 - power * turn) / (1 - q * z)
    backward = q / z * (1 - power / turn) / (1 - q / z)
    return forward + backward


def _sums_grow_by_powers() -> Finding:
    """Find that one term more adds (qz)^(h+1) + (q/z)^(h+1): with no terms both sums are zero."""
    q, z, power, turn = sympy.symbols("q z x w", positive=True)
    longer = _power_sums(q, z, q * power, z * turn)
    return equal(longer - _power_sums(q, z, power, turn), q * power * (z * turn + 1 / (z * turn)))


@published(Source(COUNTING, "Appendix A", "case M = 2m + 1"), formula=counting.odd_eigenvalue)
@proved(argued=(FOURIER, "z = e^(iθ) is any complex number with z^M = 1: rational functions agree"))
def odd_spectrum_is_as_printed(eigenvalue: Formula) -> Finding:
    """For M = 2h + 1 the eigenvalues of [q^d] are (1 − q)(1 + q − 2q^(h+1) cos hθ)/(1 − 2q cos θ +
    q²). With z = e^(iθ) and w = z^h, z^M = 1 says z = w^(−2), and the sum of q^|r| z^r over
    −h ≤ r ≤ h is two geometric sums: an identity of rational functions in q, q^h and w, so it
    holds for every odd M at once.
    """
    q, power, w = sympy.symbols("q x w", positive=True)
    z = w**-2
    total = 1 + _power_sums(q, z, power, w)
    return all_of(
        equal(total, eigenvalue(q, power, (w + 1 / w) / 2, (z + 1 / z) / 2)), _sums_grow_by_powers()
    )


@published(
    Source(COUNTING, "Appendix A", "case M = 2m"),
    formula=counting.even_eigenvalue_as_printed,
    defect=Defect.FALSE,
)
@refuted(bits=200, m=2, q=Q(1, 2), index=0)
def even_spectrum_is_as_printed(eigenvalue: Formula, m: int, q: Q, index: int) -> Finding:
    """For M = 2h the eigenvalues of [q^d] are (1 − q² − (1 − q)² q^h (−1)^j)/(1 − 2q cos θ + q²):
    they equal the Fourier sums Σ_r q^d(1, 1+r) cos(2πjr/M) of the first row.
    """
    assume(m % 2 == 0)
    base = ball(q)
    angle = [ball(Q(2 * index * r, m)).cos_pi() for r in range(m)]
    total = sum((base ** min(r, m - r) * angle[r] for r in range(m)), start=arb(0))
    found = eigenvalue(base, base ** (m // 2), ball((-1) ** index), angle[1])
    return close(found, total, tolerance=WIDTH)


@repairs(even_spectrum_is_as_printed, formula=counting.even_eigenvalue)
@certified(
    cases=[
        dict(m=m, q=q, index=index)
        for m in range(2, 25, 2)
        for q in (Q(1, 10), Q(1, 2), Q(99, 100))
        for index in range(m)
    ]
)
def even_spectrum(eigenvalue: Formula, m: int, q: Q, index: int) -> Finding:
    """For M = 2h the eigenvalues of [q^d] are (1 − q²)(1 − (−1)^j q^h)/(1 − 2q cos θ + q²)."""
    return even_spectrum_is_as_printed(eigenvalue, m, q, index)


@repairs(even_spectrum_is_as_printed, formula=counting.even_eigenvalue)
@proved(argued=(FOURIER, "z = e^(iθ) is any complex number with z^h = s: rational functions agree"))
def even_spectrum_for_every_size(eigenvalue: Formula) -> Finding:
    """For M = 2h, with z = e^(iθ) and z^h = (−1)^j = s, the sum of q^|r| z^r over −h < r < h plus
    q^h s is (1 − q²)(1 − s q^h)/(1 − 2q cos θ + q²): an identity of rational functions in q, q^h
    and z for s = 1 and for s = −1, so it holds for every even M at once.
    """
    q, power, z = sympy.symbols("q x z", positive=True)
    sides = []
    for sign in (1, -1):
        total = 1 + _power_sums(q, z, power, sympy.Integer(sign)) - power * sign
        sides.append(equal(total, eigenvalue(q, power, sign, (z + 1 / z) / 2)))
    return all_of(*sides, _sums_grow_by_powers())


@published(
    Source(COUNTING, "Lemma 1"),
    formula=counting.odd_eigenvalue,
    mutants=(_with_larger_power(counting.odd_eigenvalue),),
    rests_on=(odd_spectrum_is_as_printed,),
)
@proved(argued=("a symmetric matrix with positive eigenvalues is positive definite",))
def odd_kernel_is_positive_definite(eigenvalue: Formula) -> Finding:
    """[q^d] is positive definite for 0 < q < 1 and every odd M ≥ 3: its eigenvalues are positive,
    because 0 < q^h ≤ q. For M = 3 they are those of (1 − q) I + q J, 1 + 2q and 1 − q.
    """
    q, power, c, d = sympy.symbols("q x c d", real=True)
    cosines = [c >= -1, c <= 1, d >= -1, d <= 1]
    inside = [q > 0, q < 1, power > 0, power <= q, *cosines]
    one, turned = sympy.Integer(1), sympy.Rational(-1, 2)
    return all_of(
        entails(inside, eigenvalue(q, power, c, d) > 0),
        equal(eigenvalue(q, q, one, one), 1 + 2 * q),
        equal(eigenvalue(q, q, turned, turned), 1 - q),
    )


@published(
    Source(COUNTING, "Lemma 1"),
    formula=counting.even_eigenvalue,
    mutants=(_with_larger_power(counting.even_eigenvalue),),
    rests_on=(even_spectrum_for_every_size,),
)
@proved(argued=("a symmetric matrix with positive eigenvalues is positive definite",))
def even_kernel_is_positive_definite(eigenvalue: Formula) -> Finding:
    """[q^d] is positive definite for 0 < q < 1 and every even M ≥ 2: its (corrected) eigenvalues
    are positive, because 0 < q^h < 1. For M = 2 they are 1 + q and 1 − q.
    """
    q, power, d, s = sympy.symbols("q x d s", real=True)
    sign = sympy.Or(sympy.Eq(s, 1), sympy.Eq(s, -1))
    bounds = [q > 0, q < 1, power > 0, power <= q, d >= -1, d <= 1, sign]
    one = sympy.Integer(1)
    return all_of(
        entails(bounds, eigenvalue(q, power, s, d) > 0),
        equal(eigenvalue(q, q, one, one), 1 + q),
        equal(eigenvalue(q, q, -one, -one), 1 - q),
    )


@published(Source(COUNTING, "Appendix A", "case M = 2m + 1"), defect=Defect.GAP)
@machine_checked("refutations.odd_numerator_is_not_positive")
@refuted(q=Q(1, 2), power=Q(9, 10), cosine=Q(1))
def odd_numerator_is_positive_if_power_is_below_one(q: Q, power: Q, cosine: Q) -> Finding:
    """'Since |cos(mθ)| ≤ 1 and q^(m+1) < 1, we obtain 1 + q − 2q^(m+1) cos(mθ) > 0': the numerator
    is positive for every value x < 1 in the place of q^(m+1).
    """
    assume(0 < q < 1, 0 < power < 1, abs(cosine) <= 1)
    return less(0, 1 + q - 2 * power * cosine)


@repairs(odd_numerator_is_positive_if_power_is_below_one)
@proved(argued=())
def odd_numerator_is_positive() -> Finding:
    """1 + q − 2x cos(hθ) > 0 for every 0 < x ≤ q < 1; q^(h+1) ≤ q is what the proof needs, and
    what holds.
    """
    q, power, c = sympy.symbols("q x c", real=True)
    bounds = [q > 0, q < 1, power > 0, power <= q, c >= -1, c <= 1]
    return entails(bounds, 1 + q - 2 * power * c > 0)
