"""Everything that comes out of a run, as text that is equal exactly if all bits are."""

import warnings
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.verify.spending.recorder import SequenceError, UnseenNoiseError

RESULT = "result"
ATOMS = (str, bool, int, range, Fraction, type(None), type)


@dataclass(frozen=True)
class Outcome:
    """The result or the refusal of a run, its warnings, and noise met out of turn or unseen."""

    text: str
    warnings: tuple[str, ...]
    fault: str = ""

    @property
    def released(self) -> bool:
        """Whether it is a result."""
        return self.text.startswith(RESULT)


def outcome_of(run: Callable[[], Any]) -> Outcome:
    """Return what comes out of a run."""
    text, fault = "", ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = run()
        except (SequenceError, UnseenNoiseError) as error:
            text = fault = str(error)
        except Exception as error:  # any refusal is an outcome
            text = f"refusal {type(error).__name__} {error}"
    told = tuple(f"{each.category.__name__} {each.message}" for each in caught)
    return Outcome(text or f"{RESULT} {canonical(result)}", told, fault)


def canonical(value: Any) -> str:
    """Return a text with types, shapes, order and all bits of a value and of what it holds.

    >>> canonical([1.0, -0.0])
    'list[0x1.0000000000000p+0, -0x0.0p+0]'
    """
    if isinstance(value, np.ndarray):
        content = value.tobytes().hex() if value.dtype != object else canonical(value.tolist())
        return f"array {value.dtype.str} {value.shape} {content}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} {value.tobytes().hex()}"
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, ATOMS):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{canonical(k)}: {canonical(v)}" for k, v in value.items())
    elif isinstance(value, (list, tuple)):
        inside = ", ".join(map(canonical, value))
    elif isinstance(value, Set):
        inside = ", ".join(sorted(map(canonical, value)))
    else:
        inside = canonical(vars(value))
    return f"{type(value).__name__}[{inside}]"
