"""Where random integers come from: the operating system's generator, or one to be replayed."""

import secrets
import warnings
from typing import Any, Protocol

import numpy as np

__all__ = [
    "ByteSource",
    "ReplayableNoiseWarning",
    "random_bits",
    "source_of",
    "uniform_below",
    "warn_if_replayable",
]


class ReplayableNoiseWarning(UserWarning):
    """The noise of a release comes from a generator that its caller knows: no guarantee holds."""


class ByteSource(Protocol):
    """A source of random bytes, such as `numpy.random.Generator`."""

    def bytes(self, length: int, /) -> bytes:
        """Return `length` random bytes."""
        ...


def source_of(name: str, random_state: Any) -> np.random.Generator | None:
    """Return a replayable source for a seed or a generator, and None for None: secret noise.

    Raises
    ------
    ValueError
        If `random_state` is none of these; `name` says whose it is.
    """
    seed = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if random_state is None:
        return None
    if not (seed and random_state >= 0) and not isinstance(random_state, np.random.Generator):
        raise ValueError(
            f"{name}: 'random_state' must be None, an integer ≥ 0 or a numpy.random.Generator; "
            f"got {random_state!r}."
        )
    return np.random.default_rng(random_state)


def warn_if_replayable(name: str, rng: ByteSource | None, stacklevel: int = 3) -> None:
    """Warn who called the caller, if a release of `name` draws its noise from `rng`."""
    if rng is not None:
        warnings.warn(
            f"Replayable noise: {name}.release was given a generator, and who knows it can undo "
            "the noise. This release is for study and carries no guarantee.",
            ReplayableNoiseWarning,
            stacklevel=stacklevel,
        )


def uniform_below(total: int, rng: ByteSource | None = None) -> int:
    """Return a uniform integer in {0, …, total − 1}: secret without `rng`, else a replayable one.

    With `rng`, the low bits of fresh bytes are taken until they are below `total`; every value is
    exactly as likely as any other if the bytes are uniform.

    >>> uniform_below(1)
    0
    """
    if total == 1:
        return 0
    if rng is None:
        return secrets.randbelow(total)
    bits = (total - 1).bit_length()
    mask = (1 << bits) - 1
    while True:
        value = int.from_bytes(rng.bytes((bits + 7) // 8), "little") & mask
        if value < total:
            return value


def random_bits(count: int, rng: ByteSource | None = None) -> int:
    """Return a uniform integer of `count` bits, whole bytes: secret without `rng`."""
    if rng is None:
        return secrets.randbits(count)
    return int.from_bytes(rng.bytes(count // 8), "little")
