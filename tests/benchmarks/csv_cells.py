"""Reading a CSV file cell by cell: CPU time as a ratio to what plain readers take for the same.

    python tests/benchmarks/csv_cells.py [ROWS]

The first comparison is the least that Python can do: `csv.reader`, then `float` of each cell. The
others are faster where they guess the type of a column from all of its cells, which is what a
reader of private records must not do.
"""

import csv
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from provedp.cli.records import read_features, read_records
from provedp.cli.release.counting import read_counts

REPEATS = 3
COLUMNS = 4


def write(path: Path, rows: int) -> None:
    draw = np.random.default_rng(0)
    numbers = draw.normal(size=(rows, COLUMNS)).round(6)
    counts, labels = draw.integers(0, 101, rows), draw.integers(0, 3, rows)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*"abcd", "n", "t"]) + "\n")
        for row, count, label in zip(numbers.tolist(), counts, labels, strict=True):
            file.write(",".join(map(repr, row)) + f",{count},{'xyz'[label]}\n")


def by_csv(path: Path, kinds: dict[int, Callable[[str], Any]]) -> list[list[Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        listed = list(rows)
    return [[kind(row[place]) for row in listed] for place, kind in kinds.items()]


def by_pandas(path: Path) -> Any:
    import pandas  # type: ignore[import-untyped]

    return pandas.read_csv(path, usecols=list(range(COLUMNS)), float_precision="round_trip")


def by_arrow(path: Path) -> Any:
    from pyarrow import csv as arrow_csv

    options = arrow_csv.ConvertOptions(include_columns=list("abcd"))
    return arrow_csv.read_csv(path, convert_options=options)


def seconds(call: Callable[[], Any]) -> float:
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    floats: dict[int, Callable[[str], Any]] = dict.fromkeys(range(COLUMNS), float)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.csv"
        write(path, rows)
        plain = seconds(lambda: [np.array(c) for c in by_csv(path, floats)])
        labelled = seconds(lambda: [np.array(c) for c in by_csv(path, {**floats, 5: str})])
        counted = seconds(lambda: by_csv(path, {4: int}))
        names = list("abcd")
        print(f"{rows} rows; CPU seconds, and ours as a multiple of it")
        ours = seconds(lambda: read_features(path, names))
        print(f"features  ours {ours:.2f}  csv.reader and float {plain:.2f}: {ours / plain:.2f}")
        for name, peer in (("pandas", by_pandas), ("pyarrow", by_arrow)):
            try:
                taken = seconds(lambda peer=peer: peer(path))
            except ImportError:
                print(f"          {name} is not installed")
                continue
            print(f"          {name} {taken:.2f}: {ours / taken:.2f}")
        ours = seconds(lambda: read_records(path, "t", names))
        print(f"labelled  ours {ours:.2f}  csv.reader {labelled:.2f}: {ours / labelled:.2f}")
        ours = seconds(lambda: read_counts(path, "n", range(101)))
        print(f"counts    ours {ours:.2f}  csv.reader and int {counted:.2f}: {ours / counted:.2f}")


if __name__ == "__main__":
    main()
