"""A clock that is set forward, for processes that are to show whether a target reads it."""

import datetime
import time
from typing import Any

Real = datetime.datetime


class _AsReal(type):
    """What is an instance of the real class counts as one of its stand-in."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Real)

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return issubclass(subclass, Real)


def set_forward(seconds: float) -> None:
    """Let `time.time`, `time.time_ns` and `datetime.datetime` of this process tell a later time.

    What was imported from these modules before, and other clocks, tell the time as it is.
    """
    real_time, real_time_ns = time.time, time.time_ns
    step = datetime.timedelta(seconds=seconds)

    class Later(Real, metaclass=_AsReal):
        """The class of dates and times, some time ahead."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            """Return the time, ahead."""
            return Real.now(tz) + step

        @classmethod
        def utcnow(cls) -> Any:
            """Return the same in UTC, without a zone."""
            return Real.now(datetime.UTC).replace(tzinfo=None) + step

        @classmethod
        def today(cls) -> Any:
            """Return the time, ahead."""
            return Real.now() + step

    time.time = lambda: real_time() + seconds
    time.time_ns = lambda: real_time_ns() + int(seconds * 1e9)
    Later.__name__ = Later.__qualname__ = "datetime"
    datetime.datetime = Later  # type: ignore[misc]
