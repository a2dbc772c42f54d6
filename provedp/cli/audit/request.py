"""What `provedp audit` was asked for, checked before anything runs."""

import math
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sympy

from provedp.cli.expressions import parse
from provedp.cli.numbers import up
from provedp.verify.audit.runs.options import Options
from provedp.verify.audit.targets.factories import program, target
from provedp.verify.audit.targets.target import Target
from provedp.verify.notions.notions import (
    ApproximateDP,
    GaussianDP,
    PrivacyNotion,
    RenyiDP,
    ZeroConcentratedDP,
)
from provedp.verify.notions.profile import ProfileDP
from provedp.verify.pairs.fingerprints import fingerprint, fingerprint_of_files
from provedp.verify.pairs.pair import Pair
from provedp.verify.tagged_records import record_of

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Request:
    """An audit.

    Attributes
    ----------
    target, pairs, claims
        What is audited against what: one claim, or for a whole profile any number.
    options
        How it is audited.
    shapes
        Patterns of pairs to search through, of which some may not suit the target; none if there
        is no search.
    ends
        The range that the search keeps to, if one was given.
    profile
        Whether the whole privacy profile is bounded.
    """

    target: Target
    pairs: list[Pair]
    claims: tuple[PrivacyNotion, ...]
    options: Options = Options()
    shapes: Sequence[Sequence[Pair]] = ()
    ends: tuple[float, float] | None = None
    profile: bool = False

    @property
    def every_pair(self) -> list[Pair]:
        """All pairs, those to search through as well."""
        return [*self.pairs, *(pair for shape in self.shapes for pair in shape)]

    @property
    def claim(self) -> PrivacyNotion:
        """The claim, if it is one."""
        return self.claims[0]

    def record(self) -> dict[str, Any]:
        """Return what must be the same for an audit to be continued, as JSON data."""
        return {
            "target": [self.target.kind, self.target.name, self.target.errors],
            "source": fingerprint_of_files(_sources(self.target)),
            "pairs": fingerprint([(pair.first, pair.second) for pair in self.every_pair]),
            "claims" if self.profile else "claim": self._claimed(),
            **self.options.record(),
        }

    def _claimed(self) -> Any:
        records = [record_of(each) for each in self.claims]
        return records if self.profile else records[0]


def claims_of(
    profile: bool,
    points: tuple[tuple[str, str], ...],
    epsilon: str | None,
    delta: str,
    *others: Any,
) -> tuple[PrivacyNotion, ...]:
    """Return the one claim that was made; for a profile, none or one, and points of it.

    Raises
    ------
    ValueError
        If there are more or fewer, or a number is outside its range.
    """
    if points and not profile:
        raise ValueError("--claim-point goes with --profile or --canaries only.")
    made = any(each is not None for each in (epsilon, *others))
    if profile and not made:
        if _number(delta) != 0:
            raise ValueError("--claim-delta goes with --claim-epsilon only.")
        return tuple(ApproximateDP(_number(e), _number(d)) for e, d in points)
    one = claim_of(epsilon, delta, *others)
    return (one, *(ApproximateDP(_number(e), _number(d)) for e, d in points))


def claim_of_canaries(
    points: tuple[tuple[str, str], ...], epsilon: str | None, delta: str, *others: Any
) -> PrivacyNotion:
    """Return the one claim that was made, of which points of a profile are one.

    Raises
    ------
    ValueError
        If there is none, or more than one, or a number is outside its range.
    """
    if not points:
        return claim_of(epsilon, delta, *others)
    if _number(delta) != 0 or any(each is not None for each in (epsilon, *others)):
        raise ValueError("With --canaries, points (--claim-point) are the whole claim.")
    return ProfileDP(tuple((_number(e), _number(d)) for e, d in points))


def claim_of(
    epsilon: str | None,
    delta: str,
    mu: str | None,
    rho: str | None,
    renyi: tuple[str, str] | None,
) -> PrivacyNotion:
    """Return the one claim that was made; irrational numbers are rounded up.

    Raises
    ------
    ValueError
        If there is none, or more than one, or a number is outside its range.
    """
    made: list[PrivacyNotion] = []
    slack = _number(delta)
    if epsilon is not None:
        made.append(ApproximateDP(_number(epsilon), slack))
    elif slack != 0:
        raise ValueError("--claim-delta goes with --claim-epsilon only.")
    if mu is not None:
        made.append(GaussianDP(_number(mu)))
    if rho is not None:
        made.append(ZeroConcentratedDP(_number(rho)))
    if renyi is not None:
        made.append(RenyiDP(order=_number(renyi[0]), divergence=_number(renyi[1])))
    if len(made) != 1:
        raise ValueError(
            "Say what is claimed, once: --claim-epsilon [--claim-delta], --claim-mu, --claim-rho or"
            " --claim-renyi."
        )
    return made[0]


def _number(text: str) -> float:
    value = parse(text)
    if not value.is_real:
        raise ValueError(f"{text!r} is not a real number.")
    if isinstance(value, sympy.Rational):
        return up(Fraction(int(value.p), int(value.q))) + 0.0  # no negative zero
    return math.nextafter(float(value), math.inf)


def target_of(
    name: str | None,
    command: str | None,
    once: bool,
    timeout: float,
    megabytes: int,
    errors: str = "outcome",
) -> Target:
    """Return the one target that was named.

    Raises
    ------
    ValueError
        If there is none, or two, or it cannot be found.
    """
    if (name is None) == (command is None):
        raise ValueError("Name one target: package.module:function, or --command 'program …'.")
    limits: dict[str, Any] = {
        "timeout": timeout,
        "memory": megabytes * MEGABYTE,
        "errors": errors,
    }
    if command is not None:
        return _program(command, once, limits)
    if once:
        raise ValueError("--once goes with --command only.")
    named = target(name, **limits)
    _require_module(named.name.partition(":")[0])
    return named


def _program(command: str, once: bool, limits: dict[str, Any]) -> Target:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"The command {command!r} cannot be read: {error}.") from None
    if not words:
        raise ValueError("The command is empty.")
    if shutil.which(words[0]) is None:
        raise ValueError(f"No program {words[0]!r} is found, or it may not be run.")
    return program(command, once=once, **limits)


def _require_module(name: str) -> None:
    """Raise `ValueError` if a module is nowhere to be found; import nothing of it."""
    first = name.partition(".")[0]
    here = Path.cwd()
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"{name!r} is no name of a module.")
    if (here / first).is_dir() or (here / f"{first}.py").is_file() or find_spec(first):
        return
    raise ValueError(f"There is no module {first!r} in {here}, nor among those installed.")


def _sources(what: Target) -> list[Path]:
    """Return the files that a target is known to be in, found by name from here."""
    if what.kind == "reference":
        module = Path.cwd().joinpath(*what.name.partition(":")[0].split("."))
        return [module.with_suffix(".py"), module / "__init__.py"]
    return [Path(word) for word in what.what]
