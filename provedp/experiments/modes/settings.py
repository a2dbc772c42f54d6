"""Settings that the modes paper's sensitivity figures sweep, one at a time, at ε = 1."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EPSILON = 1.0
CLIP, BATCH, STEP = "clip_multiplier", "batch_share", "step"
LABELS = {CLIP: "clip multiplier", BATCH: "minibatch m/n", STEP: "step η"}
FACTORS = (0.1, 0.5, 1.0, 2.0, 10.0)  # times the default, where the paper's text names no values
DEFAULT = 0.13  # about 1/log n: where the default minibatch stands among shares
SHARES = (0.05, 0.1, 0.5, 1.0)
STEPS = (0.25, 0.5, 1.0, 1.5)


@dataclass(frozen=True)
class Setting:
    """One value of one parameter of a published release; None for the default minibatch.

    Parameters
    ----------
    is_default
        Whether the settings are those of the paper's tables, so that these print its error.
    """

    parameter: str
    value: float | None
    is_default: bool

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameter by name."""
        return {self.parameter: self.value}

    def columns(self, records: int) -> dict[str, Any]:
        """Return what a row says of it; the default minibatch is ⌊n/log n⌋ of n records."""
        value = self.value
        if value is None:
            value = int(records / math.log(records)) / records
        return {"setting": LABELS[self.parameter], "value": value}


def clips(default: float, values: tuple[float, ...] | None = None) -> Iterator[Setting]:
    """Yield clip multipliers in order, the default among them."""
    found = values or tuple(float(f"{default * factor:.6g}") for factor in FACTORS)
    for value in sorted({*found, default}):
        yield Setting(CLIP, value, value == default)


def batches(shares: tuple[float, ...] = SHARES) -> Iterator[Setting]:
    """Yield shares of the records, and among them the default minibatch."""
    for share in sorted({*shares, DEFAULT}):
        yield Setting(BATCH, None if share == DEFAULT else share, share == DEFAULT)


def steps() -> Iterator[Setting]:
    """Yield steps η, of which 1 is the default."""
    for value in STEPS:
        yield Setting(STEP, value, value == 1)
