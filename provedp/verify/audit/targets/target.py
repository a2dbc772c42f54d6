"""What is audited, and the child process that runs it under limits."""

import contextlib
import copy
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import cloudpickle  # type: ignore[import-untyped]

from provedp.verify.audit.targets.outputs import Batch, batch_from, batch_of_list
from provedp.verify.audit.targets.worker import receive, run_of, send

STARTUP_SECONDS = 60.0
DRAIN_SECONDS = 0.1  # for what was printed to arrive
KEPT = 4000  # characters of what the target wrote to standard error


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
    """

    kind: str
    name: str
    what: Any = None
    path: tuple[str, ...] = ()
    timeout: float = 600.0
    memory: int | None = 8 << 30
    isolated: bool = True
    timed: bool = False


def target(
    what: Any,
    *,
    directory: str | None = None,
    timeout: float = 600.0,
    memory: int | None = 8 << 30,
    isolated: bool = True,
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

    Raises
    ------
    ValueError
        If a text names no object.
    """
    if isinstance(what, Target):
        return what
    place = (os.path.abspath(directory or os.getcwd()),)
    if isinstance(what, str):
        module, colon, name = what.partition(":")
        if not (colon and module and name):
            raise ValueError(
                "The 'target' parameter must be a text like 'package.module:name'."
                f" Got {what!r} instead."
            )
        return Target("reference", what, what, place, timeout, memory)
    path = (*place, *(each for each in sys.path if each))
    name = getattr(what, "__qualname__", type(what).__qualname__)
    return Target("object", name, what, path, timeout, memory, isolated)


def program(
    command: str | Sequence[str],
    *,
    once: bool = False,
    timeout: float = 600.0,
    memory: int | None = 8 << 30,
) -> Target:
    """Return a program as a target: of the line protocol, or started once per run.

    `programs` describes both. Files that the command names are found from the current directory.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise ValueError("The 'command' parameter of program must not be empty.")
    name = shlex.join(words)
    for place, word in enumerate(words):  # the child runs in another directory
        if os.sep in word or place > 0:
            words[place] = os.path.abspath(word) if os.path.isfile(word) else word
    return Target("once" if once else "program", name, words, (), timeout, memory)


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


@dataclass
class Runner:
    """Runs a target: in a child process, started when first needed, or here."""

    target: Target
    datasets: Sequence[Any] = ()
    seconds: float = 0.0
    _child: "subprocess.Popen[bytes] | None" = None
    _tail: bytearray = field(default_factory=bytearray)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def run(self, data: Any, seed: Sequence[int], count: int) -> Batch:
        """Return the outputs of `count` runs on `data`.

        Raises
        ------
        TargetError
            If the target raises, ends, writes what is no output, or exceeds a limit.
        """
        if count == 0:
            return batch_of_list([])
        if not self.target.isolated:
            return self._run_here(data, list(seed), count)
        if self._child is None:
            self._start()
        header, raw = self._ask(
            {"do": "run", "seed": list(seed), "count": count},
            cloudpickle.dumps(data),
            self.target.timeout,
        )
        self.seconds = header["seconds"]
        batch = batch_from(header, raw)
        if len(batch) != count:
            raise TargetError(f"{len(batch)} outputs came back from a request for {count}")
        return batch

    def close(self) -> None:
        """End the child and all that it started."""
        if self._child is None:
            return
        child, self._child = self._child, None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        self._drain.join()
        for stream in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                stream.close()
        self._folder.cleanup()

    def _run_here(self, data: Any, seed: list[int], count: int) -> Batch:
        start = time.perf_counter()
        try:
            batch = run_of(self.target.what)(data, seed, count)
        except Exception as error:
            raise TargetError(f"{type(error).__name__}: {error}") from error
        self.seconds = time.perf_counter() - start
        return batch

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="provedp-audit-")
        read_request, write_request = os.pipe()
        read_reply, write_reply = os.pipe()
        read_printed, write_printed = os.pipe()
        command = [sys.executable, "-P", "-m", "provedp.verify.audit.targets.worker"]
        child = subprocess.Popen(
            [*command, str(read_request), str(write_reply)],
            stdin=subprocess.DEVNULL,
            stdout=write_printed,
            stderr=write_printed,
            cwd=self._folder.name,
            env={**os.environ, "TMPDIR": self._folder.name},
            pass_fds=(read_request, write_reply),
            start_new_session=True,
        )
        os.close(read_request)
        os.close(write_reply)
        os.close(write_printed)
        self._requests = os.fdopen(write_request, "wb")
        self._replies = os.fdopen(read_reply, "rb", buffering=0)
        self._child = child
        self._drain = threading.Thread(target=self._keep_tail, args=(read_printed,), daemon=True)
        self._drain.start()
        self._load()

    def _load(self) -> None:
        what = self.target
        request: dict[str, Any] = {"do": "load", "path": list(what.path), "memory": what.memory}
        if what.kind == "reference":
            request |= {"kind": "reference", "name": what.what}
            raw = b""
        elif what.kind == "object":
            request |= {"kind": "pickle"}
            raw = _pickled(what)
        else:
            request |= {"kind": what.kind, "command": what.what}
            raw = cloudpickle.dumps(list(self.datasets))
        self._ask(request, raw, STARTUP_SECONDS)

    def _ask(
        self, request: dict[str, Any], raw: bytes, timeout: float
    ) -> tuple[dict[str, Any], bytes]:
        deadline = time.monotonic() + timeout
        try:
            send(self._requests, request, raw)
            header, reply = receive(_Patient(self._replies, deadline))  # type: ignore[arg-type]
        except (BrokenPipeError, EOFError, ValueError):
            raise TargetError(self._last_words()) from None
        except TimeoutError:
            self.close()
            raise TargetError(f"no answer within {timeout:g} seconds") from None
        if not header.get("ok"):
            raise TargetError(str(header.get("error", "")).rstrip() + self._written())
        return header, reply

    def _keep_tail(self, printed: int) -> None:
        with os.fdopen(printed, "rb", buffering=0) as stream:
            while part := stream.read(65536):
                self._tail += part
                del self._tail[:-KEPT]

    def _last_words(self) -> str:
        child = self._child
        if child is None:
            return "the process has ended"
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(1.0)
        self.close()
        code = child.returncode
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
        return f"the process ended with {how}" + self._written()

    def _written(self) -> str:
        """Return what was printed last, if that may be what is known of an error."""
        if self.target.kind in ("reference", "object") and self._child is not None:
            return ""
        time.sleep(DRAIN_SECONDS)
        written = self._tail.decode(errors="replace").strip()
        return f":\n{written}" if written else ""


class _Patient:
    """Reads from a pipe until a deadline."""

    def __init__(self, stream: Any, deadline: float):
        self._stream, self._deadline = stream, deadline

    def read(self, size: int) -> bytes:
        """Read `size` bytes, or fewer at the end."""
        parts = bytearray()
        while len(parts) < size:
            part = self._some(min(size - len(parts), 1 << 20))
            if not part:
                break
            parts += part
        return bytes(parts)

    def readline(self) -> bytes:
        """Read up to the end of a line."""
        line = bytearray()
        while not line.endswith(b"\n"):
            part = self._some(1)
            if not part:
                break
            line += part
        return bytes(line)

    def _some(self, size: int) -> bytes:
        left = self._deadline - time.monotonic()
        if left <= 0 or not select.select([self._stream], [], [], left)[0]:
            raise TimeoutError
        return bytes(self._stream.read(size))


def _pickled(what: Target) -> bytes:
    try:
        return bytes(cloudpickle.dumps(what.what))
    except Exception as error:
        raise TargetError(
            f"{what.name} cannot be copied to a child process ({error}); name it as"
            " 'package.module:name', or run it here with isolated=False"
        ) from error
