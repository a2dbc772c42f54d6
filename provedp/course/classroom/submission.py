"""One submission: a JSON file that is read, or a script or notebook that runs by itself."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provedp.course.checks.functions import CallError, Remote
from provedp.course.classroom.wire import decode, encode, receive, send
from provedp.course.seeds import Seed
from provedp.verify.audit.targets.deadline_reader import DeadlineReader

WORKER = "provedp.course.classroom.worker"
SUFFIXES = (".json", ".py", ".ipynb")
LARGEST = 1 << 23  # bytes of a file
SINGLE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Limits:
    """What a script or notebook may use: seconds (of waiting, and of processor), and megabytes."""

    seconds: int = 60
    megabytes: int = 2048


@dataclass(frozen=True)
class Submission:
    """The answers of a file by exercise, and what went wrong with it, if anything."""

    name: str
    answers: Mapping[str, Any]
    problem: str = ""


@contextlib.contextmanager
def opened(path: Path, limits: Limits) -> Iterator[Submission]:
    """Yield a submission; its functions can be called until the block ends. Nothing is raised."""
    process = None
    try:
        if path.stat().st_size > LARGEST:
            found = Submission(path.name, {}, f"the file has more than {LARGEST} bytes")
        elif path.suffix == ".json":
            found = _from_json(path)
        else:
            process = Process(path, limits)
            found = process.submission()
    except OSError as error:
        found = Submission(path.name, {}, f"it cannot be read: {error.strerror}")
    try:
        yield found
    finally:
        if process is not None:
            process.close()


def _from_json(path: Path) -> Submission:
    try:
        document = json.loads(
            path.read_text(encoding="utf-8"), parse_float=str, parse_constant=str
        )  # a decimal is exactly what is written
    except (ValueError, RecursionError):
        return Submission(path.name, {}, "it is no JSON")
    answers = document.get("answers", document) if isinstance(document, dict) else None
    if not isinstance(answers, dict):
        return Submission(path.name, {}, "it holds no object of answers by exercise")
    return Submission(path.name, answers)


class Process:
    """The process of a script or notebook, in a folder of its own."""

    def __init__(self, path: Path, limits: Limits):
        self._path, self._limits = path, limits
        self._deadline = time.monotonic() + limits.seconds
        self._folder = tempfile.TemporaryDirectory(prefix="provedp-course-")
        read_request, write_request = os.pipe()
        read_reply, write_reply = os.pipe()
        numbers = (read_request, write_reply, path.resolve(), limits.seconds)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER, *map(str, numbers), str(limits.megabytes << 20)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={**os.environ, **SINGLE, "TMPDIR": self._folder.name, "MPLBACKEND": "agg"},
            pass_fds=(read_request, write_reply),
            start_new_session=True,
        )
        os.close(read_request)
        os.close(write_reply)
        self._requests = os.fdopen(write_request, "wb")
        self._replies = os.fdopen(read_reply, "rb", buffering=0)

    def submission(self) -> Submission:
        """Return what the file answers; a file that fails has a problem, and perhaps answers."""
        try:
            message = self._receive()
            answers = decode(message.get("answers"), lambda number: Remote(self._call(number)))
            if not isinstance(answers, dict):
                raise ValueError
        except CallError as error:
            return Submission(self._path.name, {}, str(error))
        except (ValueError, TypeError, RecursionError, ArithmeticError):
            return Submission(self._path.name, {}, "its answers cannot be read")
        named = {str(name): answer for name, answer in answers.items()}
        return Submission(self._path.name, named, str(message.get("problem", "")))

    def close(self) -> None:
        """End the process and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._requests, self._replies):
            with contextlib.suppress(OSError):
                stream.close()
        self._folder.cleanup()

    def _call(self, number: int) -> Any:
        def ask(arguments: tuple[Any, ...]) -> Any:
            given = [_encoded(argument) for argument in arguments]
            try:
                send(self._requests, {"function": number, "arguments": given})
            except OSError:
                raise CallError("its process has ended") from None
            message = self._receive()
            if "error" in message:
                raise CallError(str(message["error"]))
            try:
                return decode(message.get("value"), lambda _: None)
            except (ValueError, TypeError, ArithmeticError):
                raise CallError("what it returns cannot be read") from None

        return ask

    def _receive(self) -> dict[str, Any]:
        try:
            return receive(DeadlineReader(self._replies, self._deadline))
        except TimeoutError:
            raise CallError(f"it took more than {self._limits.seconds} seconds") from None
        except (EOFError, ValueError, OSError):
            raise CallError(self._end()) from None

    def _end(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code in (-signal.SIGKILL, -signal.SIGXCPU):
            return f"its process was ended (more than {self._limits.seconds} seconds, or memory)"
        how = "" if code is None else f" with status {code}"
        return (
            f"its process ended{how} before it had answered (memory: {self._limits.megabytes} MB)"
        )


def _encoded(argument: Any) -> Any:
    if isinstance(argument, Seed):
        return {"mapping": [["seed", {"whole": str(argument.value)}]]}
    return encode(argument, lambda _: 0)
