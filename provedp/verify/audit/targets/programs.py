"""Programs in any language as targets: the line protocol, and one process per run.

A program of the line protocol is started once. The environment variable PROVEDP_DATA names a JSON
file with the list of all data sets of the audit. For each request it reads a line

    INDEX COUNT

and writes COUNT lines, each the JSON value of a fresh run on data set INDEX (counted from 0), and
flushes. In a shell: `while read index count; do …; done`. It ends when its input ends: one that
ends sooner with status 0 breaks the protocol, with another status that is the outcome of a run.

A program that is started once per run finds its data set as JSON on standard input and prints one
JSON value; text that is no JSON counts as a string, of which the line's end alone is left out.
"""

import contextlib
import json
import os
import subprocess
import tempfile
from typing import Any

import numpy as np

from provedp.verify.audit.targets.failures import exited
from provedp.verify.audit.targets.outputs import Batch, batch_of_list, joined

SHOWN = 200  # characters of a wrong line that are quoted


class ProgramError(Exception):
    """A program wrote what is no output."""


class ProgramEndedError(ProgramError):
    """A program of the line protocol ended; `status` says how."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


class LineProgram:
    """A program that is started once and answers requests line by line."""

    def __init__(self, command: list[str], datasets: list[Any]):
        self._indices = {_text(data): index for index, data in reversed(list(enumerate(datasets)))}
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            json.dump([json.loads(_text(data)) for data in datasets], file)
        self._command, self._file = command, file.name
        self._start()

    def _start(self) -> None:
        read_request, write_request = os.pipe()
        read_line, write_line = os.pipe()
        self._child = subprocess.Popen(
            self._command,
            stdin=read_request,
            stdout=write_line,
            env={**os.environ, "PROVEDP_DATA": self._file},
        )
        os.close(read_request)
        os.close(write_line)
        self._requests = os.fdopen(write_request, "w", encoding="utf-8")
        self._lines = os.fdopen(read_line, encoding="utf-8", errors="replace")

    def run(self, data: Any, seed: list[int], count: int) -> Batch:
        """Return the outputs of `count` runs; the seed is not known to the program.

        Raises
        ------
        ProgramEndedError
            If it ended as one that failed; it is started again for the next request.
        ProgramError
            If it ended with status 0, or wrote a line that is no JSON value.
        """
        try:
            self._requests.write(f"{self._indices[_text(data)]} {count}\n")
            self._requests.flush()
        except BrokenPipeError:
            raise self._end() from None
        outputs = []
        for _ in range(count):
            line = self._lines.readline()
            if not line.endswith("\n"):
                raise self._end()
            outputs.append(_value(line))
        return batch_of_list(outputs)

    def _end(self) -> ProgramError:
        """Return what to say of the end of the program, and start it anew."""
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._lines.close()
        status = self._child.wait()
        message = f"the program {self._command[0]} ended with status {status}"
        if status == 0:
            return ProgramError(f"{message} before it answered")
        self._start()
        return ProgramEndedError(message, status)


def run_once(
    command: list[str], data: Any, seed: list[int], count: int, errors: str = "fail"
) -> Batch:
    """Return the outputs of `count` processes, each with a seed of its own in PROVEDP_SEED.

    An exit status other than 0 is an outcome, together with what was printed, if `errors` is
    'outcome'.
    """
    seeds = np.random.SeedSequence(seed).generate_state(count)
    text = _text(data)
    outputs: list[Batch] = []
    for each in seeds:
        done = subprocess.run(
            command,
            input=text,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PROVEDP_SEED": str(each)},
        )
        output = batch_of_list([_value_or_text(done.stdout)])
        if done.returncode != 0 and errors == "fail":
            raise ProgramError(f"the program {command[0]} ended with status {done.returncode}")
        outputs.append(exited(done.returncode, output) if done.returncode else output)
    return joined(outputs)


def _text(data: Any) -> str:
    """Return a data set as JSON."""
    return json.dumps(data, default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"data of type {type(value).__name__} cannot be given to a program as JSON")


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        shown = line.rstrip("\n")[:SHOWN]
        raise ProgramError(f"the program wrote a line that is no JSON value: {shown!r}") from None


def _value_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.removesuffix("\n")
