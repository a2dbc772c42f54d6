"""Runs that end without an output: an exception, an exit status, a limit of time.

Whoever gets the outputs sees that too, so that it is an outcome like others. What is no outcome of
the mechanism ends an audit all the same: a target that cannot be loaded, an output of an unknown
type, a line that is no JSON, and a target all of whose runs fail.
"""

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from provedp.verify.audit.targets.outputs import BUILT_IN, Batch, batch_of_list, joined, kept
from provedp.verify.audit.targets.target import TargetError
from provedp.verify.audit.targets.trees import LONGEST, tagged

ATTEMPTS = 20  # at finding the run at which a request failed
ERROR, EXIT, TIMEOUT = "error", "exit", "timeout"


class RunEndedError(TargetError):
    """The process of a target ended, or took too long; `batch` is that outcome of one run."""

    def __init__(self, message: str, batch: Batch):
        super().__init__(message)
        self.batch = batch


def raised(error: BaseException) -> Batch:
    r"""Return the outcome of a run that raised: the type of the error, and its text.

    >>> raised(KeyError("a")).tokens
    ('{"error":["KeyError","\'a\'"]}',)
    """
    if isinstance(error, SystemExit):
        return exited(error.code)
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    return _failure(tagged(ERROR, [kind, _text(error)]))


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def exited(status: Any, printed: Batch | None = None) -> Batch:
    """Return the outcome of a run that ended with an exit status, after printing an output."""
    code = 0 if status is None else status if isinstance(status, int) else str(status)
    if printed is None:
        return _failure(tagged(EXIT, code))
    token = f'{{"{EXIT}":{json.dumps(code)},"of":{printed.tokens[0]}}}'
    return Batch(printed.numbers, printed.codes, (token,))


def timed_out() -> Batch:
    """Return the outcome of a run that was ended because it took too long."""
    return _failure(tagged(TIMEOUT, True))


def _failure(token: str) -> Batch:
    return Batch(np.empty((1, 0)), np.zeros(1, dtype=np.int32), (token,))


def is_failure(token: str) -> bool:
    """Return whether a token is that of a run without an output.

    >>> is_failure(timed_out().tokens[0]), is_failure('"error"')
    (True, False)
    """
    return any(token.startswith(f'{{"{kind}":') for kind in (ERROR, EXIT, TIMEOUT))


def failing(batch: Batch) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which runs have no output."""
    marks = np.array([is_failure(token) for token in batch.tokens] or [False])
    return np.asarray(marks[batch.codes])


def one_by_one(single: Callable[[int], Batch], count: int) -> Batch:
    """Return single runs, given that at least one of them fails.

    So the law of `count` runs stays what it is: those of a request that failed as a whole are
    replaced by runs drawn until one of them fails, as one of those did.

    Raises
    ------
    TargetError
        If that does not come up.
    """
    for attempt in range(ATTEMPTS):
        outputs = joined([single(attempt * count + index) for index in range(count)])
        if failing(outputs).any():
            return outputs
    raise TargetError(
        f"a request for {count} runs failed, but none of {ATTEMPTS * count} single runs does"
    )


def batch_of_runs(once: Callable[[], Any], count: int) -> Batch:
    """Return the outputs of runs one after the other, with errors among the outcomes."""
    parts: list[Batch] = []
    outputs: list[Any] = []
    for _ in range(count):
        try:
            output = once()
            if type(output) in BUILT_IN:  # for speed
                outputs.append(output)
                continue
            if hasattr(output, "__next__"):
                output = iter(list(islice(output, LONGEST + 1)))
        except (Exception, SystemExit) as error:
            parts += [batch_of_list(outputs), raised(error)]
            outputs = []
        else:
            outputs.append(kept(output))
    last = batch_of_list(outputs)
    return joined([*parts, last]) if parts else last
