"""Proofs of p-values from one run, for a checker without floating point."""

from fractions import Fraction
from typing import Any

from flint import arb

from provedp.verify.audit.canaries.bounds import FAIR
from provedp.verify.audit.canaries.result import CanaryResult
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.solvers.one_run import one_run_certificate

DIGITS = 10**9  # k is rounded up to multiples of 1/DIGITS, which can only raise the p-value
MOST_GUESSES = 20_000  # whose multipliers take seconds


def certificate_of(
    result: CanaryResult, claim: PrivacyNotion, inclusion: float | str = FAIR
) -> dict[str, Any]:
    """Return a certificate of the p-value of a claim, of the guesses of a result by themselves.

    Raises
    ------
    ValueError
        If the guesses were counted by anything but the exact bound for fair coins.
    """
    if not isinstance(claim, ApproximateDP) or inclusion not in (FAIR, "pairs"):
        raise ValueError("A certificate is of a claim of epsilon and delta, by fair coins.")
    if result.method != "one run, exact":
        raise ValueError(
            f"A certificate is of the exact bound. Got {result.method!r}: fix the number of guesses"
            " (--guesses)."
        )
    made = result.guesses
    if made.made > MOST_GUESSES:
        raise ValueError(f"A certificate is of at most {MOST_GUESSES} guesses. Got {made.made}.")
    odds = (arb(claim.epsilon).exp() * DIGITS).upper().ceil().unique_fmpz()
    assert odds is not None  # a whole number without a radius
    k = Fraction(int(odds), DIGITS)
    return one_run_certificate(made.canaries, made.made, made.right, k, Fraction(claim.delta))
