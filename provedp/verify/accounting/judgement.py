"""What described releases cost together, and whether an accountant's claim about them is true."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from provedp.theory.domain import Integers, check_argument, reals
from provedp.theory.numbers import Number, ball, dyadic
from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.composition import Accounted
from provedp.verify.accounting.exact_composition import float_down
from provedp.verify.accounting.finite_mechanisms import FiniteMechanism, compose_all
from provedp.verify.accounting.releases import Gaussian, Release
from provedp.verify.accounting.renyi_claims import RenyiClaim, claimed_delta, composed_claims
from provedp.verify.accounting.renyi_curves import Total

WHERE = "account"
EPSILON = reals(0)
DELTA = reals(0, 1, open_high=True)
ROUNDS = Integers(1, 10**9)
PROVED, REFUTED, UNDECIDED = "proved", "refuted", "undecided"
OF_THE_SENSITIVITY = "those that the sensitivity is about"
CLOSED = "closed form in ball arithmetic, or sums of fractions"
GRID = "floating point on a grid of the loss; errors bounded, given those of numpy's transforms"
CONVERTED = "closed form in ball arithmetic; from below, what some release with the claim attains"
ADDED = "from above, Rényi divergences added and converted in ball arithmetic; from below, "
ANEW = "the noise of each release is drawn anew, whatever the others showed"
WITH_NOISE = "the other releases with Gaussian noise for the claims of zCDP: "
WITHOUT = "the other releases alone: "


@dataclass(frozen=True)
class Described:
    """One of several releases.

    Parameters
    ----------
    release
        What can be accounted for; None if it publishes the data.
    rounds
        How many of them there are.
    words
        What it is, for a reader.
    """

    release: Release | FiniteMechanism | RenyiClaim | None
    rounds: int
    words: str

    def __post_init__(self) -> None:
        check_argument(WHERE, "times", ROUNDS, self.rounds)


@dataclass(frozen=True)
class Releases:
    """Releases about the same data, and what was assumed when they were read.

    Parameters
    ----------
    parts
        The releases; none if nothing is released.
    assumptions
        Sentences, each a condition under which the answer is about the program that ran.
    adjacency
        The inputs that are compared, as far as they are known.
    """

    parts: Sequence[Described]
    assumptions: Sequence[str] = ()
    adjacency: Adjacency | None = None

    def profile(self) -> Accounted:
        """Return the profile of all releases together.

        Raises
        ------
        ValueError
            If they compare different inputs, or a release beside Rényi claims has no bound on its
            Rényi divergences.
        """
        if any(part.release is None for part in self.parts):
            return Accounted(self.adjacency, None, lambda epsilon: 1.0, lambda epsilon: 1.0)
        if not self.parts:
            return Accounted(self.adjacency, None, lambda epsilon: 0.0, lambda epsilon: 0.0)
        claims = [(each, n) for each, n in self._rounds if isinstance(each, RenyiClaim)]
        if len(claims) == len(self.parts):
            return self._converted(composed_claims(claims))
        if claims:
            named = [(part.release, part.rounds, part.words) for part in self.parts]
            return self._beside(Total(named))  # type: ignore[arg-type]
        return self._of_one_adjacency(self._rounds)

    @property
    def are_several(self) -> bool:
        """Whether there is more than one release."""
        return sum(part.rounds for part in self.parts) > 1

    @property
    def _rounds(self) -> list[tuple[Any, int]]:
        return [(part.release, part.rounds) for part in self.parts]

    def _of_one_adjacency(self, rounds: Sequence[tuple[Any, int]]) -> Accounted:
        found = compose_all(rounds)
        known = {found.adjacency, self.adjacency} - {None}
        if len(known) > 1:
            names = " and ".join(sorted(map(str, known)))
            raise ValueError(f"The releases compare different inputs: {names}.")
        return found

    def _beside(self, total: Total) -> Accounted:
        """Return bounds for claims beside other releases.

        From below, Gaussian noise has the divergences of a claim of zCDP; others may show nothing.
        """
        below = self._of_one_adjacency(self._below)
        return Accounted(
            below.adjacency,
            below.grid,
            lambda epsilon: min(below.lower(epsilon), total.upper(epsilon)),
            total.upper,
        )

    @property
    def _below(self) -> list[tuple[Any, int]]:
        others = [(each, n) for each, n in self._rounds if not isinstance(each, RenyiClaim)]
        return [*others, *self._noise]

    @property
    def _noise(self) -> list[tuple[Any, int]]:
        """Gaussian noise that claims of zCDP allow."""
        return [
            (Gaussian((2 * ball(each.rho)).sqrt(), self.adjacency), n)
            for each, n in self._rounds
            if isinstance(each, RenyiClaim) and each.rho is not None and ball(each.rho) > 0
        ]

    def _converted(self, claim: RenyiClaim) -> Accounted:
        total = Total([(claim, 1, "the claims")])
        return Accounted(
            self.adjacency,
            None,
            lambda epsilon: claimed_delta(claim, epsilon)[0],
            lambda epsilon: min(claimed_delta(claim, epsilon)[1], total.upper(epsilon)),
        )

    @property
    def arithmetic(self) -> str:
        """What the ends of the brackets are computed with."""
        claims = sum(isinstance(part.release, RenyiClaim) for part in self.parts)
        if claims == len(self.parts) > 0:
            return CONVERTED
        if claims:
            below = CLOSED if self.profile().grid is None else GRID
            return ADDED + (WITH_NOISE if self._noise else WITHOUT) + below
        return CLOSED if self.profile().grid is None else GRID


@dataclass(frozen=True)
class Judgement:
    """What releases cost together, and what that says of a claim.

    Attributes
    ----------
    verdict
        'proved' if δ at the claimed ε is at most the claimed one, whatever adjacent inputs are
        chosen; 'refuted' if it is more for some; 'undecided'; or None if nothing is claimed. It is
        about the releases as they are described, not about the program that made them.
    delta
        Lower and upper bound on the least δ at ε; None if no ε was given.
    epsilon
        Lower and upper bound on the least ε at δ, in nats, perhaps infinite; None if no δ is given.
    adjacency
        The inputs that are compared.
    releases
        What was accounted for, in words.
    assumptions
        What was assumed, in words.
    arithmetic
        What the ends are computed with.
    """

    verdict: str | None
    delta: tuple[float, float] | None
    epsilon: tuple[float, float] | None
    adjacency: str
    releases: tuple[str, ...]
    assumptions: tuple[str, ...]
    arithmetic: str


def judge(
    releases: Releases,
    epsilon: Number | None,
    delta: Number | None,
    claim: bool,
    ratio: Number | None = None,
) -> Judgement:
    """Return δ at ε, ε at δ, as far as they are given, and the verdict on (ε, δ) if it is a claim.

    Where e^ε is rational, it may be given as well: sums of fractions are exact there.

    Raises
    ------
    ValueError
        If ε is negative, δ is outside [0, 1), one of them is missing in a claim, or the releases
        cannot be composed.
    """
    if claim and (epsilon is None or delta is None):
        raise ValueError("A claim needs both ε and δ.")
    if epsilon is not None:
        check_argument(WHERE, "epsilon", EPSILON, epsilon)
    if delta is not None:
        check_argument(WHERE, "delta", DELTA, delta)
    found = releases.profile()
    bracket = None if epsilon is None else _delta(found, epsilon, ratio)
    return Judgement(
        verdict_of(bracket, delta) if claim and bracket and delta is not None else None,
        None if bracket is None else (float_down(bracket[0]), 0.0 - float_down(-bracket[1])),
        None if delta is None else _epsilon(releases, found, delta),
        str(found.adjacency or releases.adjacency or OF_THE_SENSITIVITY),
        tuple(part.words for part in releases.parts),
        (*releases.assumptions, *((ANEW,) if releases.are_several else ())),
        releases.arithmetic,
    )


def verdict_of(bracket: tuple[Fraction, Fraction], delta: Number) -> str:
    """Return what a bracket for δ says of a claimed one."""
    lower, upper = bracket
    low, high = (delta, delta) if not isinstance(delta, arb) else map(dyadic, _ends(delta))
    if lower > high:
        return REFUTED
    return PROVED if upper <= low else UNDECIDED


def _ends(value: arb) -> tuple[arb, arb]:
    return value.lower(), value.upper()


def _delta(found: Accounted, epsilon: Number, ratio: Number | None) -> tuple[Fraction, Fraction]:
    if found.at_ratio is not None and isinstance(ratio, Fraction):
        return found.at_ratio(ratio)
    lower, upper = found.delta(epsilon)
    return Fraction(lower), Fraction(upper)


def _epsilon(releases: Releases, found: Accounted, delta: Number) -> tuple[float, float]:
    if any(part.release is None for part in releases.parts):
        return float("inf"), float("inf")
    return found.epsilon(delta)
