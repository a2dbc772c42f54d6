"""What an audit is asked to do, checked, and who does it."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from provedp.verify.audit.runs.chunks import Countable, Executor, Task, sizes
from provedp.verify.audit.runs.options import USUAL_RUNS, Options
from provedp.verify.audit.targets.target import Target
from provedp.verify.notions.notions import PrivacyNotion
from provedp.verify.pairs.pair import Pair, listed_data

LEAST_SHARE, LARGEST_SHARE = 0.2, 0.3  # of the runs, to learn from
KEPT_NUMBERS = 1 << 23  # of outputs that are learned from

State = TypeVar("State")


@dataclass(frozen=True)
class Plan:
    """A checked request, and who runs its chunks: the executor of the options, or one of ours."""

    target: Target
    pairs: list[Pair]
    claim: PrivacyNotion
    options: Options
    executor: Executor

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
        return [
            Task(self.target, self.datasets, pair, chunk, size, self.options.seed, event)
            for chunk, size in enumerate(sizes(runs))
            if chunk not in done
        ]

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
