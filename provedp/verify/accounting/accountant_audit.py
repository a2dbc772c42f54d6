"""Somebody's accountant over a grid of settings: each value outside the bracket is reported."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from provedp.theory.numbers import Number
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import (
    FixedSizeSampledGaussian,
    Gaussian,
    PoissonReplacedGaussian,
    PoissonSampledGaussian,
    Release,
)

BELOW, ABOVE, INSIDE, FAILED = "too small", "too large", "inside", "failed"


@dataclass(frozen=True)
class Setting:
    """What an accountant is asked.

    Parameters
    ----------
    sigma
        Standard deviation of Gaussian noise over the sensitivity: with Poisson samples, over the
        largest length that one record adds; else over the largest distance of two sums.
    rate
        Share of the records in a sample; 1 for all.
    rounds
        How many such releases there are.
    delta
        δ in (0, 1) at which ε is asked for.
    sampling
        'poisson' (add or remove a record), 'poisson-replace-one' or 'without-replacement' (replace
        one).
    """

    sigma: Number
    rate: Number = 1
    rounds: int = 1
    delta: Number = Fraction(1, 10**5)
    sampling: str = "poisson"

    @property
    def release(self) -> Release:
        """One of the releases."""
        mu = 1 / self.sigma
        if self.sampling not in SAMPLINGS:
            raise ValueError(f"'sampling' must be one of {', '.join(SAMPLINGS)}.")
        if self.rate == 1:
            return Gaussian(2 * mu if self.sampling == "poisson-replace-one" else mu)
        return SAMPLINGS[self.sampling](mu, self.rate)

    def bracket(self) -> tuple[float, float]:
        """Return bounds on the least ε at δ."""
        return compose([(self.release, self.rounds)]).epsilon(self.delta)


SAMPLINGS: dict[str, Callable[[Number, Number], Release]] = {
    "poisson": PoissonSampledGaussian,
    "poisson-replace-one": PoissonReplacedGaussian,
    "without-replacement": FixedSizeSampledGaussian,
}
Accountant = Callable[[Setting], float]


@dataclass(frozen=True)
class Outside:
    """A value of an accountant beside the bracket.

    Attributes
    ----------
    setting
        What was asked.
    value
        The ε that it said; None if it raised an exception.
    bracket
        Lower and upper bound on the least ε.
    finding
        'inside'; 'too small': below what some adjacent inputs attain, so the promise is false;
        'too large': more than is needed, a valid promise; 'failed': no number came back.
    message
        What was raised.
    """

    setting: Setting
    value: float | None
    bracket: tuple[float, float]
    finding: str
    message: str = ""


@dataclass(frozen=True)
class AccountantAudit:
    """What was found of an accountant.

    Attributes
    ----------
    findings
        One for each setting, in order.
    """

    findings: Sequence[Outside] = field(default_factory=tuple)

    @property
    def refuted(self) -> bool:
        """Whether a value is too small: a promise that some adjacent inputs break."""
        return any(each.finding == BELOW for each in self.findings)

    @property
    def outside(self) -> list[Outside]:
        """The findings that are not inside."""
        return [each for each in self.findings if each.finding != INSIDE]


def audit_accountant(
    function: Accountant, grid: Mapping[str, Iterable[Any]] | Iterable[Setting]
) -> AccountantAudit:
    """Hold an accountant against the bracket of ε at every setting of a grid.

    Parameters
    ----------
    function
        Setting ↦ the ε that is said to be enough at its δ, in nats.
    grid
        Settings; or for each name of a parameter of `Setting` its values, of which all combinations
        are tried.

    Raises
    ------
    ValueError
        If a setting is outside its range, or there is none.

    >>> def classical(setting):
    ...     return math.sqrt(2 * math.log(1.25 / float(setting.delta))) / float(setting.sigma)
    >>> found = audit_accountant(classical, {"sigma": [Fraction(1, 4), 5]})
    >>> [each.finding for each in found.findings]
    ['too small', 'too large']
    """
    settings = _settings(grid)
    if not settings:
        raise ValueError("The grid holds no setting.")
    brackets = [setting.bracket() for setting in settings]
    return AccountantAudit(
        tuple(
            _held(function, setting, bracket)
            for setting, bracket in zip(settings, brackets, strict=True)
        )
    )


def _settings(grid: Mapping[str, Iterable[Any]] | Iterable[Setting]) -> list[Setting]:
    if not isinstance(grid, Mapping):
        settings = list(grid)
        for each in settings:
            if not isinstance(each, Setting):
                raise ValueError(
                    f"A grid is of values by name, or of `Setting`s. Got {each!r:.40}."
                )
        return settings
    unknown = set(grid) - set(Setting.__dataclass_fields__)
    if unknown or "sigma" not in grid:
        wrong = ", ".join(sorted(unknown)) or "no sigma"
        raise ValueError(f"A grid is of {', '.join(Setting.__dataclass_fields__)}. Got {wrong}.")
    ways = product(*grid.values())
    return [Setting(**dict(zip(grid, values, strict=True))) for values in ways]


def _held(function: Accountant, setting: Setting, bracket: tuple[float, float]) -> Outside:
    try:
        value = float(function(setting))
    except Exception as error:  # whatever somebody's function raises is what is reported
        return Outside(setting, None, bracket, FAILED, f"{type(error).__name__}: {error}")
    if math.isnan(value):
        return Outside(setting, None, bracket, FAILED, "nan")
    finding = BELOW if value < bracket[0] else ABOVE if value > bracket[1] else INSIDE
    return Outside(setting, value, bracket, finding)
