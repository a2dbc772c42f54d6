"""Releases that can be accounted for, and the pairs of laws that bound each from both sides."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from provedp.theory.domain import Distribution, Integers, Reals, check_argument
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball, maximum
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.finite import hockey_stick, require_equal_supports
from provedp.theory.privacy.functions import exp
from provedp.theory.privacy.noise.gaussian import SHIFT, gaussian_delta
from provedp.theory.privacy.sampling.gaussian_mixtures import (
    gaussian_mixture_delta,
    subsampled_gaussian_delta,
)
from provedp.theory.privacy.sampling.mixtures import RATE
from provedp.theory.privacy.sampling.replacement import replacement_gaussian_attained
from provedp.theory.privacy.sampling.replacement_bound import replacement_gaussian_bound
from provedp.verify.accounting.dominating_pairs import (
    Attained,
    AttainedPair,
    DominatingPair,
    FinitePair,
    GaussianPair,
    ReplacedPair,
)
from provedp.verify.accounting.record_copies import DisclosedCopies, MixedCopies
from provedp.verify.accounting.replaced_records import ReplacedRecord, drawn_record
from provedp.verify.accounting.replaced_rounds import blocks

WHERE = "privacy"
LARGEST_MU = 8.0  # of rounds that are bounded at once; beyond, exponentials are no floats
MOST_SHARE = 0.25  # draws a record, of rounds that are bounded at once
MOST_COPIES = 16  # draws a record: beyond, nearly every record is in every sample


class Release(Protocol):
    """A release about data of which one record (or whatever the adjacency says) may change."""

    @property
    def adjacency(self) -> Adjacency | None:
        """The inputs that are compared; None if the two laws themselves are."""
        ...

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """Pairs of which one dominates whatever adjacent inputs are chosen, round after round."""
        ...

    @property
    def lowers(self) -> Sequence[Attained]:
        """Pairs that some adjacent inputs attain in every round."""
        ...

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        ...


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise on all records, for the adjacency that its sensitivity is about.

    Parameters
    ----------
    mu
        Sensitivity over standard deviation, positive.
    """

    mu: Number
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        _checked(self, "mu", SHIFT)

    @property
    def uppers(self) -> Sequence[AttainedPair]:
        """N(μ, 1) against N(0, 1), which is the same in both directions."""
        return (GaussianPair(float(self.mu), 0.0, 1.0),)

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """The same pair."""
        return self.uppers

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return gaussian_delta(self.mu, ball(epsilon))


@dataclass(frozen=True)
class PoissonSampledGaussian:
    """Gaussian noise on a sample that has each record with one probability; add or remove one.

    Parameters
    ----------
    mu
        Length that one record may add to the sum, over the standard deviation; positive.
    rate
        q in (0, 1], the probability of each record.
    """

    mu: Number
    rate: Number

    adjacency = Adjacency.ADD_OR_REMOVE_ONE

    def __post_init__(self) -> None:
        _checked(self, "mu", SHIFT)
        _checked(self, "rate", RATE)

    @property
    def uppers(self) -> Sequence[AttainedPair]:
        """The record is removed, or it is added: the same in every round."""
        return _one_sided(float(self.mu), float(self.rate))

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """The same pairs."""
        return self.uppers

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return _sampled_delta(self.mu, self.rate, epsilon)


@dataclass(frozen=True)
class PoissonReplacedGaussian:
    """Gaussian noise on a sample that has each record with one probability; replace one.

    Let an event have probability Φ(z) without the record. With it, it has at most Φ(z + μ), and
    with its replacement at least Φ(z − μ) (Neyman and Pearson), which the half-lines attain for
    records at μ and −μ: their mixtures have the largest profile, at every k.

    Parameters
    ----------
    mu
        Length that one record may add to the sum, over the standard deviation; positive. The
        record and its replacement are up to 2μ apart.
    rate
        q in (0, 1], the probability of each record.
    """

    mu: Number
    rate: Number

    adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        _checked(self, "mu", SHIFT)
        _checked(self, "rate", RATE)

    @property
    def uppers(self) -> Sequence[AttainedPair]:
        """The record at μ against its replacement at −μ, the same in both directions."""
        mu, rate = float(self.mu), float(self.rate)
        return (GaussianPair(mu, -mu, rate),)

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """The same pair."""
        return self.uppers

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        mu = ball(self.mu)
        return gaussian_mixture_delta(mu, -mu, ball(self.rate), exp(ball(epsilon)))


@dataclass(frozen=True)
class FixedSizeSampledGaussian:
    """Gaussian noise on m of n records drawn without replacement; replace one.

    The pair that dominates every round has the profile max(removed, added) of Poisson sampling, for
    k above and below 1 (Balle, Barthe and Gaboardi, Theorem 9; Zhu, Dong and Wang, Optimal
    Accounting of Differential Privacy via Characteristic Function). One data set cannot always
    attain both, so that for many rounds the bracket stays wide.

    Parameters
    ----------
    mu
        Largest distance of the sums of samples that differ in one record, over the standard
        deviation; positive.
    rate
        q = m/n in (0, 1].
    """

    mu: Number
    rate: Number

    adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        _checked(self, "mu", SHIFT)
        _checked(self, "rate", RATE)

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """The pair with the largest profile, which is its own mirror image."""
        return (ReplacedPair(float(self.mu), float(self.rate)),)

    def blocks(self, rounds: int) -> list[tuple[DominatingPair, int]]:
        """Return pairs that dominate several rounds at once, if there are such."""
        mu, rate = float(self.mu), float(self.rate)
        if rounds == 1 or rate == 1 or mu > LARGEST_MU:
            return []
        return blocks(ReplacedRecord(mu, rate), rounds)

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """Records at 0, of which one moves to or from μ, or from one side to the other."""
        mu, rate = float(self.mu), float(self.rate)
        return *_one_sided(mu, rate), GaussianPair(mu / 2, -mu / 2, rate)

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        return _sampled_delta(self.mu, self.rate, epsilon)


@dataclass(frozen=True)
class SampledWithReplacementGaussian:
    """Gaussian noise on m draws with replacement out of n records; replace one.

    A record is in the sample j times, j binomial. From below, the query is a sum and all other
    records are at 0, so that large j hide behind smaller ones. From above, one round has the bound
    of `replacement_gaussian_bound`, which often meets that; several have the pair that discloses j
    unless it is 0 (Balle, Barthe and Gaboardi, Theorem 10), and `blocks` where few records are
    drawn.

    Parameters
    ----------
    mu
        Largest distance of the answers for samples that differ in one record, over the standard
        deviation; positive.
    draws
        m, at least 1 and at most 16 n.
    size
        n, at least 1.
    """

    mu: Number
    draws: int
    size: int

    adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        _checked(self, "mu", SHIFT)
        _checked(self, "size", Integers(1))
        _checked(self, "draws", Integers(1, MOST_COPIES * self.size))

    @property
    def uppers(self) -> Sequence[DominatingPair]:
        """The pair with the profile of the theorem, which is its own mirror image."""
        return (DisclosedCopies(float(self.mu), self.draws, self._share),)

    def blocks(self, rounds: int) -> list[tuple[DominatingPair, int]]:
        """Return pairs that dominate several rounds at once, if there are such."""
        mu = float(self.mu)
        if self.draws == 1 < self.size:
            return FixedSizeSampledGaussian(self.mu, self._share).blocks(rounds)
        if rounds == 1 or mu > LARGEST_MU or self.draws > MOST_SHARE * self.size:
            return []
        record = drawn_record(mu, self.draws, self._share, rounds)
        return blocks(record, rounds) if record else []

    @property
    def lowers(self) -> Sequence[Attained]:
        """Records at 0, of which one moves to or from μ, or from one side to the other."""
        mu = float(self.mu)
        means = (mu, 0.0), (0.0, -mu), (mu / 2, -mu / 2)
        return tuple(MixedCopies(a, b, self.draws, self._share) for a, b in means)

    @property
    def _share(self) -> Fraction:
        return Fraction(1, self.size)

    def delta(self, epsilon: Number) -> Number:
        """Return a ball from what one round attains to what it is bounded by."""
        ratio = exp(ball(epsilon))
        arguments = (self.mu, self.draws, ball(self._share), ratio)
        return ball(replacement_gaussian_attained(*arguments)).union(
            ball(replacement_gaussian_bound(*arguments))
        )


@dataclass(frozen=True, eq=False)
class Finite:
    """A release with one of two laws over finitely many outcomes, compared in both directions.

    Parameters
    ----------
    p, q
        The laws, of exact numbers or floats, over the same outcomes; not disjoint. Beside releases
        for adding or removing a record, p is the law with the record.
    adjacency
        The inputs that are compared; None if it is those of the releases beside it.
    """

    p: Matrix
    q: Matrix
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        _checked(self, "p", Distribution())
        _checked(self, "q", Distribution())
        require_equal_supports(self.p, self.q)
        if not any(a > 0 and b > 0 for a, b in zip(self.p, self.q, strict=True)):
            raise ValueError("The laws p and q have no outcome in common: δ = 1 for every ε.")

    @property
    def uppers(self) -> Sequence[AttainedPair]:
        """The pair in both directions."""
        return FinitePair(self.p, self.q), FinitePair(self.q, self.p)

    @property
    def lowers(self) -> Sequence[AttainedPair]:
        """The same pairs."""
        return self.uppers

    def delta(self, epsilon: Number) -> Number:
        """Return δ(ε) of one round as a ball."""
        ratio = exp(ball(epsilon))
        return maximum(hockey_stick(self.p, self.q, ratio), hockey_stick(self.q, self.p, ratio))


def _one_sided(mu: float, rate: float) -> tuple[AttainedPair, ...]:
    """Return the mixture against its main part and the reverse, which are alike at rate 1."""
    removed, added = GaussianPair(mu, 0.0, rate), GaussianPair(0.0, -mu, rate)
    return (removed,) if rate == 1 else (removed, added)


def _sampled_delta(mu: Number, rate: Number, epsilon: Number) -> Number:
    return subsampled_gaussian_delta(mu, rate, exp(ball(epsilon)))


def _checked(release: Any, name: str, allowed: Integers | Reals | Distribution) -> None:
    where = f"{WHERE}.{type(release).__name__}"
    read = check_argument(where, name, allowed, getattr(release, name))
    object.__setattr__(release, name, read)
