"""The child process of a target: its pipes, its limits of time, and what it printed last."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import cloudpickle  # type: ignore[import-untyped]

from provedp.verify.audit.targets.deadline_reader import DeadlineReader
from provedp.verify.audit.targets.failures import RunEndedError, exited, timed_out
from provedp.verify.audit.targets.messages import receive, send
from provedp.verify.audit.targets.outputs import Batch, batch_from
from provedp.verify.audit.targets.target import Target, TargetError

STARTUP_SECONDS = 60.0
END_SECONDS = 30.0  # for a process that closed its pipe to end
DRAIN_SECONDS = 0.1  # for what was printed to arrive
KEPT = 4000  # characters of what the target wrote to standard error
KEEPER = "provedp.verify.audit.targets.keeper"


class Child:
    """A process of its own for one target, in a folder of its own, which serves requests.

    It is started and ended by its keeper (`keeper.py`), whatever happens to this process.

    Attributes
    ----------
    copies
        How many processes served a target so far, one after the other: see `worker`.
    """

    def __init__(self, target: Target):
        self._target = target
        read_life, self._life = os.pipe()
        read_request, write_request = os.pipe()
        read_reply, write_reply = os.pipe()
        read_printed, write_printed = os.pipe()
        theirs = (read_life, read_request, write_reply)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", KEEPER, *map(str, theirs)],
            stdin=subprocess.DEVNULL,
            stdout=write_printed,
            stderr=write_printed,
            pass_fds=theirs,
            start_new_session=True,
        )
        for end in (*theirs, write_printed):
            os.close(end)
        self._requests = os.fdopen(write_request, "wb")
        self._replies = os.fdopen(read_reply, "rb", buffering=0)
        self._tail = bytearray()
        self._drain = threading.Thread(target=self._keep_tail, args=(read_printed,), daemon=True)
        self._drain.start()
        self._open = True
        self._modules: dict[str, list[str]] = {}
        self.copies = 0

    @property
    def is_open(self) -> bool:
        """Whether it serves requests: it was neither closed nor lost."""
        return self._open

    def serve(self, target: Target) -> None:
        """Be there for another target, to be loaded next."""
        self._target = target

    def load(self, datasets: Sequence[Any], later: float = 0.0) -> None:
        """Hand over the target; a program is told all data sets.

        Parameters
        ----------
        datasets
            Of the audit.
        later
            Seconds by which the clock of Python is set forward.

        Raises
        ------
        TargetError
            If it cannot be loaded.
        """
        what = self._target
        self.copies += 1
        request: dict[str, Any] = {
            "do": "load",
            "path": list(what.path),
            "memory": what.memory,
            "errors": what.errors,
            "later": later,
            "modules": self._modules,
        }
        if what.kind == "reference":
            request |= {"kind": "reference", "name": what.what}
            raw = b""
        elif what.kind == "object":
            request |= {"kind": "pickle"}
            raw = _pickled(what)
        else:
            request |= {"kind": what.kind, "command": what.what}
            raw = cloudpickle.dumps(list(datasets))
        self._ask(request, raw, STARTUP_SECONDS)

    def unload(self) -> None:
        """End the process that the target is in; the next `load` is in a fresh one.

        Raises
        ------
        TargetError
            If the process is lost.
        """
        self._modules = self._ask({"do": "end"}, b"", STARTUP_SECONDS)[0]["modules"]

    def run(self, data: Any, seed: Sequence[int], count: int) -> tuple[Batch, float]:
        """Return the outputs of `count` runs on `data`, and the seconds that they took.

        Raises
        ------
        RunEndedError
            If the process ends or exceeds the limit of time.
        TargetError
            If the target raises or writes what is no output.
        """
        request = {"do": "run", "seed": list(seed), "count": count}
        header, raw = self._ask(request, cloudpickle.dumps(data), self._target.timeout)
        batch = batch_from(header, raw)
        if len(batch) != count:
            raise TargetError(f"{len(batch)} outputs came back from a request for {count}")
        return batch, header["seconds"]

    def close(self) -> None:
        """End the process and all that it started."""
        if not self._open:
            return
        self._open = False
        os.close(self._life)
        self._process.wait()
        self._drain.join()
        for stream in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                stream.close()

    def _ask(
        self, request: dict[str, Any], raw: bytes, timeout: float
    ) -> tuple[dict[str, Any], bytes]:
        deadline = time.monotonic() + timeout
        try:
            send(self._requests, request, raw)
            header, reply = receive(DeadlineReader(self._replies, deadline))
        except (BrokenPipeError, EOFError, ValueError):
            words = self._last_words()
            raise RunEndedError(words, exited(self._process.returncode)) from None
        except TimeoutError:
            self.close()
            raise RunEndedError(f"no answer within {timeout:g} seconds", timed_out()) from None
        if not header.get("ok"):
            words = str(header.get("error", "")).rstrip()
            if "status" in header and self._target.errors == "outcome":
                raise RunEndedError(words, exited(header["status"]))
            raise TargetError(words + self._printed())
        return header, reply

    def _keep_tail(self, printed: int) -> None:
        with os.fdopen(printed, "rb", buffering=0) as stream:
            while part := stream.read(65536):
                self._tail += part
                del self._tail[:-KEPT]

    def _last_words(self) -> str:
        if not self._open:
            return "the process has ended"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        self.close()
        code = self._process.returncode
        how = f"signal {_name_of(-code)}" if code < 0 else f"status {code}"
        return f"the process ended with {how}" + self._printed()

    def _printed(self) -> str:
        """Return what was printed last, if that may be what is known of an error."""
        if self._target.kind in ("reference", "object") and self._open:
            return ""
        if self._open:
            time.sleep(DRAIN_SECONDS)
        printed = self._tail.decode(errors="replace").strip()
        return f":\n{printed}" if printed else ""


def _name_of(number: int) -> str:
    """Return the name of a signal, its number if it has none, as most real-time ones.

    >>> _name_of(9), _name_of(35)
    ('SIGKILL', '35')
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _pickled(what: Target) -> bytes:
    try:
        return bytes(cloudpickle.dumps(what.what))
    except Exception as error:
        raise TargetError(
            f"{what.name} cannot be copied to a child process ({error}); name it as"
            " 'package.module:name', or run it here with isolated=False"
        ) from error
