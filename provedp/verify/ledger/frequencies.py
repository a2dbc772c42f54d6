"""Statistical evidence: what a number of hits says of a probability."""

from scipy.special import betaincinv

from provedp.verify.ledger.findings import Finding, Kind, made
from provedp.verify.ledger.journal import refused

LEAST_CONFIDENCE = 0.95


def frequency_at_most(hits: int, trials: int, bound: float, *, confidence: float) -> Finding:
    """Find whether a probability is at most `bound`, by its Clopper–Pearson limits.

    True if the upper limit is at most the bound, False if the lower one exceeds it, else undecided.

    Raises
    ------
    ValueError
        Unless 0 ≤ hits ≤ trials, trials ≥ 1, 0 ≤ bound ≤ 1 and 0.95 ≤ confidence < 1.
    """
    _require_counts(hits, trials)
    if not 0 <= bound <= 1:
        raise refused(ValueError(f"bound is {bound!r}: it must be between 0 and 1."))
    if not LEAST_CONFIDENCE <= confidence < 1:
        allowed = f"at least {LEAST_CONFIDENCE} and below 1"
        raise refused(ValueError(f"confidence is {confidence!r}: it must be {allowed}."))
    upper = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, confidence))
    lower = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, 1 - confidence))
    holds = True if upper <= bound else (False if lower > bound else None)
    return made(
        holds,
        Kind.STATISTICAL,
        margin=float(bound - upper),
        confidence=float(confidence),
        note=f"{hits} of {trials}: limits {lower:.6g} and {upper:.6g}",
    )


def _require_counts(hits: int, trials: int) -> None:
    for name, count in (("hits", hits), ("trials", trials)):
        if type(count) is not int:
            raise refused(ValueError(f"{name} is {count!r}: it must be an int."))
    if trials < 1 or not 0 <= hits <= trials:
        raise refused(
            ValueError(f"{hits} of {trials}: hits must be at least 0 and at most trials, from 1.")
        )
