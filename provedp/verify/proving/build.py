"""Build the proofs and record what was proved: `python -m provedp.verify.proving.build`.

Writes `proofs/agreement.v` from the Python formulas, compiles all sources in `build/proofs`, asks
the assistant for each theorem's statement and assumptions, and writes the record. Exit status 0 if
all is proved, 1 if not, 2 if the assistant is not here.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from provedp.verify import files
from provedp.verify.formal import sources
from provedp.verify.formal.agreement import AGREEMENTS, agreement
from provedp.verify.formal.record import (
    CHECKED,
    CLOSED,
    FILE,
    FORMAT,
    Record,
    forget,
    of_data,
)
from provedp.verify.ledger import registry
from provedp.verify.proving import assistant, mutants, page

PLACE = sources.FOLDER.parent / "build" / "proofs"


def main(arguments: list[str] | None = None) -> int:
    """Build, or try the mutants of the definitions, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check the proofs and record what was proved.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="files at a time")
    parser.add_argument(
        "--mutants", action="store_true", help="try wrong definitions too: none may compile"
    )
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as trial:
        if not assistant.is_here(Path(trial)):
            print(assistant.MISSING, file=sys.stderr)
            return 2
    PLACE.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    try:
        record = build(chosen.jobs)
        refused = mutants.refused(PLACE) if chosen.mutants else {}
    except assistant.ProofError as error:
        print(error, file=sys.stderr)
        return 1
    told = f"{len(record.theorems)} theorems for {len(record.claims)} claims"
    print(f"{told}, all {CLOSED.lower()} ({time.perf_counter() - start:.0f} s).")
    for mutant, is_refused in refused.items():
        print(f"{'refused ' if is_refused else 'ACCEPTED'} {mutant}")
    return 0 if all(refused.values()) else 1


def build(jobs: int) -> Record:
    """Compile all, write the record and say that it was checked here; return the record.

    Raises
    ------
    ProofError
        If a source is not accepted, or a theorem rests on an assumption.
    """
    checked = sources.FOLDER / CHECKED
    checked.unlink(missing_ok=True)
    _write(sources.FOLDER / sources.AGREEMENT, agreement())
    texts = sources.read()
    copy(texts, PLACE)
    assistant.compile_all(PLACE, jobs)
    data = record_data(PLACE, texts)
    record = of_data(data)
    _write(Path(str(FILE)), json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    _write(checked, json.dumps(dict(record.digests)))
    forget()
    _write(sources.FOLDER.parent / page.PAGE, page.text(record))
    return record


def copy(texts: dict[str, str], folder: Path) -> None:
    """Write sources where they are compiled; those that are there already keep their time."""
    project = (sources.FOLDER / sources.PROJECT).read_text(encoding="utf-8")
    for name, text in {sources.PROJECT: project, **texts}.items():
        _write(folder / name, text)


def record_data(folder: Path, texts: dict[str, str]) -> dict[str, Any]:
    """Return the record of compiled sources as JSON data; raise `ProofError` if one is unsound."""
    if strange := sources.other_options():
        raise assistant.ProofError(strange)
    weak = {name: words for name, text in texts.items() if (words := sources.weakened(text))}
    if weak:
        raise assistant.ProofError(f"Words that weaken the kernel: {weak}")
    claims = {name: c.theorems for name, c in registry.claims().items() if c.theorems}
    found = assistant.theorems(folder, (each for names in claims.values() for each in names))
    for theorem in found.values():
        if theorem.assumptions != CLOSED:
            raise assistant.ProofError(f"{theorem.name} rests on: {theorem.assumptions}")
    return {
        "format": FORMAT,
        "assistant": assistant.version(),
        "library": assistant.library(),
        "digests": {name: sources.digest(text) for name, text in texts.items()},
        "required": {name: list(sources.imports(text)) for name, text in texts.items()},
        "formulas": {one.formula: sources.digest(one.text()) for one in AGREEMENTS},
        "theorems": {
            name: {"statement": found[name].statement, "assumptions": found[name].assumptions}
            for name in sorted(found)
        },
        "claims": {name: list(names) for name, names in claims.items()},
    }


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        files.write(path, text)


if __name__ == "__main__":
    sys.exit(main())
