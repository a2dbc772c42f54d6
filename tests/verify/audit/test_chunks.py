"""Chunks of runs that keep their first outputs only."""

from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.chunks import Done, shortened
from provedp.verify.audit.targets.outputs import batch_of_list


def test_the_first_outputs_stay_with_the_requests_they_come_from():
    parts = (Tally((3, 0)), Tally((0, 4)), Tally((2, 0)), Tally((0, 1)))
    outputs = batch_of_list([1.0, 2.0, 3.0, 4.0, 5.0]), batch_of_list([6.0, 7.0, 8.0, 9.0, 10.0])
    short = shortened(Done(0, 7, parts, outputs, "b"), 4)
    assert short.parts == (Tally((3, 0)), Tally((0, 4)), Tally((1, 0)))
    assert [batch.numbers[:, 0].tolist() for batch in short.outputs] == [[1, 2, 3, 4], [6, 7, 8, 9]]
    assert (short.pair, short.chunk, short.process) == (0, 7, "b")
