"""What an audit is asked to do, and how it reports on the way."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol

from provedp.verify.audit.notions.notions import PrivacyNotion
from provedp.verify.audit.pairs.pair import Pair, listed_data
from provedp.verify.audit.runs.chunks import Countable, Executor, Task, sizes
from provedp.verify.audit.targets.target import Target

LEAST_SHARE, LARGEST_SHARE = 0.2, 0.3  # of the runs, to learn from
USUAL_RUNS = 100_000
KEPT_NUMBERS = 1 << 23  # of outputs that are learned from

Progress = Callable[[str, int, int], None]


class Checkpoint(Protocol):
    """Where an audit writes how far it is."""

    def load(self) -> dict[str, Any] | None:
        """Return the last state, or None."""
        ...

    def save(self, state: dict[str, Any]) -> None:
        """Keep a state (JSON data); called after each chunk."""
        ...


@dataclass(frozen=True)
class Plan:
    """A checked request."""

    target: Target
    pairs: list[Pair]
    claim: PrivacyNotion
    runs: int
    confidence: float
    channel: str
    seed: int
    executor: Executor
    progress: Progress
    checkpoint: Checkpoint | None

    @property
    def datasets(self) -> tuple[Any, ...]:
        """All data sets, those of pair j at 2j and 2j + 1."""
        return listed_data(self.pairs)

    @property
    def learning(self) -> int:
        """Runs on both data sets of all pairs that are learned from."""
        share = LEAST_SHARE * (USUAL_RUNS / self.runs) ** 0.25
        return math.ceil(2 * self.runs * float(min(LARGEST_SHARE, max(LEAST_SHARE, share))))

    def tasks(
        self, pair: int, runs: int, event: Countable | None, done: Collection[int] = ()
    ) -> list[Task]:
        """Return the chunks that are left."""
        return [
            Task(self.target, self.datasets, pair, chunk, size, self.seed, event)
            for chunk, size in enumerate(sizes(runs))
            if chunk not in done
        ]
