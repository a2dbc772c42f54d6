"""What is audited, and how it is run."""

from dataclasses import dataclass
from typing import Any

ERRORS = ("outcome", "fail")


class TargetError(RuntimeError):
    """The target failed; the message is its own error."""


@dataclass(frozen=True)
class Target:
    """What to run, and where.

    Attributes
    ----------
    kind
        'reference' (package.module:name), 'object', 'program' (line protocol) or 'once' (one
        process per run).
    name
        As shown in reports.
    what
        The object or the command.
    path
        Directories in which modules are looked for first.
    timeout
        Seconds that one request may take.
    memory
        Bytes of address space, or None.
    isolated
        False runs a Python object in this process, without limits: for what cannot be copied to
        another.
    timed
        Whether the seconds that a run takes are looked at, and not its output.
    errors
        'outcome': an exception, an exit status and a run that exceeds `timeout` are outcomes of a
        run; 'fail': they end the audit.
    fresh
        Whether each run is in a process of its own, for noise that is drawn once and kept.
    """

    kind: str
    name: str
    what: Any = None
    path: tuple[str, ...] = ()
    timeout: float = 600.0
    memory: int | None = 8 << 30
    isolated: bool = True
    timed: bool = False
    errors: str = "outcome"
    fresh: bool = False

    def __post_init__(self) -> None:
        if self.errors not in ERRORS:
            raise ValueError(
                f"The 'errors' parameter must be one of {ERRORS}. Got {self.errors!r} instead."
            )
