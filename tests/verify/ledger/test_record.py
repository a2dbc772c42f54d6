"""The ledger as a file: its schema, what counts as a difference, and files written whole."""

import copy
import json
import threading
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from provedp.verify.ledger import (
    Paper,
    Source,
    committed,
    pages,
    parallel,
    record,
    registry,
    totals,
)
from provedp.verify.ledger.instances import Level

ROOT = Path(__file__).resolve().parents[3]
SOME = [
    "counting.even_spectrum_is_as_printed",
    "counting.distance_changes_by_at_most_one",
    "counting.shared_entries_are_counted",
    "counting.worst_input_is_the_least_diagonal_entry",
]


def entries_of(names: list[str], jobs: int = 1) -> list[record.Entry]:
    running = parallel.run_all(names, file=None, level=Level.QUICK, jobs=jobs)
    return [entry for _, entry in running]


@pytest.fixture(scope="module")
def entries() -> list[record.Entry]:
    return entries_of(SOME)


def schema() -> Any:
    return json.loads((ROOT / "provedp/verify/ledger/schema.json").read_text(encoding="utf-8"))


def committed_ledger() -> record.Entry:
    ledger = committed.ledger()
    assert ledger is not None
    return ledger


def test_run_matches_the_schema(entries: list[record.Entry]) -> None:
    jsonschema.validate(record.document(entries), schema())


def test_committed_ledger_matches_the_schema() -> None:
    jsonschema.validate(committed_ledger(), schema())


def test_committed_page_is_that_of_the_committed_data() -> None:
    ledger = committed_ledger()
    page = (ROOT / "LEDGER.md").read_text(encoding="utf-8")
    assert page == pages.contents(ledger["claims"], "docs/papers")


def test_committed_pages_of_the_papers_are_those_of_the_committed_data() -> None:
    made = pages.pages(committed_ledger()["claims"])
    folder = ROOT / "docs/papers"
    assert {path.name for path in folder.iterdir()} == set(made)
    for name, text in made.items():
        assert (folder / name).read_text(encoding="utf-8") == text, name


def test_committed_ledger_lists_exactly_the_claims() -> None:
    ledger = committed_ledger()
    assert [item["id"] for item in ledger["claims"]] == list(registry.claims())


def test_entry_holds_the_exact_counterexample(entries: list[record.Entry]) -> None:
    item = entries[0]
    assert item["verdict"] == "refuted"
    assert item["evidence"]["witness"] == {"m": "2", "q": "1/2", "index": "0"}
    assert item["repaired_by"] == [
        "counting.even_spectrum",
        "counting.even_spectrum_for_every_size",
    ]
    assert record.sources_in_words(item) == "counting paper, Appendix A, case M = 2m"
    (source,) = record.sources_of(item)
    assert source == Source(Paper.COUNTING, "Appendix A", "case M = 2m")


def test_number_of_jobs_changes_nothing(entries: list[record.Entry]) -> None:
    again = entries_of(SOME, jobs=2)
    assert record.differences(record.document(entries), again) == []


def test_every_change_but_of_time_is_a_difference(entries: list[record.Entry]) -> None:
    before = record.document(copy.deepcopy(entries))
    assert record.differences(before, entries) == []
    slower = copy.deepcopy(entries)
    slower[1]["evidence"]["seconds"] = 99.0
    assert record.differences(before, slower) == []
    for change in ({"checks": 1}, {"kind": "float"}, {"skipped": 3}):
        changed = copy.deepcopy(entries)
        changed[1]["evidence"].update(change)
        assert len(record.differences(before, changed)) == 1
    for change in ({"verdict": "open"}, {"statement": "other words"}, {"sources": []}):
        changed = copy.deepcopy(entries)
        changed[1].update(change)
        assert len(record.differences(before, changed)) == 1


def test_new_and_removed_claims_are_differences(entries: list[record.Entry]) -> None:
    before = record.document(entries[1:])
    assert record.differences(before, entries) == [f"{SOME[0]} is not in the committed ledger"]
    assert record.removed(before, set(SOME[2:])) == [f"{SOME[1]} is in the committed ledger alone"]


def test_totals(entries: list[record.Entry]) -> None:
    words = totals.in_words(entries)
    assert words == "4 claims: 1 proved, 2 certified, 1 refuted"


def test_unreadable_ledgers(tmp_path: Path) -> None:
    for content in ("", "{", "[]", '{"format": "another"}'):
        path = tmp_path / "ledger.json"
        path.write_text(content)
        with pytest.raises(ValueError, match="ledger"):
            record.read(path)
    with pytest.raises(ValueError, match="cannot be read"):
        record.read(tmp_path / "absent.json")


def test_a_check_that_takes_its_process_with_it_is_a_fault(tmp_path: Path) -> None:
    ends = {
        "ends": "os._exit(7)",
        "fine": "pass",
        "killed": "os.kill(os.getpid(), 9)",
        "too": "pass",
    }
    (tmp_path / "claims.py").write_text(
        "import os\nfrom provedp.verify.ledger import certified, equal, ours\n"
        + "".join(
            f'@ours("test")\n@certified(m=[1])\ndef {name}(m):\n    """m is m."""\n'
            f"    {what}\n    return equal(m, m)\n"
            for name, what in ends.items()
        )
    )
    file = str(tmp_path / "claims.py")
    names = [claim.id for claim in registry.select(None, file)]
    running = parallel.run_all(names, file=file, level=Level.QUICK, jobs=2)
    faults = {result.id.rpartition(".")[2]: result.fault for result, _ in running}
    assert list(faults) == list(ends)
    assert "ended with status 7" in faults["ends"]
    assert "ended with signal SIGKILL" in faults["killed"]
    assert faults["fine"] == faults["too"] == ""


def test_a_pool_that_is_left_early_ends_its_processes() -> None:
    running = parallel.run_all(SOME, file=None, level=Level.QUICK, jobs=2)
    next(running)
    running.close()
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]
