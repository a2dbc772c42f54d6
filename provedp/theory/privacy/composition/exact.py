"""The divergence of a product of finite laws, exactly, by classes of equal likelihood ratio."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from provedp.theory.domain import Distribution, argument_error, check_argument, reals
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Field, Number, field_of, rational
from provedp.theory.privacy.finite import require_equal_supports

__all__ = ["exact_composition_delta"]

WHERE = "privacy.exact_composition_delta"
MOST_CLASSES = 200_000

Classes = dict[Fraction, Fraction]


def exact_composition_delta(pairs: Sequence[tuple[Matrix, Matrix]], k: Number) -> Fraction:
    """Hockey-stick divergence of several independent releases together, as a rational.

    E_k(p_1 × ⋯ × p_T ‖ q_1 × ⋯ × q_T)

    Outcomes with one ratio q/p count as one, also between releases: T equal releases with n ratios
    have at most C(T + n − 1, n − 1) classes.

    Parameters
    ----------
    pairs
        The pairs (p, q) of exact distributions, one for each release, at least one.
    k
        e^ε, exact, at least 0.

    Returns
    -------
    The divergence in this order.

    Raises
    ------
    ValueError
        If there is no pair, a pair is not of distributions over equally many outcomes, a number is
        not exact, or there are more than 200000 classes.

    Source: the definition; the ratio of a product is the product of the ratios.

    >>> from fractions import Fraction as F
    >>> response = [F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]
    >>> exact_composition_delta([response] * 2, F(2))
    Fraction(2, 9)
    """
    ratio = _exact("k", check_argument(WHERE, "k", reals(0), k))
    return divergence_of_classes(classes_of_product(pairs), ratio)


def classes_of_product(pairs: Sequence[tuple[Matrix, Matrix]]) -> Classes:
    """Return the mass of P for each ratio q/p of several independent releases together.

    Arguments and what is raised are those of `exact_composition_delta`.
    """
    if not pairs:
        raise ValueError("There are no releases to compose.")
    composed: Classes = {Fraction(1): Fraction(1)}
    for p, q in pairs:
        composed = _product(composed, _classes(p, q))
    return composed


def divergence_of_classes(classes: Classes, k: Fraction) -> Fraction:
    """Return E_k(P ‖ Q) from the mass of P for each ratio q/p."""
    return sum(
        (mass * (1 - k * other) for other, mass in classes.items() if k * other < 1),
        start=Fraction(0),
    )


def _classes(p: Matrix, q: Matrix) -> Classes:
    """Return the mass of P for each ratio q/p; what P never gives does not count."""
    laws = (check_argument(WHERE, name, Distribution(), law) for name, law in (("p", p), ("q", q)))
    left, right = laws
    require_equal_supports(left, right)
    found: Classes = defaultdict(Fraction)
    for a, b in zip(left, right, strict=True):
        first, second = _exact("p", a), _exact("q", b)
        if first > 0:
            found[second / first] += first
    return found


def _product(left: Classes, right: Classes) -> Classes:
    found: Classes = defaultdict(Fraction)
    for ratio, mass in left.items():
        for other, weight in right.items():
            found[ratio * other] += mass * weight
        if len(found) > MOST_CLASSES:
            raise ValueError(f"The releases have more than {MOST_CLASSES} likelihood ratios.")
    return found


def _exact(name: str, value: Number) -> Fraction:
    if field_of(value) > Field.FLINT:
        raise argument_error(WHERE, name, "of exact numbers", value)
    return rational(value)
