"""Audits of one run by canaries: whether a claim allows so many right guesses of their coins."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.canaries.bounds import FAIR, Guesses, is_refuted
from provedp.verify.audit.canaries.coins import coins_of, require_coins, warnings_of
from provedp.verify.audit.canaries.guesses import table_of
from provedp.verify.audit.canaries.learning import Counted, counted_of
from provedp.verify.audit.canaries.methods import Method, Separate, bound_by, method_of
from provedp.verify.audit.canaries.request import CanaryRequest
from provedp.verify.audit.canaries.result import CanaryResult
from provedp.verify.audit.canaries.units import Canaries, by_pair, by_row, by_unit
from provedp.verify.audit.events.tallies import Bools
from provedp.verify.notions.notions import PrivacyNotion

MOST_GUESSES = 10**9
ALONE = "scores were computed, and guesses fixed, without looking at the coins"
COUNTED = " that are counted"


def audit_canaries(
    scores: Any,
    included: Any,
    claim: PrivacyNotion | float,
    *,
    guesses: int | Sequence[int] | None = None,
    thresholds: tuple[float, float] | None = None,
    inclusion: float | str = FAIR,
    confidence: float = 0.95,
    units: Any = None,
    control: tuple[Any, ...] | None = None,
    looks: int = 1,
    learn: float | None = None,
) -> CanaryResult:
    """Test a claim on one run of a mechanism, by how well the coins of canaries are guessed.

    Each canary was put into the data, or left out, by an independent coin before the run. The ones
    with the highest scores are guessed to be in, those with the lowest to be out. Several runs with
    coins of their own may be given together, as one: a canary of each run is one canary.

    Parameters
    ----------
    scores
        A number per canary, computed from the output without looking at the coins; high means in.
        Or a row of several per canary, of which weights are learned (`learn`).
    included
        The coins: 0 or 1 per canary.
    claim
        An `ApproximateDP`, `GaussianDP`, `ZeroConcentratedDP` or `RenyiDP`, or a `ProfileDP` of
        several points (ε, δ), which are tested together; a number ε stands for (ε, 0)-DP.
    guesses
        How many guesses are made, or several such numbers, which share the error; fixed without
        looking at the coins. By default nested numbers with their joint law if δ is small, else
        eight shares of the canaries.
    thresholds
        Instead: (high, low), to guess in from `high` on and out up to `low`.
    inclusion
        The probability of the coins; or 'pairs': of the two rows of each unit one was drawn.
    confidence
        Of the bound, over all looks together.
    units
        A name per row: rows of one unit share a coin, and their scores are averaged.
    control
        Scores and coins (and units) of another run, without noise: what canaries could show.
    looks
        How many audits of these coins there are, which share the error.
    learn
        The share of the canaries to learn weights of the scores from; the others are counted.

    Returns
    -------
    A `CanaryResult`.

    Raises
    ------
    ValueError
        If the coins cannot have been independent coins of that probability, a unit has two coins,
        or the request is wrong otherwise.

    >>> coins = np.random.default_rng(1).random(1000) < 0.5
    >>> audit_canaries(coins + 0.0, coins, 1.0).verdict
    'REFUTED'
    """
    request = CanaryRequest.checked(
        claim,
        guesses=guesses,
        thresholds=thresholds,
        inclusion=inclusion,
        confidence=confidence,
        looks=looks,
        learn=learn,
    )
    asked, alpha = request.claim, request.alpha
    other = _control(control)
    canaries, counted, method = _tested(request, scores, included, units)
    shown = None if other is None else bound_by(_tested(request, *other)[2], asked, alpha)
    bound = bound_by(method, asked, alpha)
    possible = method.all_right()
    return CanaryResult(
        refuted=bound > asked.level,
        epsilon_lower=bound,
        confidence=confidence,
        notion=asked.notion,
        claim=str(asked),
        claimed=asked.level,
        p_value=min(1.0, looks * method.p_value(asked)),
        method=method.name,
        canaries=len(canaries.included),
        guesses=_best(method, asked, request.chance),
        tried=len(method.tries),
        cap=bound_by(possible, asked, alpha),
        needed=needed_for(asked, alpha / _shares(method), request.chance),
        able=possible.refutes(asked, alpha),
        control=shown,
        learning=counted.learning,
        weights=counted.weights,
        taken=_taken(canaries, request),
        warnings=(*warnings_of(canaries.included, request.chance), *_strange(canaries, request)),
    )


def _control(control: Any) -> tuple[Any, Any, Any] | None:
    """Return scores, coins and units of another run, if there is one."""
    if control is None:
        return None
    if not isinstance(control, (tuple, list)) or len(control) not in (2, 3):
        raise ValueError(
            "The 'control' parameter must be (scores, included) or with units a third."
        )
    scores, included, units = control if len(control) == 3 else (*control, None)
    return scores, included, units


def _tested(
    request: CanaryRequest, scores: Any, included: Any, units: Any
) -> tuple[Canaries, Counted, Method]:
    """Return the canaries of a run, those that are counted, and the test of their guesses."""
    canaries = _canaries(scores, included, units, request.pairs)
    require_coins(canaries.included, request.chance)
    counted = counted_of(canaries, request.learn)
    numbers, cuts = request.numbers, request.cuts
    method = method_of(counted, request.claim, request.alpha, numbers, cuts, request.chance)
    return canaries, counted, method


def needed_for(claim: PrivacyNotion, alpha: float, inclusion: float = FAIR) -> int | None:
    """Return the least number of guesses that refute a claim if all are right, of as many canaries.

    >>> from provedp.verify.notions.notions import ApproximateDP
    >>> needed_for(ApproximateDP(7.05), 0.05)
    3456
    """
    high = 1
    while not is_refuted(Guesses(high, high, 0, high), claim, alpha, inclusion):
        high *= 2
        if high > MOST_GUESSES:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        done = is_refuted(Guesses(middle, middle, 0, middle), claim, alpha, inclusion)
        low, high = (low, middle) if done else (middle, high)
    return high


def _canaries(scores: Any, included: Any, units: Any, pairs: bool) -> Canaries:
    coins = coins_of(included)
    values = table_of(scores, len(coins))
    if pairs:
        if units is None:
            raise ValueError("With pairs, name the unit of each row (a column 'unit', units=…).")
        return by_pair(values, coins, units)
    return by_row(values, coins) if units is None else by_unit(values, coins, units)


def _best(method: Method, claim: PrivacyNotion, inclusion: float) -> Guesses:
    """Return the guesses with the least p-value by themselves."""
    alone = (Separate((each,), inclusion, "") for each in method.tries)
    values = [each.p_value(claim) for each in alone]
    return method.tries[values.index(min(values))]


def _shares(method: Method) -> int:
    return len(method.tries) if isinstance(method, Separate) else 1


def _taken(canaries: Canaries, request: CanaryRequest) -> tuple[str, ...]:
    fair = "pair" in canaries.words
    coin = "" if fair else f", which says in with probability {request.chance:g}"
    looks = request.looks
    more = "these coins are audited once" if looks == 1 else f"{looks} looks share the error"
    counted = "" if request.learn is None else COUNTED
    return (canaries.words + coin, f"{ALONE}{counted}; {more}")


def _strange(canaries: Canaries, request: CanaryRequest) -> list[str]:
    """Return what is strange about scores."""
    found = []
    if any(_is_coin(column, canaries.included) for column in canaries.table.T):
        found.append(
            "the scores have two values and tell every coin: is the score the coin itself?"
        )
    if request.cuts is not None and np.isin(request.cuts, canaries.table).any():
        found.append(
            "a threshold is one of the scores that are counted: if it was chosen by looking at the"
            " coins, the bound does not hold"
        )
    return found


def _is_coin(column: Floats, included: Bools) -> bool:
    values = np.unique(column)
    return len(values) == 2 and any(np.array_equal(column == each, included) for each in values)
