"""What an audit writes while it runs, so that it can be interrupted at any moment.

A folder with one journal: a line for the request, one for the event that was learned, one for each
chunk of runs that was counted. A line is written whole and carries a check sum; a last line that is
not whole is dropped, and its chunk run again with the same seed. Outputs that are learned from are
files of their own, one per chunk, until the event is known.
"""

import contextlib
import fcntl
import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.chunks import Done, Executor, Task
from provedp.verify.audit.targets.outputs import Batch, batch_from, bytes_of, header_of
from provedp.verify.files import write, write_bytes

FORMAT = "provedp audit journal 2"
NAME = "journal.jsonl"
OUTPUTS = "outputs"


class Journal:
    """The journal of one audit: a `Checkpoint`.

    Parameters
    ----------
    folder
        Where it is; made if need be.
    request
        What is audited, and how, as JSON data. Only an audit of the same request is continued.

    Raises
    ------
    ValueError
        If the folder cannot be written to, or holds the journal of another request, or one that is
        damaged or in use.
    """

    def __init__(self, folder: Path, request: dict[str, Any]):
        self.folder, self.path = folder, folder / NAME
        self._request = {"format": FORMAT, **json.loads(json.dumps(request))}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"{folder} cannot be written: {error.strerror}.") from None
        if not self.path.exists():
            with _kept(self.path):
                write(self.path, _line(self._request).decode())
        self._handle = os.open(self.path, os.O_RDWR)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            lines = self._read()
        except BlockingIOError:
            os.close(self._handle)
            raise ValueError(f"{folder} is in use by another audit.") from None
        except BaseException:
            os.close(self._handle)
            raise
        self._learned = lines[0] if lines else None
        self._done = {chunk: counts for line in lines[1:] for chunk, counts in line.items()}

    def load(self) -> dict[str, Any] | None:
        """Return the state of an interrupted audit, or None if no event was learned yet."""
        return None if self._learned is None else {**self._learned, "done": dict(self._done)}

    def save(self, state: dict[str, Any]) -> None:
        """Write what is new in a state: the event, or chunks."""
        if self._learned is None:
            learned = {name: value for name, value in state.items() if name != "done"}
            self._append(learned)
            self._learned = learned
        for chunk, counts in list(state["done"].items())[len(self._done) :]:
            self._append({chunk: counts})
            self._done[chunk] = counts

    def outputs(self, pair: int, chunk: int) -> Done | None:
        """Return the outputs of a chunk that were kept, or None."""
        path = self._outputs_of(pair, chunk)
        if not path.exists():
            return None
        head, _, raw = path.read_bytes().partition(b"\n")
        try:
            header = json.loads(head)
            if zlib.crc32(raw) != header["crc"]:
                raise ValueError
            first = header["first"]
            batches = (
                batch_from(first["header"], raw[: first["bytes"]]),
                batch_from(header["second"], raw[first["bytes"] :]),
            )
            parts = tuple(Tally.from_record(each) for each in header["requests"])
        except (ValueError, KeyError):
            raise ValueError(f"{path} is damaged; remove {self.folder} to start anew.") from None
        return Done(pair, chunk, parts, batches, header["process"])

    def keep(self, done: Done) -> None:
        """Write the outputs of a chunk."""
        first, second = done.outputs
        parts = bytes_of(first), bytes_of(second)
        header = {
            "crc": zlib.crc32(parts[0] + parts[1]),
            "first": {"header": header_of(first), "bytes": len(parts[0])},
            "second": header_of(second),
            "requests": [part.record() for part in done.parts],
            "process": done.process,
        }
        path = self._outputs_of(done.pair, done.chunk)
        with _kept(path):
            path.parent.mkdir(exist_ok=True)
            write_bytes(path, json.dumps(header).encode() + b"\n" + parts[0] + parts[1])

    def sample(self, pair: int, runs: int) -> list[tuple[Batch, Batch]]:
        """Return outputs of a pair that were kept, chunk by chunk, of at least so many runs."""
        outputs: list[tuple[Batch, Batch]] = []
        kept = [path.name for path in (self.folder / OUTPUTS).glob(f"{pair}-*")]
        for chunk in sorted(int(name.partition("-")[2]) for name in kept if "." not in name):
            if sum(len(first) for first, _ in outputs) < runs:
                done = self.outputs(pair, chunk)
                outputs += [(done.outputs[0], done.outputs[1])] if done else []
        return outputs

    def finish(self) -> None:
        """Remove the journal: the audit is over, and the next one of the folder starts anew."""
        self.path.unlink()
        shutil.rmtree(self.folder / OUTPUTS, ignore_errors=True)
        self.close()

    def close(self) -> None:
        """Let go of the journal."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _outputs_of(self, pair: int, chunk: int) -> Path:
        return self.folder / OUTPUTS / f"{pair}-{chunk}"

    def _read(self) -> list[dict[str, Any]]:
        """Return the lines after that of the request; cut off a last one that is not whole."""
        whole = self.path.read_bytes().split(b"\n")
        lines = list(takewhile(lambda line: line is not None, map(_parsed, whole[:-1])))
        if len(lines) < len(whole) - 2 or not lines or lines[0].get("format") != FORMAT:
            raise ValueError(
                f"{self.path} is damaged or no journal of an audit; remove {self.folder} to start"
                " anew."
            )
        names = self._request.keys() | lines[0].keys()
        differing = [name for name in names if self._request.get(name) != lines[0].get(name)]
        if differing:
            raise ValueError(
                f"{self.folder} holds an unfinished audit that differs in"
                f" {', '.join(sorted(differing))}: finish it with the same request, remove it, or"
                " choose another folder."
            )
        self._size = sum(len(line) + 1 for line in whole[: len(lines)])
        os.ftruncate(self._handle, self._size)
        return [line for line in lines[1:] if line is not None]

    def _append(self, record: dict[str, Any]) -> None:
        line = _line(record)
        with _kept(self.path):
            try:
                written = os.pwrite(self._handle, line, self._size)
                if written < len(line):
                    os.pwrite(self._handle, line[written:], self._size + written)
            except OSError:
                os.ftruncate(self._handle, self._size)
                raise
        self._size += len(line)


class Keeping:
    """An executor that keeps outputs that are learned from in a journal, and takes them from there.

    Parameters
    ----------
    inner
        Who runs the chunks that are not kept.
    journal
        Where.
    """

    def __init__(self, inner: Executor, journal: Journal):
        self._inner, self._journal = inner, journal

    def map(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Return the results as they come, those that are kept first."""
        left = []
        for task in tasks:
            kept = self._journal.outputs(task.pair, task.chunk) if _is_learned_from(task) else None
            if kept is None:
                left.append(task)
            else:
                yield kept
        learned = {(task.pair, task.chunk) for task in left if _is_learned_from(task)}
        for done in self._inner.map(left):
            if (done.pair, done.chunk) in learned:
                self._journal.keep(done)
            yield done


def _is_learned_from(task: Task) -> bool:
    """Whether a chunk is neither counted nor run for the checks, whose runs are their own."""
    return task.event is None and task.kind is None


@contextlib.contextmanager
def _kept(path: Path) -> Iterator[None]:
    """Turn a failure to write into one sentence."""
    try:
        yield
    except OSError as error:
        raise ValueError(
            f"{path} cannot be written: {error.strerror}. What was written before is kept: the"
            " same request goes on from there."
        ) from None


def _line(record: dict[str, Any]) -> bytes:
    text = json.dumps(record).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _parsed(line: bytes) -> Any:
    """Return the record of a line, or None if it is not whole."""
    check, _, text = line.partition(b" ")
    if check != b"%08x" % zlib.crc32(text):
        return None
    return json.loads(text)
