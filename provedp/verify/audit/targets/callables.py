"""Python objects that can be run: what they are given, one by one or in batches."""

import inspect
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from provedp.verify.audit.targets import failures
from provedp.verify.audit.targets.outputs import Batch, batch_of_array, batch_of_list, kept

Run = Callable[[Any, list[int], int], Batch]


def run_of(target: Any, errors: str = "fail") -> Run:
    """Return how to run a loaded Python object often.

    It may be a function of (data, rng) or of (data, rng, count), an object with `release` or
    `randomise`, an OpenDP measurement, or a function of the data alone. What it raises is an
    outcome if `errors` is 'outcome'.
    """
    for name in ("release", "randomise", "invoke"):
        method = getattr(target, name, None)
        if callable(method):
            return _repeated(method, errors)
    if not callable(target):
        raise TypeError(f"{type(target).__name__} is neither a function nor has it `release`")
    return _repeated(target, errors)


def _repeated(function: Callable[..., Any], errors: str) -> Run:
    extras = _extras(_parameters(function))
    in_batches, outcome = "count" in extras, errors == "outcome"

    def run(data: Any, seed: list[int], count: int) -> Batch:
        sequence = np.random.SeedSequence(seed)
        rng = np.random.default_rng(sequence)
        words = sequence.generate_state(2)
        np.random.seed(int(words[0]))
        random.seed(int(words[1]))
        extra = [count if name == "count" else rng for name in extras]
        once = partial(function, data, *extra)
        if in_batches and outcome:
            one = partial(function, data, *(1 if name == "count" else rng for name in extras))
            return _batch_or_errors(once, one, count)
        if in_batches:
            return _batch_of(once(), count)
        if outcome:
            return failures.batch_of_runs(once, count)
        return batch_of_list([kept(once()) for _ in range(count)])

    return run


def _batch_or_errors(many: Callable[[], Any], one: Callable[[], Any], count: int) -> Batch:
    """Return a batch; if the function raises, that of single runs, one of which does."""
    try:
        outputs = many()
    except (Exception, SystemExit) as error:
        if count == 1:
            return failures.raised(error)
        return failures.one_by_one(lambda _: _batch_or_errors(one, one, 1), count)
    return _batch_of(outputs, count)


def _batch_of(outputs: Any, count: int) -> Batch:
    if len(outputs) != count:
        raise ValueError(f"{len(outputs)} outputs came back from a request for {count}")
    if isinstance(outputs, np.ndarray):
        return batch_of_array(outputs)
    rows = getattr(outputs, "itertuples", None)  # of a table, which iterates over its columns
    return batch_of_list(list(outputs if rows is None else rows(index=False, name=None)))


def _extras(names: list[str]) -> list[str]:
    """Return what is given after the data, 'rng' and 'count', in the order of the parameters.

    The first parameter is the data, whatever its name. The generator is the parameter `rng`, or
    else the first one that is not `count`.

    >>> _extras(["data", "generator", "count"]), _extras(["count", "rng"]), _extras(["count"])
    (['rng', 'count'], ['rng'], [])
    """
    first, rest = names[:1], names[1:]
    if "rng" not in rest and first != ["self"]:
        generator = next((name for name in rest if name != "count"), None)
        rest = ["rng" if name == generator else name for name in rest]
    return [name for name in rest if name in ("rng", "count")]


def _parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that have to be, or may usefully be, given."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ["data"]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    usable = [p for p in parameters if p.kind in kinds]
    return [p.name for p in usable if p.default is p.empty or p.name in ("rng", "count")]
