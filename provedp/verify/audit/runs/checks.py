"""Whether the runs of an audit share more than their law, from the runs themselves.

The runs come from many requests in several fresh processes. Noise that is drawn once per process
(at import, by a fit, into a cache) or once per request (hash functions, minibatches, permutations)
makes the runs of a group alike and groups differ. Then counts are no binomial ones, and there is no
verdict: a mechanism that keeps its claim in each output would be refuted.

What is compared: the numbers and outcomes of the runs that are learned from, in bins, and the
events in those that are counted; whether equal outcomes stay within a group; whether requests with
different seeds begin alike. All errors together are at most the false-alarm rate. What no test of
these runs can see: noise that outlives a process (in a file, on a server, in the clock), groups
that differ more rarely than there are groups, and dependence that leaves all of this as it is.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from provedp.verify.audit.events.scores.score import distinct
from provedp.verify.audit.runs.chunks import Done
from provedp.verify.audit.runs.independence import Diagnostic, within_requests
from provedp.verify.audit.statistics.dispersion import (
    BINS,
    binned,
    dispersion_p_values,
    shared_outcomes_p_value,
    table_of,
)
from provedp.verify.audit.targets.outputs import Batch, joined
from provedp.verify.audit.targets.target import TargetError

STRICT = 1e-4  # once the claim is refuted: a verdict has more to lose than a second look
HARMLESS = {"varies", "repeats"}  # a map without noise can be audited, too
COLUMNS = 4  # numbers of an output that are compared
LOOKED_AT = 4000  # runs that are tested one after the other
PREFIX = 64  # first runs of requests that are compared

Integers = NDArray[np.intp]

ADVICE = {
    "processes": "Noise that is drawn once and kept (at import, in a cache, by a fit) is one draw,"
    " however many runs there are: audit it with each run in a process of its own (--fresh).",
    "requests": "Noise that is drawn once per call is one draw, however many outputs the call"
    " returns: audit the whole answer to a call as one output, or a call for each run (--fresh).",
}
FAULT = (
    "An audit counts independent runs; if this is how the mechanism is deployed, that is a fault of"
    " its own."
)


class DependentRuns(TargetError):
    """Runs share more than their law, so that counts of them prove nothing: no verdict.

    `diagnostics` says what was found.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        failed = [each for each in diagnostics if is_fault(each)]
        failed = [each for each in failed if each.name in ADVICE] or failed  # others follow
        advice = [ADVICE[each.name] for each in failed if each.name in ADVICE]
        super().__init__(
            "No verdict. Its runs are not independent:"
            f" {'; '.join(map(in_words, failed))}. {' '.join(advice) or FAULT} Without the checks"
            " (--no-checks, checks=False) such runs are counted all the same."
        )


def is_fault(diagnostic: Diagnostic) -> bool:
    """Return whether a check failed that the counts rely on."""
    return not diagnostic.passed and diagnostic.name not in HARMLESS


def in_words(diagnostic: Diagnostic) -> str:
    """Return one diagnostic in words."""
    certainty = "" if diagnostic.p_value is None else f" (p = {diagnostic.p_value:.1e})"
    return f"{diagnostic.words}{certainty if not diagnostic.passed else ''}"


def line_of(diagnostics: Sequence[Diagnostic]) -> str:
    """Return what was found, in a line."""
    return "; ".join(map(in_words, diagnostics)) if diagnostics else "not checked"


def records_of(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return what was found as JSON data."""
    return [vars(each) for each in diagnostics]


def require_independent(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return what was found.

    Raises
    ------
    DependentRuns
        If a check failed that the counts rely on.
    """
    if any(map(is_fault, diagnostics)):
        raise DependentRuns(diagnostics)
    return tuple(diagnostics)


@dataclass(frozen=True)
class _Runs:
    """The runs on one data set, in order: their outputs, requests and processes, from 0."""

    outputs: Batch
    requests: Integers
    processes: Integers

    @property
    def varied(self) -> bool:
        return len(distinct(self.outputs)[0]) > 1


def outputs_checked(chunks: Sequence[Done], false_alarm: float) -> list[Diagnostic]:
    """Check runs whose outputs were kept, all on one pair.

    Parameters
    ----------
    chunks
        What came of them.
    false_alarm
        The probability, at most, that runs which are independent fail a check.

    Returns
    -------
    Diagnostics: 'varies' (some outputs on a data set differ), 'restarts' (requests with different
    seeds begin differently), 'independent' and 'stationary' (see `check_runs`), 'requests' and
    'processes' (the runs of all of them are alike).
    """
    ordered = sorted(chunks, key=lambda each: each.chunk)
    found: list[Diagnostic] = []
    tests: list[_Compared] = []
    for side in (0, 1):  # one after the other: each is a copy of its outputs
        diagnostics, compared = _looked_at(_side(ordered, side), false_alarm / 10)
        found += diagnostics
        tests += compared
    words = "they differ" if found else "every run is the same"
    varies = Diagnostic("varies", bool(found), None, words)
    return [varies, *_worst(found), *(_compared(tests, false_alarm / 2) if found else [])]


def _looked_at(runs: "_Runs", false_alarm: float) -> tuple[list[Diagnostic], list["_Compared"]]:
    """Return what the runs on one data set tell, and comparisons; nothing if all are the same."""
    if not runs.varied:
        return [], []
    found = [
        _restarts(runs, false_alarm),
        *within_requests(_head(runs), _in_halves(runs), false_alarm),
    ]
    return found, list(_output_tests(runs))


def counts_checked(chunks: Sequence[Done], false_alarm: float) -> list[Diagnostic]:
    """Check the counts of all events in the requests and processes of chunks on one pair."""
    ordered = sorted(chunks, key=lambda each: each.chunk)
    return _compared(list(_count_tests(ordered)), false_alarm)


def _side(chunks: Sequence[Done], side: int) -> _Runs:
    processes = _numbered([each.process for each in chunks])
    requests, owners = [], []
    for process, each in zip(processes, chunks, strict=True):
        sizes = [part.runs[side] for part in each.parts if part.runs[side]]
        requests += sizes
        owners += [process] * sum(sizes)
    numbers = np.repeat(np.arange(len(requests)), requests)
    outputs = joined([each.outputs[side] for each in chunks])
    return _Runs(outputs, numbers, np.array(owners, dtype=np.intp))


def _numbered(names: Sequence[str]) -> list[int]:
    known: dict[str, int] = {}
    return [known.setdefault(name, len(known)) for name in names]


def _worst(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return one diagnostic of each name: a failed one if there is one."""
    names = list(dict.fromkeys(each.name for each in found))
    same = ([each for each in found if each.name == name] for name in names)
    return [min(each, key=lambda one: one.passed) for each in same]


def _head(runs: _Runs) -> Batch:
    return runs.outputs.rows(slice(0, LOOKED_AT))


def _in_halves(runs: _Runs) -> Batch:
    """Return the first halves of all processes, then the second ones."""
    first, second = [], []
    for process in range(int(runs.processes.max()) + 1):
        rows = np.flatnonzero(runs.processes == process)
        first.append(rows[: len(rows) // 2])
        second.append(rows[len(rows) // 2 : 2 * (len(rows) // 2)])
    return runs.outputs.rows(np.concatenate([*first, *second]))


def _restarts(runs: _Runs, false_alarm: float) -> Diagnostic:
    """Compare the beginnings of requests, which have different seeds."""
    outcomes = distinct(runs.outputs)[1]
    starts = np.flatnonzero(np.r_[True, np.diff(runs.requests) > 0])
    sizes = np.diff(np.r_[starts, len(runs.requests)])
    length = int(min(PREFIX, np.median(sizes)))
    heads = [
        tuple(outcomes[start : start + length].tolist())
        for start, size in zip(starts, sizes, strict=True)
        if size >= length
    ]
    shares = np.bincount(outcomes) / len(outcomes)
    by_chance = float(np.sum(shares**2)) ** length * len(heads) ** 2 / 2
    varied = [head for head in heads if len(set(head)) > 1]
    same = len(set(varied)) < len(varied) and by_chance < false_alarm
    words = "the same outputs come back under another seed" if same else "new with another seed"
    return Diagnostic("restarts", not same, None, words)


class _Compared(NamedTuple):
    """P-values, each two-sided: of all requests, of those within each process, of processes."""

    requests: float
    within: float
    processes: float


def _compared(tests: Sequence[_Compared], false_alarm: float) -> list[Diagnostic]:
    """Return whether requests, and processes, are alike in all tests together."""
    tries = len(_Compared._fields) * max(1, len(tests))
    every, within, processes = (
        min(1.0, tries * min((test[field] for test in tests), default=1.0)) for field in range(3)
    )
    differ = min(every, within, processes) <= false_alarm
    by_request = differ and (within <= false_alarm or processes > false_alarm)
    by_process = differ and not by_request
    return [
        Diagnostic(
            "requests",
            not by_request,
            min(every, within),
            "the runs of one request share more than their law"
            if by_request
            else "alike in all requests",
        ),
        Diagnostic(
            "processes",
            not by_process,
            min(every, processes),
            "the runs of one process share more than their law"
            if by_process
            else "alike in all processes",
        ),
    ]


def _output_tests(runs: _Runs) -> Iterator[_Compared]:
    """Yield what the comparison of outputs gives: bins of each number, outcomes that come again."""
    for kinds in _kinds(runs.outputs):
        table = table_of(runs.requests, kinds)
        owners = runs.processes[np.flatnonzero(np.r_[True, np.diff(runs.requests) > 0])]
        yield _of_tables(table, owners)
    outcomes = distinct(runs.outputs)[1]
    shared = [shared_outcomes_p_value(outcomes, each) for each in (runs.requests, runs.processes)]
    yield _Compared(shared[0], 1.0, shared[1])


def _count_tests(chunks: Sequence[Done]) -> Iterator[_Compared]:
    """Yield what the comparison of the counts of each event on each data set gives."""
    processes = _numbered([each.process for each in chunks])
    for side in (0, 1):
        parts = [
            (process, part)
            for process, each in zip(processes, chunks, strict=True)
            for part in each.parts
            if part.runs[side]
        ]
        owners = np.array([process for process, _ in parts], dtype=np.intp)
        sizes = np.array([part.runs[side] for _, part in parts])
        events = [part.on_second if side else part.on_first for _, part in parts]
        for counts in zip(*events, strict=True):
            marked = np.array(counts)
            yield _of_tables(np.column_stack([marked, sizes - marked.sum(axis=1)]), owners)
    yield from _folded_tests(chunks, processes)


def _folded_tests(chunks: Sequence[Done], processes: Sequence[int]) -> Iterator[_Compared]:
    """Yield the same for the runs that speak for their own data set, and for the other."""
    owners = np.array(processes, dtype=np.intp)
    tallies = [each.tally for each in chunks]
    for event in range(len(tallies[0].on_first) if tallies else 0):
        rows = []
        for tally in tallies:
            own, other = tally.on_first[event], tally.on_second[event]
            success, failure = own.first + other.second, own.second + other.first
            rows.append([success, failure, sum(tally.runs) - success - failure])
        yield _of_tables(np.array(rows), owners)._replace(requests=1.0, within=1.0)


def _of_tables(table: Integers, owners: Integers) -> _Compared:
    """Compare the rows of a table, one for each request, whose processes are `owners`."""
    numbers = np.unique(owners)
    sums = np.array([table[owners == each].sum(axis=0) for each in numbers])
    within = _two_sided(*(table[owners == each] for each in numbers))
    return _Compared(_two_sided(table), within, _two_sided(sums))


def _two_sided(*tables: Integers) -> float:
    return min(1.0, 2 * min(dispersion_p_values(*tables))) if len(tables[0]) else 1.0


def _kinds(batch: Batch) -> Iterator[Integers]:
    """Yield the kind of each run: bins of its numbers, and of its token."""
    if len(batch.tokens) > 1:
        many = len(batch.tokens) > BINS
        bins = [zlib.crc32(token.encode()) % BINS for token in batch.tokens]
        yield np.asarray(bins if many else range(len(bins)), dtype=np.intp)[batch.codes]
    for column in range(min(COLUMNS, batch.numbers.shape[1])):
        values = batch.numbers[:, column]
        yield binned(np.where(np.isnan(values), -np.inf, values))
