"""The decorators that put a verdict on record; those that say whose a statement is go above.

A decorator that is put wrongly does not raise: what it decorates becomes a claim at fault, which a
run shows, so that a file with one careless claim still has all its others checked.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from provedp.verify.ledger.claim import Check, Claim, Recorded, Verdict
from provedp.verify.ledger.instances import Instances, instances_of

Argued = tuple[str, ...] | None
Record = Callable[[Check], Recorded]

# Every claim by the module of its check, in the order in which they are made: of two functions of
# one name, the module keeps only the last.
MADE: dict[str, list[Claim]] = {}


def proved(
    *misplaced: Any, bits: int | None = None, argued: Argued = None, **domain: Any
) -> Record:
    """Record a proof: identities and entailments of symbols, for all parameters at once.

    The check makes its symbols itself, so that it has no instances: one with a domain is at most
    certified.

    Parameters
    ----------
    argued
        Steps that the machine does not check, a line each; `()` says that the decided formula is
        the statement, None that nobody has looked yet.
    bits
        Precision of the balls in the check.
    domain
        The parameters of the check and what they run over; see `certified`.

    >>> import sympy
    >>> from provedp.verify.ledger import equal, ours
    >>> @ours("a lecture")
    ... @proved(argued=())
    ... def square_of_a_sum():
    ...     '''(x + y)² = x² + 2xy + y².'''
    ...     x, y = sympy.symbols("x y", real=True)
    ...     return equal((x + y) ** 2, x**2 + 2 * x * y + y**2)
    >>> square_of_a_sum.verdict.name, square_of_a_sum().holds
    ('PROVED', True)
    """
    if misplaced:
        return _without_its_call("proved", Verdict.PROVED, misplaced[0])
    return lambda check: _recorded(check, Verdict.PROVED, domain, bits, argued)


def certified(
    *misplaced: Any, bits: int | None = None, argued: Argued = None, **domain: Any
) -> Record:
    """Record that exact numbers or balls decide the claim on every instance of its domain.

    Parameters
    ----------
    argued, bits
        As for `proved`.
    domain
        For each parameter of the check what it runs over: a list or a range, of which all
        combinations are run; `levels(quick, full)` of two of them; or a strategy of hypothesis,
        which generates `examples=` instances. `cases=` lists instances as a whole instead.

    >>> from fractions import Fraction
    >>> from provedp.verify.ledger import assume, equal, ours
    >>> @ours("a lecture")
    ... @certified(k=[Fraction(2), Fraction(1, 3)], n=range(10))
    ... def powers_sum_to_the_quotient(k, n):
    ...     '''1 + k + … + k^n = (k^(n+1) − 1)/(k − 1) for k ≠ 1.'''
    ...     assume(k != 1)
    ...     return equal(sum(k**i for i in range(n + 1)), (k ** (n + 1) - 1) / (k - 1))
    >>> powers_sum_to_the_quotient(k=Fraction(2), n=3).holds
    True
    """
    if misplaced:
        return _without_its_call("certified", Verdict.CERTIFIED, misplaced[0])
    return lambda check: _recorded(check, Verdict.CERTIFIED, domain, bits, argued)


def supported(
    *misplaced: Any, bits: int | None = None, argued: Argued = None, **domain: Any
) -> Record:
    """Record that floats within a stated tolerance, or statistics, speak for the claim.

    Parameters
    ----------
    argued, bits
        As for `proved`.
    domain
        As for `certified`.

    >>> import math
    >>> from provedp.verify.ledger import close, ours
    >>> @ours("a lecture")
    ... @supported(x=[0.1, 1.0, 3.0])
    ... def squares_of_sine_and_cosine_sum_to_one(x):
    ...     '''sin² x + cos² x = 1.'''
    ...     return close(math.sin(x) ** 2 + math.cos(x) ** 2, 1.0, tolerance=1e-12)
    >>> squares_of_sine_and_cosine_sum_to_one(x=0.1).kind.name
    'FLOAT'
    """
    if misplaced:
        return _without_its_call("supported", Verdict.SUPPORTED, misplaced[0])
    return lambda check: _recorded(check, Verdict.SUPPORTED, domain, bits, argued)


def refuted(*misplaced: Any, bits: int | None = None, **witness: Any) -> Record:
    """Record a refutation: the witness meets every hypothesis and fails the conclusion."""
    if misplaced:
        return _without_its_call("refuted", Verdict.REFUTED, misplaced[0])
    return lambda check: _recorded(check, Verdict.REFUTED, {"cases": [witness]}, bits, None)


def open_(reason: str | Check) -> Record:
    """Record a claim that cannot be executed, and why."""
    if not isinstance(reason, str):
        return _without_its_call("open_", Verdict.OPEN, reason)
    return lambda check: Recorded(check, Verdict.OPEN, Instances({}), reason)


def _recorded(
    check: Any, verdict: Verdict, domain: Mapping[str, Any], bits: int | None, argued: Argued
) -> Recorded:
    if isinstance(check, (Recorded, Claim)):
        kind = "verdict" if isinstance(check, Recorded) else "role"
        unmake(check)
        return Recorded(
            check.check, verdict, check.instances, fault=f"@{verdict} stands on top of its {kind}"
        )
    try:
        instances, fault = instances_of(domain), _fault_in(argued, "argued")
    except (TypeError, ValueError) as error:
        instances, fault = Instances({}), str(error)
    return Recorded(check, verdict, instances, bits=bits, argued=argued, fault=fault)


def _without_its_call(name: str, verdict: Verdict, check: Any) -> Record:
    target = check.check if isinstance(check, (Recorded, Claim)) else check
    unmake(check)
    fault = f"@{name} lacks its call: @{name}(…)"
    return cast(Record, Recorded(target, verdict, Instances({}), fault=fault))


def unmake(inner: Any) -> None:
    """Forget a claim that is decorated once more: what comes out of that is the claim."""
    if isinstance(inner, Claim):
        MADE[inner.check.__module__].remove(inner)


def _fault_in(lines: Any, name: str) -> str:
    if lines is None:
        return ""
    if isinstance(lines, tuple) and all(isinstance(line, str) and line.strip() for line in lines):
        return ""
    return f"{name} is {lines!r}: it must be a tuple of lines of text"
