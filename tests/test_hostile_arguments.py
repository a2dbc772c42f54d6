"""Hostile arguments to every public function: it returns, or says in one error what is wrong."""

import importlib
import inspect
import pkgutil
import random
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from enum import Enum
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np
import pytest

import provedp
from provedp.theory.domain import Integers

SECONDS, MEMORY = 5, 1 << 30  # of one call
ROOMS = ("provedp.theory", "provedp.mechanisms", "provedp.verify.audit")
HOSTILE: list[Any] = [
    float("nan"), float("inf"), -float("inf"), 5e-324, -0.0, 1e308, 10**400, -(10**400), 0, -1,
    Fraction(1, 10**400), Fraction(-1, 3), 2**63, True, None, "", "x", "nan", "1e400", "\x00",
    "9" * 5000, b"", [], [[]], [[], [1]], [float("nan")], {}, (), object(), 1j, np.array(3.0),
    np.zeros((0, 2)), np.zeros((2, 0)), np.array([[np.nan, 1.0]]), np.array([["a"]]),
    np.array([None]), np.ma.masked_array([1.0], mask=[True]), np.float32("inf"), range(3),
]  # fmt: skip
SIZES = [n for n in HOSTILE if not (isinstance(n, int) and n > 100)]
SOUND: list[Any] = [1, 2, 3, Fraction(1, 2), Fraction(3, 2), 0.5, "1", "1/2"]


# What runs claims or audits is asked by tests of its own: one call takes many processes.
LONG = {"run_claim", "run_claims", "show_claim", "assert_private", "audit", "audit_profile",
        "check_runs", "claims", "find_claim"}  # fmt: skip


def packages() -> Iterator[str]:
    """Yield the packages whose names are public: those that list them."""
    yield "provedp"
    for room in ROOMS:
        module = importlib.import_module(room)
        yield room
        for found in pkgutil.walk_packages(module.__path__, f"{room}."):
            if found.ispkg:
                yield found.name


def public() -> dict[str, Callable[..., Any]]:
    """Return every public function and class, by its name."""
    found = {}
    for package in packages():
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            ours = callable(value) and not (
                isinstance(value, type) and issubclass(value, (Enum, Exception))
            )
            if ours and name not in LONG and value.__module__.startswith("provedp"):
                found[f"{package}.{name}"] = value
    return found


class TooSlow(BaseException):
    """A call took too long."""


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def arguments(draw: random.Random, function: Callable[..., Any]) -> dict[str, Any]:
    """Return arguments by name, of which some are hostile."""
    given = {}
    sound = draw.choice([0, 0.3, 0.7])
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            continue
        if parameter.default is not parameter.empty and draw.random() < 0.5:
            continue
        # A formula of m steps takes m steps: sizes are the caller's to limit.
        is_size = isinstance(getattr(function, "ranges", {}).get(name), Integers)
        hostile = SIZES if is_size else HOSTILE
        given[name] = draw.choice(SOUND if draw.random() < sound else hostile)
    return given


def wrong(function: Callable[..., Any], given: dict[str, Any]) -> str:
    """Return how a call ended other than documented, or nothing."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(**given)
    except (ValueError, TypeError) as error:
        if not str(error).strip():
            return f"{type(error).__name__} without a word"
    except ZeroDivisionError:  # Python's word for a formula that has no value there
        return "" if hasattr(function, "ranges") else "ZeroDivisionError"
    except TooSlow:
        return f"more than {SECONDS} s"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:100]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    return f"{grown >> 20} MB" if grown > MEMORY else ""


@pytest.fixture
def campaign() -> Iterator[Callable[[str, int], list[str]]]:
    handler = signal.signal(signal.SIGPROF, stop)
    functions = public()

    def run(name: str, calls: int) -> list[str]:
        draw, found = random.Random(name), []
        for _ in range(calls):
            given = arguments(draw, functions[name])
            told = wrong(functions[name], given)
            if told:
                shown = ", ".join(f"{k}={str(repr(v))[:60]}" for k, v in given.items())
                found.append(f"{name}({shown}): {told}")
        return found

    yield run
    signal.signal(signal.SIGPROF, handler)


@pytest.mark.parametrize("name", sorted(public()))
def test_hostile_arguments(campaign: Callable[[str, int], list[str]], name: str) -> None:
    found = campaign(name, 10)
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(public()))
def test_many_hostile_arguments(campaign: Callable[[str, int], list[str]], name: str) -> None:
    found = campaign(f"{name}", 100)
    assert not found, "\n".join(found)


def test_the_walk_finds_what_is_public() -> None:
    found = public()
    assert set(provedp.__all__) - LONG - {"Adjacency", "Paper", "PrivacyViolation"} <= {
        name.rpartition(".")[2] for name in found
    }
    assert len(found) > 100
