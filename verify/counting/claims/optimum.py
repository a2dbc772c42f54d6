"""Theorem 1: the least error, the matrix that attains it, and why no other does better."""

from fractions import Fraction as Q

import sympy

from provedp.theory import counting
from provedp.theory.privacy import path_delta
from provedp.verify.ledger import (
    Finding,
    all_of,
    at_most,
    certified,
    close,
    entails,
    equal,
    less,
    proved,
    published,
)


@published("eq. (9)", formula=counting.alpha_closed_form)
@certified(m=range(2, 30), k=[Q(1), Q(11, 10), Q(3)])
def closed_form_equals_sum(alpha, m: int, k: Q) -> Finding:  # type: ignore[no-untyped-def]
    """The closed form (9) equals the sum that defines α_M."""
    return equal(alpha(m, k), counting.alpha(m, k))
