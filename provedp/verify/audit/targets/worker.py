"""The child process in which an audited target runs, forked by its keeper.

It talks to its parent through two pipes of its own, so that what the target prints harms nothing.
Requests: `load` (what to run), `run` (data, seed, count) and `end`. Replies: a batch of outputs, or
the error of the target.

The process that was started never loads a target. It forks for each `load`, and waits until that
copy was asked to end: so a fresh process costs no more than what the target itself imports. A copy
has a folder of its own and generators seeded from the entropy of the system; all that the target
imports beyond the modules of this package, numpy and scipy is imported anew. The seed of the hashes
of texts is that of the process that was started.
"""

import contextlib
import importlib
import importlib.util
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from typing import Any, BinaryIO

import cloudpickle  # type: ignore[import-untyped]  # noqa: F401  for all copies
import numpy as np
import numpy.random  # for all copies

from provedp.verify.audit.targets import callables, failures
from provedp.verify.audit.targets.callables import Run, run_of
from provedp.verify.audit.targets.clock import set_forward
from provedp.verify.audit.targets.keeper import end_as
from provedp.verify.audit.targets.messages import receive, send
from provedp.verify.audit.targets.outputs import Batch, bytes_of, header_of
from provedp.verify.audit.targets.programs import (
    LineProgram,
    ProgramEndedError,
    ProgramError,
    run_once,
)

PATIENCE = 1.0  # seconds between looks at the parent
LIBRARIES = ("provedp", "scipy")
ENDED = 113  # status of a copy that was asked to end


def load(request: dict[str, Any], raw: bytes) -> Run:
    """Return how to run the target of a `load` request."""
    for folder in reversed(request.get("path", [])):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    kind, errors = request["kind"], request["errors"]
    if kind == "reference":
        module, _, name = request["name"].partition(":")
        target: Any = importlib.import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
        return run_of(target, errors)
    if kind == "pickle":
        return run_of(pickle.loads(raw), errors)
    datasets = pickle.loads(raw)
    if kind == "program":
        return LineProgram(request["command"], datasets).run
    return lambda data, seed, count: run_once(request["command"], data, seed, count, errors)


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
    """Answer requests until the parent closes the pipe; in a copy, until it is asked to end."""
    run: Run = _nothing_loaded
    while True:
        try:
            request, raw = receive(requests)
        except EOFError:
            return
        try:
            if request["do"] == "end":
                send(replies, {"ok": True, "modules": _library_modules()})
                os._exit(ENDED)
            if request["do"] == "load":
                _import_beforehand(request["modules"])
                if _in_the_first_process():
                    continue
                limit(request["memory"])
                if request["later"]:
                    set_forward(request["later"])
                run = load(request, raw)
                send(replies, {"ok": True})
                continue
            start = time.perf_counter()
            batch = run(pickle.loads(raw), request["seed"], request["count"])
            seconds = time.perf_counter() - start
            send(replies, {"ok": True, "seconds": seconds, **header_of(batch)}, bytes_of(batch))
        except ProgramEndedError as error:
            send(replies, {"ok": False, "error": str(error), "status": error.status})
        except ProgramError as error:
            send(replies, {"ok": False, "error": str(error)})
        except (Exception, SystemExit) as error:
            lines = traceback.format_exception(error)
            send(replies, {"ok": False, "error": _own_part(lines), "name": repr(error)})


def _library_modules() -> dict[str, list[str]]:
    """Return the modules of `LIBRARIES` that are imported, by the file that a library is in."""
    loaded = {name: module.__file__ for name in LIBRARIES if (module := sys.modules.get(name))}
    return {
        str(file): [each for each in list(sys.modules) if each.partition(".")[0] == name]
        for name, file in loaded.items()
    }


def _import_beforehand(modules: dict[str, list[str]]) -> None:
    """Import what an earlier copy did of the libraries that draw nothing when they are imported.

    A library that is found elsewhere than by that copy is left to the target.
    """
    for file, names in modules.items():
        spec = importlib.util.find_spec(names[0].partition(".")[0])
        if spec is None or spec.origin != file:
            continue
        for name in names:
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _in_the_first_process() -> bool:
    """Fork; in the copy return False at once, in this process True once the copy was ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the other thread only sleeps
        copy = os.fork()
    if copy == 0:
        _settle()
        return False
    _, status = os.waitpid(copy, 0)
    if os.waitstatus_to_exitcode(status) != ENDED:
        end_as(status)
    return True


def _settle() -> None:
    """Make a copy as good as a process that was just started."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    folder = tempfile.mkdtemp()
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    os.chdir(folder)
    random.seed()
    np.random.seed()


def _own_part(lines: list[str]) -> str:
    """Leave out the frames of this module and of what calls the target."""
    own = [f'"{module}"' for module in (__file__, callables.__file__, failures.__file__)]
    kept = [line for line in lines if not any(name in line for name in own)]
    return "".join(kept)[-4000:]


def end_with(parent: int) -> None:
    """End this process and all that it started when its parent is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(PATIENCE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(0, signal.SIGKILL)


def work(requests: int, replies: int) -> None:
    """Serve the parent on two file descriptors."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with os.fdopen(requests, "rb") as source, os.fdopen(replies, "wb") as sink:
        serve(source, sink)
