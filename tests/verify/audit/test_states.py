"""States between two chunks: what comes back from JSON, and what is no state."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import (
    ApproximateDP,
    Counts,
    Options,
    audit,
    audit_profile,
    target,
)
from provedp.verify.audit.events.event import Event, Events
from provedp.verify.audit.events.scores.score import Coordinate
from provedp.verify.audit.events.tallies import Sides, Tally
from provedp.verify.audit.procedures.sequential import SequentialState
from provedp.verify.audit.procedures.states import AimedEvent, FixedState, ProfileState
from provedp.verify.audit.runs.chunks import CONFIRM, Task
from provedp.verify.audit.runs.executors import Serial
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.runs.journals import Journal, Keeping
from provedp.verify.audit.targets.outputs import batch_of_array

SCORE = Coordinate(0)
BOTH, HIGH, LOW = Event(SCORE, 2.0, 0.0), Event(SCORE, 2.0, None), Event(SCORE, None, 0.0)
FIRST = batch_of_array(np.array([3.0, 2.0, 1.0, 0.0, -1.0, -2.0, -3.0]))  # 2 high, 4 low
SECOND = batch_of_array(np.array([5.0, 4.0, 3.0, 0.0, 1.0]))  # 3 high, 1 low
STATES: list[Any] = [
    FixedState(
        1,
        BOTH,
        {
            3: (
                Tally((5, 0), (Sides(1, 2),), (Sides(0, 0),)),
                Tally((0, 6), (Sides(0, 0),), (Sides(3, 4),)),
            )
        },
        (Diagnostic("varies", True, None, "they differ"),),
    ),
    ProfileState(
        0,
        (AimedEvent(BOTH, (0.25, 0.5)), AimedEvent(LOW, (0.0, 1.0))),
        1,
        {0: (Tally((9, 9), (Sides(1, 2), Sides(3, 4)), (Sides(5, 6), Sides(7, 8))),)},
    ),
]


def release(data: float, rng: np.random.Generator, count: int) -> Any:
    return data + rng.laplace(scale=0.5, size=count)


HERE = target(release, isolated=False)


class Saved:
    """A checkpoint that holds this state, and keeps the last one."""

    def __init__(self, state: Any = None):
        self.state = state

    def load(self) -> Any:
        return self.state

    def save(self, state: Any) -> None:
        self.state = json.loads(json.dumps(state))


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (BOTH, Counts(2 + 1, 12, 4 + 3, 12, folded=True)),  # successes: own side; failures: other's
        (HIGH, Counts(2, 7, 3, 5)),
        (LOW, Counts(1, 5, 4, 7)),
    ],
)
def test_counts_of_each_kind_of_event(event: Event, counts: Counts) -> None:
    events = Events((HIGH, event))
    tally = Tally((7, 5), events.counts(FIRST), events.counts(SECOND))
    assert event.counts_of(tally, 1) == counts
    assert Tally.from_record(tally.record()) == tally
    alone = Tally((7, 5), event.counts(FIRST), event.counts(SECOND))
    assert event.counts_of(alone) == counts


def test_tallies_add_up_event_by_event() -> None:
    one = Tally((1, 2), (Sides(1, 0), Sides(0, 1)), (Sides(2, 0), Sides(0, 2)))
    two = Tally((10, 20), (Sides(3, 4), Sides(5, 6)), (Sides(7, 8), Sides(9, 10)))
    total = Tally((11, 22), (Sides(4, 4), Sides(5, 7)), (Sides(9, 8), Sides(9, 12)))
    assert one + two == total
    assert total.record() == [11, 22, 4, 4, 5, 7, 9, 8, 9, 12]
    with pytest.raises(ValueError, match="zip"):
        one + Tally((1, 1))


@pytest.mark.parametrize("record", [[1, 2, 3], [1, 2, 3, 4], [1], [1.5, 2, 3, 4, 5, 6], "12"])
def test_what_is_no_tally_is_refused(record: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        Tally.from_record(record)


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__name__)
def test_states_come_back_from_json(state: Any) -> None:
    assert type(state).from_record(json.loads(json.dumps(state.record()))) == state


def test_a_sequential_state_comes_back_from_json() -> None:
    saved = Saved()
    audit(HERE, [(0.0, 0.1), (0.0, 1.0)], 1.0, runs=500, sequential=True, checkpoint=saved)
    again = SequentialState.from_record(saved.state).record()
    assert json.loads(json.dumps(again)) == saved.state


def test_a_state_is_read_as_it_is_written() -> None:
    """Literal records, as folders of interrupted audits hold them."""
    score = {"kind": "coordinate", "index": 0, "sign": 1, "single": True}
    event = {"score": score, "high": 2.0, "low": 0.0}
    varies = {"name": "varies", "passed": True, "p_value": None, "words": "they differ"}
    parts = [[5, 0, 1, 2, 0, 0], [0, 6, 0, 0, 3, 4]]
    fixed = {"pair": 1, "event": event, "checks": [varies], "done": {"3": parts}}
    assert FixedState.from_record(fixed) == STATES[0]
    profile = {
        "pair": 0,
        "events": [event, {**event, "high": None}],
        "arcs": [[0.25, 0.5], [0.0, 1.0]],
        "claimed": 1,
        "checks": [],
        "done": {"0": [[9, 9, 1, 2, 3, 4, 5, 6, 7, 8]]},
    }
    assert ProfileState.from_record(profile) == STATES[1]


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("state", [{}, [], 5, STATES[1].record(), {"turn": 1, "peaks": [0.0]}])
def test_a_state_of_something_else_is_refused_in_one_line(state: Any, sequential: bool) -> None:
    with pytest.raises(ValueError, match="checkpoint holds no state of this audit") as refused:
        audit(HERE, (0.0, 1.0), ApproximateDP(1.0), sequential=sequential, checkpoint=Saved(state))
    assert "\n" not in str(refused.value)


def test_a_profile_refuses_the_state_of_one_claim() -> None:
    with pytest.raises(ValueError, match="no state of this audit: it lacks 'events'"):
        audit_profile(HERE, (0.0, 1.0), checkpoint=Saved(STATES[0].record()))


def test_a_sequential_audit_refuses_another_number_of_pairs() -> None:
    saved = Saved()
    audit(HERE, [(0.0, 0.1), (0.0, 1.0)], 1.0, runs=40, sequential=True, checkpoint=saved)
    with pytest.raises(ValueError, match="of an audit of 2 pairs, not of 1"):
        audit(HERE, (0.0, 1.0), 1.0, runs=40, sequential=True, checkpoint=saved)


def test_counting_leaves_the_state_that_it_started_from_alone() -> None:
    saved = Saved()
    whole = audit(HERE, (0.0, 1.0), 1.0, runs=400, seed=2, processes=4, checkpoint=saved)
    half = {**saved.state, "done": dict(list(saved.state["done"].items())[:7])}
    before = json.dumps(half)
    again = audit(HERE, (0.0, 1.0), 1.0, runs=400, seed=2, processes=4, checkpoint=Saved(half))
    assert again == whole
    assert json.dumps(half) == before


def test_a_sequential_audit_that_is_over_gives_its_result_again() -> None:
    """All of it is in the last state, the wealth of each pair included."""
    pairs, saved = [(0.0, 0.1), (0.0, 1.0), (0.0, 0.01)], Saved()
    options = Options(runs=500, sequential=True, processes=4, checkpoint=saved)
    whole = audit(HERE, pairs, 1.0, options=options)
    assert whole.pair == 1 and whole.refuted
    again = audit(HERE, pairs, 1.0, options=options.but(checkpoint=Saved(saved.state)))
    assert again == whole


def test_a_journal_has_one_line_for_each_chunk(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {"a": 1})
    whole = audit(HERE, (0.0, 1.0), 1.0, runs=400, seed=2, processes=4, checkpoint=journal)
    lines = journal.path.read_bytes().splitlines()
    state = journal.load()
    assert state is not None and len(lines) == len(set(lines)) == 2 + len(state["done"])
    journal.close()
    again = Journal(tmp_path, {"a": 1})
    assert again.load() == state
    assert whole == audit(HERE, (0.0, 1.0), 1.0, runs=400, seed=2, processes=4, checkpoint=again)
    again.close()


def test_kept_outputs_do_not_stand_for_the_runs_of_checks(tmp_path: Path) -> None:
    """Chunks of the same number are learned from, and run for the checks with other seeds."""
    learned = Task(HERE, (0.0, 1.0), 0, 0, 40, 2, None)
    checked = Task(HERE, (0.0, 1.0), 0, 0, 40, 2, None, kind=CONFIRM)
    own, journal = Serial(HERE, (0.0, 1.0)), Journal(tmp_path, {"a": 1})
    keeping = Keeping(own, journal)
    first, second, again = (
        [each.outputs[0].numbers.tolist() for each in keeping.map([task])]
        for task in (learned, checked, learned)
    )
    assert first == again != second
    assert second == [each.outputs[0].numbers.tolist() for each in own.map([checked])]
    own.close()
    journal.close()
