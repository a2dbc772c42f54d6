"""Limits of time and memory for requests whose size cannot be told from their arguments."""

import contextlib
import resource
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

MEMORY = 1 << 29  # bytes, beyond what the process had


class TooLongError(ValueError):
    """A request takes longer than it may, or more memory."""


@contextlib.contextmanager
def limited(what: str, seconds: float) -> Iterator[None]:
    """Let a part of a request take some seconds of processor time and half a GiB of memory.

    Where a process cannot be limited (in a thread, or without such limits), it is not.

    Parameters
    ----------
    what
        As the message names it.
    seconds
        Of processor time.

    Raises
    ------
    TooLongError
        If it takes longer, or needs more memory.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError(
            f"{what} takes more than {seconds:g} s of processor time (--seconds allows more)."
        )

    handler = signal.signal(signal.SIGVTALRM, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        _limit_memory(soft, hard)
        yield
    except MemoryError:
        raise TooLongError(
            f"{what} takes more than {MEMORY >> 20} MiB of memory: ask for less."
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _limit_memory(soft: int, hard: int) -> None:
    held = Path("/proc/self/statm")
    if held.exists():
        size = int(held.read_text().split()[0]) * resource.getpagesize() + MEMORY
        least = min(each for each in (size, soft, hard) if each != resource.RLIM_INFINITY)
        resource.setrlimit(resource.RLIMIT_AS, (least, hard))
