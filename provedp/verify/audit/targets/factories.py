"""Targets from what a user has: a name, an object, an estimator, a program."""

import copy
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any

from provedp.verify.audit.targets.target import Target


def target(
    what: Any,
    *,
    directory: str | None = None,
    timeout: float = 600.0,
    memory: int | None = 8 << 30,
    isolated: bool = True,
    errors: str = "outcome",
    fresh: bool = False,
) -> Target:
    """Return a target.

    Parameters
    ----------
    what
        A text 'package.module:name', found from `directory`; a Python object: a function of
        (data, rng), or of (data, rng, count) that returns the outputs of `count` runs, or of the
        data alone; an object with `release` or `randomise`; an OpenDP measurement; or a `Target`.
    directory
        Where modules are looked for first; the current one by default.
    timeout, memory
        Limits of the child: seconds per request, bytes.
    isolated
        Whether a Python object is copied to a child process.
    errors
        'outcome': what a run raises, an exit status, and a run that takes longer than `timeout` are
        outcomes, as whoever sees the outputs sees them too. 'fail': they end the audit.
    fresh
        Whether each run is in a process of its own: for noise that is drawn once and kept.

    Raises
    ------
    ValueError
        If a text names no object, or `errors` is something else.
    """
    if isinstance(what, Target):
        return what
    start = (os.path.abspath(directory or os.getcwd()),)
    if isinstance(what, str):
        module, colon, name = what.partition(":")
        if not (colon and module and name):
            raise ValueError(
                "The 'target' parameter must be a text like 'package.module:name'."
                f" Got {what!r} instead."
            )
        return Target("reference", what, what, start, timeout, memory, errors=errors, fresh=fresh)
    path = (*start, *(each for each in sys.path if each))
    name = getattr(what, "__qualname__", type(what).__qualname__)
    return Target("object", name, what, path, timeout, memory, isolated, errors=errors, fresh=fresh)


def program(
    command: str | Sequence[str],
    *,
    once: bool = False,
    timeout: float = 600.0,
    memory: int | None = 8 << 30,
    errors: str = "outcome",
) -> Target:
    """Return a program as a target: of the line protocol, or started once per run.

    `programs` describes both. Files that the command names are found from the current directory.
    With `errors='outcome'` an exit status, and a run that takes longer than `timeout`, are
    outcomes; with 'fail' they end the audit.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise ValueError("The 'command' parameter of program must not be empty.")
    name = shlex.join(words)
    for index, word in enumerate(words):  # the child runs in another directory
        if os.sep in word or index > 0:
            words[index] = os.path.abspath(word) if os.path.isfile(word) else word
    return Target("once" if once else "program", name, words, (), timeout, memory, errors=errors)


def fitted(estimator: Any, read: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a target that fits a copy of an estimator and returns `read` of the fitted object.

    The data are (X, y), or X alone if they are no pair. A parameter `random_state` is set from the
    generator.
    """

    def release(data: Any, rng: Any) -> Any:
        fresh = copy.deepcopy(estimator)
        if hasattr(fresh, "random_state"):
            fresh.random_state = int(rng.integers(2**31))
        arguments = data if isinstance(data, tuple) else (data,)
        return read(fresh.fit(*arguments))

    return release
