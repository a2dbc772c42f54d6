"""Honest claims: what the engine must accept, with the verdict on record."""

from hypothesis import strategies as st

from provedp.verify.claims.prelude import *


def triangle(m):
    return Q(m * (m + 1), 2)


@ours("honest", formula=triangle)
@certified(m=range(1, 20))
def integers_sum_to_triangles(formula, m):
    """1 + … + m = m(m + 1)/2."""
    return equal(formula(m), sum(range(1, m + 1)))


@ours("honest")
@proved(argued=())
def binomial_square():
    """(x + y)² = x² + 2xy + y²."""
    x, y = sympy.symbols("x y")
    return equal((x + y) ** 2, x**2 + 2 * x * y + y**2)


@ours("honest", rests_on=(binomial_square,))
@proved(argued=("the sum over all n",))
def squares_are_nonnegative():
    """2ab ≤ a² + b²."""
    a, b = sympy.symbols("a b", real=True)
    return entails([], 2 * a * b <= a**2 + b**2)


@ours("honest")
@proved()
def quotient_falls():
    """b/a < b for a > 1, b > 0."""
    a, b = sympy.symbols("a b", real=True)
    return entails([a > 1, b > 0], b / a < b)


@ours("honest")
@proved()
def root_of_a_square_is_the_modulus():
    """√(x²) = |x|."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.sqrt(x**2), sympy.Abs(x))


@ours("honest")
@proved()
def exponential_is_a_homomorphism():
    """e^(x + y) = e^x e^y."""
    x, y = sympy.symbols("x y", real=True)
    return equal(sympy.exp(x + y), sympy.exp(x) * sympy.exp(y))


@ours("honest")
@proved()
def positive_polynomial():
    """0 < x² + x for x > 0."""
    x = sympy.Symbol("x", positive=True)
    return less(0, x**2 + x)


@ours("honest")
@proved()
def induction_over_the_odd_numbers():
    """1 + 3 + … + (2n − 1) = n²: true for n = 1, and n² + 2n + 1 = (n + 1)²."""
    n = sympy.Symbol("n", integer=True, positive=True)
    return all_of(base_case(equal(1, 1**2)), equal(n**2 + (2 * n + 1), (n + 1) ** 2))


@ours("honest")
@proved()
def integers_jump():
    """2i ≥ 1 entails i ≥ 1 for integers."""
    i = sympy.Symbol("i", integer=True)
    return entails([2 * i >= 1], i >= 1)


@ours("honest")
@certified()
def square_roots_multiply():
    """√2 √3 = √6."""
    return equal(sympy.sqrt(2) * sympy.sqrt(3), sympy.sqrt(6))


@ours("honest")
@certified(bits=128, x=(Q(1, 3), Q(2), Q(5)))
def logarithm_is_below_the_tangent(x):
    """ln(1 + x) < x."""
    return less((1 + ball(x)).log(), ball(x))


@ours("honest")
@certified(bits=128)
def euler_number_is_close():
    """e is 2.718281828459045 to fifteen digits."""
    return close(arb(1).exp(), Q("2.718281828459045"), tolerance=Q(1, 10**15))


@ours("honest")
@certified(x=(ball(Q(1, 3)), ball(Q(3, 2)), ball(Q(4))))
def hypothesis_on_balls(x):
    """ln x ≥ 0 for x ≥ 1."""
    assume(x >= 1)
    return at_most(0, x.log())


@ours("honest")
@certified(x=(ball(Q(1, 3)), ball(Q(3, 2))))
def hypothesis_as_a_finding(x):
    """x² < x for x < 1."""
    assume(less(x, 1))
    return less(x * x, x)


@ours("honest")
@certified(m=st.integers(2, 10**6))
def product_of_neighbours_is_even(m):
    """m(m + 1) is even."""
    return equal(m * (m + 1) % 2, 0)


@ours("honest")
@certified(rows=([[Q(1), Q(2)], [Q(3), Q(4)]], [[Q(0), Q(1)], [Q(1), Q(0)]]))
def transposing_twice_changes_nothing(rows):
    """(Aᵀ)ᵀ = A."""
    return equal(matrix(rows).T.T, rows)


@ours("honest")
@certified(n=range(1, 6))
def divisors_come_in_pairs(n):
    """The divisors of n are n/d for the divisors d."""
    divisors = {d for d in range(1, n + 1) if n % d == 0}
    return all_of(same_set(divisors, {n // d for d in divisors}), holds(1 in divisors, "1 divides"))


@ours("honest")
@supported()
def floats_add_up():
    """1/10 + 2/10 = 3/10 in floats, within 10⁻¹⁵."""
    return all_of(
        close(0.1 + 0.2, 0.3, tolerance=1e-15), float_at_most(0.1 + 0.2, 0.3, rounding=1e-15)
    )


@ours("honest")
@supported()
def coin_is_not_heavy():
    """A coin with 40 heads in 100 throws shows heads with probability at most 0.6."""
    return frequency_at_most(40, 100, 0.6, confidence=0.99)


@published("honest", defect=Defect.FALSE)
@refuted(n=41)
def euler_polynomial_is_prime(n):
    """n² − n + 41 is prime for every n."""
    assume(n >= 0)
    return holds(sympy.isprime(n**2 - n + 41), "it is prime")


@repairs(euler_polynomial_is_prime)
@certified(n=range(41))
def euler_polynomial_is_prime_up_to_forty(n):
    """n² − n + 41 is prime for every n up to 40."""
    assume(n <= 40)
    return euler_polynomial_is_prime(n)


@ours("honest")
@refuted()
def ball_refutes():
    """e < 27/10."""
    return less(arb(1).exp(), Q(27, 10))


@ours("honest")
@certified()
def float_is_a_dyadic_number():
    """The float 0.1 exceeds 1/10."""
    return less(Q(1, 10), as_dyadic(0.1))


@ours("honest")
@certified(sizes=([1, 2], [3, 4, 5]))
def mapping_is_compared_by_keys(sizes):
    """Counting twice gives the same counts."""
    counts = {str(size): size for size in sizes}
    return equal(counts, dict(reversed(counts.items())))


@ours("honest")
@open_("the sum over all primes is not executable")
def goldbach():
    """Every even number above 2 is the sum of two primes."""
