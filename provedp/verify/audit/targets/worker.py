"""The child process in which an audited target runs, started by `python -P -m`.

It talks to its parent through two pipes of its own, so that what the target prints harms nothing.
A message is a line of JSON with its number of bytes, then those bytes. Requests: `load` (what to
run) and `run` (data, seed, count). Replies: a batch of outputs, or the error of the target.
"""

import importlib
import inspect
import json
import os
import pickle
import random
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

import numpy as np

from provedp.verify.audit.targets.outputs import (
    Batch,
    batch_of_array,
    batch_of_list,
    bytes_of,
    header_of,
)
from provedp.verify.audit.targets.programs import LineProgram, ProgramError, run_once

Run = Callable[[Any, list[int], int], Batch]
PATIENCE = 1.0  # seconds between looks at the parent


class Readable(Protocol):
    """What messages are read from."""

    def read(self, size: int, /) -> bytes:
        """Read `size` bytes, or fewer at the end."""
        ...

    def readline(self) -> bytes:
        """Read up to the end of a line."""
        ...


def send(stream: BinaryIO, header: dict[str, Any], raw: bytes = b"") -> None:
    """Write one message."""
    stream.write(json.dumps({**header, "bytes": len(raw)}).encode() + b"\n" + raw)
    stream.flush()


def receive(stream: Readable) -> tuple[dict[str, Any], bytes]:
    """Read one message; raise `EOFError` at the end of the stream."""
    line = stream.readline()
    if not line:
        raise EOFError
    header: dict[str, Any] = json.loads(line)
    raw = stream.read(header["bytes"])
    if len(raw) < header["bytes"]:
        raise EOFError
    return header, raw


def run_of(target: Any) -> Run:
    """Return how to run a loaded Python object often.

    It may be a function of (data, rng) or of (data, rng, count), an object with `release` or
    `randomise`, an OpenDP measurement, or a function of the data alone.
    """
    for name in ("release", "randomise", "invoke"):
        method = getattr(target, name, None)
        if callable(method):
            return _repeated(method)
    if not callable(target):
        raise TypeError(f"{type(target).__name__} is neither a function nor has it `release`")
    return _repeated(target)


def _repeated(function: Callable[..., Any]) -> Run:
    extras = _extras(_parameters(function))
    in_batches = "count" in extras

    def run(data: Any, seed: list[int], count: int) -> Batch:
        sequence = np.random.SeedSequence(seed)
        rng = np.random.default_rng(sequence)
        words = sequence.generate_state(2)
        np.random.seed(int(words[0]))
        random.seed(int(words[1]))
        extra = [count if name == "count" else rng for name in extras]
        if not in_batches:
            return batch_of_list([function(data, *extra) for _ in range(count)])
        outputs = function(data, *extra)
        if len(outputs) != count:
            raise ValueError(f"{len(outputs)} outputs came back from a request for {count}")
        whole = isinstance(outputs, np.ndarray)
        return batch_of_array(np.asarray(outputs)) if whole else batch_of_list(outputs)

    return run


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


def load(request: dict[str, Any], raw: bytes) -> Run:
    """Return how to run the target of a `load` request."""
    for folder in reversed(request.get("path", [])):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    kind = request["kind"]
    if kind == "reference":
        module, _, name = request["name"].partition(":")
        target: Any = importlib.import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
        return run_of(target)
    if kind == "pickle":
        return run_of(pickle.loads(raw))
    datasets = pickle.loads(raw)
    if kind == "program":
        return LineProgram(request["command"], datasets).run
    return lambda data, seed, count: run_once(request["command"], data, seed, count)


def limit(memory: int | None) -> None:
    """Limit the address space, leave no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        allowed = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))


def _nothing_loaded(data: Any, seed: list[int], count: int) -> Batch:
    raise RuntimeError("a run was asked for before a target was loaded")


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the parent closes the pipe."""
    run: Run = _nothing_loaded
    while True:
        try:
            request, raw = receive(requests)
        except EOFError:
            return
        try:
            if request["do"] == "load":
                limit(request["memory"])
                run = load(request, raw)
                send(replies, {"ok": True})
                continue
            start = time.perf_counter()
            batch = run(pickle.loads(raw), request["seed"], request["count"])
            seconds = time.perf_counter() - start
            send(replies, {"ok": True, "seconds": seconds, **header_of(batch)}, bytes_of(batch))
        except ProgramError as error:
            send(replies, {"ok": False, "error": str(error)})
        except (Exception, SystemExit) as error:
            lines = traceback.format_exception(error)
            send(replies, {"ok": False, "error": _own_part(lines), "name": repr(error)})


def _own_part(lines: list[str]) -> str:
    """Leave out the frames of this module."""
    kept = [line for line in lines if f'"{__file__}"' not in line]
    return "".join(kept)[-4000:]


def end_with(parent: int) -> None:
    """End this process and all that it started when its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(PATIENCE)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Serve the parent on the two file descriptors that it names."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    requests, replies = (int(argument) for argument in sys.argv[1:3])
    with os.fdopen(requests, "rb") as source, os.fdopen(replies, "wb") as sink:
        serve(source, sink)


if __name__ == "__main__":
    main()
