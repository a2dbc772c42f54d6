"""The public formulas of `theory/`, by name, and how their arguments are read."""

import difflib
import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from provedp.cli.expressions import parse
from provedp.cli.tables import read_table
from provedp.theory.domain import Choice, Flag, Integers, Reals
from provedp.theory.numbers import Number

SUBJECTS = ("counting", "channels", "mixture", "modes", "privacy")


@dataclass(frozen=True)
class Formula:
    """A public formula: its name, its function, and the ranges of its arguments."""

    name: str
    function: Callable[..., Any]

    @property
    def signature(self) -> inspect.Signature:
        """The parameters of the function."""
        return inspect.signature(self.function)

    @property
    def ranges(self) -> dict[str, Any]:
        """The allowed values of each argument."""
        return dict(getattr(self.function, "ranges", {}))

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n")[0]

    def usage(self) -> str:
        """Return the formula's name and its arguments as they are typed."""
        parameters = self.signature.parameters.values()
        words = [
            f"{p.name}=…" if p.default is p.empty else f"[{p.name}={p.default}]" for p in parameters
        ]
        return " ".join([self.name, *words])


def formulas(subjects: Sequence[str] = SUBJECTS) -> dict[str, Formula]:
    """Return every public formula of some subjects by its name."""
    found = {}
    for subject in subjects:
        module = importlib.import_module(f"provedp.theory.{subject}")
        for function in sorted(module.__all__):
            found[f"{subject}.{function}"] = Formula(
                f"{subject}.{function}", getattr(module, function)
            )
    return found


def find(name: str) -> Formula:
    """Return the formula of this name.

    Raises
    ------
    ValueError
        If there is none; the message suggests the nearest.
    """
    subject = name.partition(".")[0]
    # One subject is imported alone, which saves a call half of its time.
    known = formulas([subject] if subject in SUBJECTS else SUBJECTS)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
        raise ValueError(f"No formula is called {name!r}. Did you mean {near}?")
    return known[name]


def read_arguments(formula: Formula, texts: tuple[str, ...], symbolic: bool) -> dict[str, Any]:
    """Return NAME=VALUE texts as exact expressions, tables of them, or words.

    Raises
    ------
    ValueError
        If a text has no '=', names no parameter, or a parameter is missing or given twice.
    """
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in formula.signature.parameters:
            raise ValueError(f"{text!r} gives no parameter of {formula.usage()}.")
        if name in given:
            raise ValueError(f"{name!r} is given twice.")
        given[name] = value
    for name, parameter in formula.signature.parameters.items():
        if parameter.default is parameter.empty and name not in given:
            raise ValueError(f"{name!r} is missing: {formula.usage()}.")
    return {name: _read(formula, name, value, symbolic) for name, value in given.items()}


def _read(formula: Formula, name: str, text: str, symbolic: bool) -> Any:
    allowed = formula.ranges.get(name)
    if isinstance(allowed, Choice):
        return text
    if isinstance(allowed, Flag):
        return _flag(name, text)
    kind = formula.signature.parameters[name].annotation
    if not isinstance(allowed, (Integers, Reals)) and kind not in (Number, int):
        return read_table(text, name)
    try:
        return parse(text, _symbols(text, allowed) if symbolic else None)
    except ValueError as error:
        raise ValueError(f"'{name}': {error}") from None


def _flag(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"'{name}': {text!r} is neither true nor false.")
    return text.lower() == "true"


def _symbols(text: str, allowed: Any) -> dict[str, sympy.Symbol]:
    """Return the one symbol that an argument may be, with the assumptions of its range."""
    name = text.strip()
    if not name.isidentifier():
        return {}
    if isinstance(allowed, Integers):
        return {name: sympy.Symbol(name, integer=True, positive=True)}
    low = getattr(allowed, "low", None)
    return {name: sympy.Symbol(name, positive=low in (0, 1) or None, real=True)}
