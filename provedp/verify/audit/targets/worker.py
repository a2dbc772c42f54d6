"""The child process in which an audited target runs, forked by its keeper.

It talks to its parent through two pipes of its own, so that what the target prints harms nothing.
Requests: `load` (what to run) and `run` (data, seed, count). Replies: a batch of outputs, or the
error of the target.
"""

import importlib
import os
import pickle
import resource
import signal
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

from provedp.verify.audit.targets import callables
from provedp.verify.audit.targets.callables import Run, run_of
from provedp.verify.audit.targets.messages import receive, send
from provedp.verify.audit.targets.outputs import Batch, bytes_of, header_of
from provedp.verify.audit.targets.programs import LineProgram, ProgramError, run_once

PATIENCE = 1.0  # seconds between looks at the parent


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
    """Leave out the frames of this module and of what calls the target."""
    own = [f'"{module}"' for module in (__file__, callables.__file__)]
    kept = [line for line in lines if not any(name in line for name in own)]
    return "".join(kept)[-4000:]


def end_with(parent: int) -> None:
    """End this process and all that it started when its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(PATIENCE)
    os.killpg(0, signal.SIGKILL)


def work(requests: int, replies: int) -> None:
    """Serve the parent on two file descriptors."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with os.fdopen(requests, "rb") as source, os.fdopen(replies, "wb") as sink:
        serve(source, sink)
