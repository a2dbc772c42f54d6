"""What an audit is asked to do, checked, and who does it."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from provedp.verify.audit.runs.chunks import (
    CONFIRM,
    COUNT,
    LEARN,
    LEAST_CHUNKS,
    REQUESTS,
    Countable,
    Executor,
    Task,
    sizes,
)
from provedp.verify.audit.runs.options import USUAL_RUNS, Options
from provedp.verify.audit.runs.pilot import Pilot
from provedp.verify.audit.targets.target import Target
from provedp.verify.notions.notions import PrivacyNotion
from provedp.verify.pairs.pair import Pair, listed_data

LEAST_SHARE, LARGEST_SHARE = 0.2, 0.3  # of the runs, to learn from
KEPT_NUMBERS = 1 << 23  # of outputs that are learned from
PROCESSES = 12  # fresh ones, for the runs that are counted …
LEARNED = 8  # … and for those that are learned from, on all pairs together
FEWEST = 2  # of these for a pair; if they are fewer all are run in the usual one
HERE = (10, 5)  # of the chunks of a target that runs in this process, one in so many is run in
# another: of those that are learned from, and of all others

LEAST_RUNS = 20

State = TypeVar("State")


@dataclass(frozen=True)
class Plan:
    """A checked request, and who runs its chunks: the executor of the options, or one of ours.

    Attributes
    ----------
    pilot
        What a few runs told beforehand.
    """

    target: Target
    pairs: list[Pair]
    claim: PrivacyNotion
    options: Options
    executor: Executor
    pilot: Pilot = Pilot()

    @property
    def checks(self) -> bool:
        """Whether runs are tested for what they share; seconds share the load of the machine."""
        return self.options.checks and not self.target.timed

    @property
    def restartable(self) -> bool:
        """Whether the target can be started anew."""
        return self.checks and not self.pilot.stays

    @property
    def processes(self) -> int:
        """How many fresh processes the runs that are counted are spread over."""
        if not self.restartable or self.target.fresh or self.target.kind == "once":
            return 0
        return min(PROCESSES, self.most_processes)

    @property
    def _learned_from(self) -> int:
        """The same for the runs that are learned from, for each pair."""
        each = LEARNED // len(self.pairs)
        return min(self.processes, each) if each >= FEWEST else 0

    @property
    def most_processes(self) -> int:
        """How many fresh processes may be started for one purpose, 0 if none can."""
        if not self.restartable:
            return 0
        given = self.options.processes
        return self.pilot.processes if given is None else given

    @property
    def datasets(self) -> tuple[Any, ...]:
        """All data sets, those of pair j at 2j and 2j + 1."""
        return listed_data(self.pairs)

    @property
    def learning(self) -> int:
        """Runs on both data sets of all pairs that are learned from."""
        runs = self.options.runs
        share = LEAST_SHARE * (USUAL_RUNS / runs) ** 0.25
        return math.ceil(2 * runs * float(min(LARGEST_SHARE, max(LEAST_SHARE, share))))

    def tasks(
        self, pair: int, runs: int, event: Countable | None, done: Collection[int] = ()
    ) -> list[Task]:
        """Return the chunks that are left."""
        listed = sizes(runs)
        kind = LEARN if event is None else COUNT
        spread = self.processes if event else self._learned_from
        names = self._processes(f"{kind}.{pair}", len(listed), spread)
        seed = self.options.seed
        return [
            Task(self.target, self.datasets, pair, chunk, size, seed, event, names[chunk])
            for chunk, size in enumerate(listed)
            if chunk not in done
        ]

    def check_tasks(self, pair: int, runs: int) -> list[Task]:
        """Return chunks that are run for the checks alone; their outputs are kept."""
        listed = sizes(runs)
        names = self._processes(f"{CONFIRM}.{pair}", len(listed), self._learned_from)
        seed = self.options.seed
        return [
            Task(self.target, self.datasets, pair, chunk, size, seed, None, name, CONFIRM)
            for chunk, (size, name) in enumerate(zip(listed, names, strict=True))
        ]

    def process(self, pair: int, runs: int, chunk: int) -> str:
        """Return the process of a chunk that is counted."""
        return self._processes(f"{COUNT}.{pair}", len(sizes(runs)), self.processes)[chunk]

    def _processes(self, prefix: str, chunks: int, processes: int) -> list[str]:
        """Return the name of the process of each chunk, '' for the usual one."""
        if not self.target.isolated:
            every = HERE[not prefix.startswith(f"{LEARN}.")] if processes > 0 else chunks + 1
            return [f"{prefix}.{i}" if i % every == every - 1 else "" for i in range(chunks)]
        spread = min(chunks, processes)
        return [f"{prefix}.{i * spread // chunks}" if spread else "" for i in range(chunks)]

    @property
    def seconds(self) -> float:
        """About how long the runs take, one after the other, shared out among the workers."""
        requests, processes = self._requests_and_processes
        spent = self.pilot.seconds(2 * self.options.runs, requests, processes)
        return spent / self.options.workers

    @property
    def _requests_and_processes(self) -> tuple[int, int]:
        pairs = len(self.pairs)
        chunks = LEAST_CHUNKS * pairs + len(sizes(2 * self.options.runs))
        return 2 * REQUESTS * chunks, self._learned_from * pairs + self.processes

    def require_time(self) -> None:
        """Raise `ValueError` if the runs would take longer than the options allow."""
        limit = self.options.limit_time
        if limit is None or self.seconds <= limit:
            return
        fewer = self.pilot.runs_within(limit * self.options.workers, *self._requests_and_processes)
        way = f"--runs {fewer // 2} would do" if fewer >= 2 * LEAST_RUNS else "no --runs would do"
        raise ValueError(
            f"{2 * self.options.runs} runs of {self.target.name} would take about"
            f" {duration(self.seconds)} at {duration(self.pilot.run)} each, more than"
            f" {duration(limit)}: {way}, or a longer --limit-time."
        )

    def saved(self, read: Callable[[dict[str, Any]], State]) -> State | None:
        """Return the state at the last checkpoint, or None.

        Raises
        ------
        ValueError
            If what the checkpoint holds is no state that `read` understands.
        """
        record = self.options.checkpoint.load() if self.options.checkpoint else None
        if record is None:
            return None
        try:
            return read(record)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"The checkpoint holds no state of this audit: {what}.") from None

    def save(self, record: dict[str, Any]) -> None:
        """Give a state to the checkpoint, if there is one."""
        if self.options.checkpoint:
            self.options.checkpoint.save(record)

    def report(self, phase: str, done: int, total: int) -> None:
        """Say how far the audit is, if anyone wants to know."""
        if self.options.progress:
            self.options.progress(phase, done, total)


def duration(seconds: float) -> str:
    """Return a number of seconds in a unit that suits it.

    >>> duration(0.002), duration(75), duration(200_000)
    ('0.002 s', '75 s', '56 h')
    """
    if seconds < 120:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
