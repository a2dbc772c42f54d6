"""The harness's table: `python -m provedp.verify.spending.table [WORD]`, for cases with a word.

Of every mechanism with a guarantee, by adjacency, method and option: pairs of neighbours, replays,
results that came out, the largest share of the promised Σ (change/σ)² that a pair spends, how many
numbers met noise and how many bits of everything else were compared, and what differed.
"""

import sys
from collections.abc import Iterator

from provedp.verify.spending.cases import Case, cases
from provedp.verify.spending.suite import tally

HEAD = ("mechanism", "pairs", "replays", "share", "numbers", "bits", "faults")


def rows(word: str = "", *, quick: bool = True) -> Iterator[tuple[str, ...]]:
    """Yield a row of texts for each case whose name holds a word."""
    for case in cases():
        if word in case.name:
            yield _row(case, quick=quick)


def _row(case: Case, *, quick: bool) -> tuple[str, ...]:
    found = tally(case, quick=quick)
    refused = found.replays - found.released
    faults = len(found.different) + len(found.overspent) + refused
    return (
        case.name,
        str(len(case.pairs)),
        str(found.replays),
        f"{float(found.share):.3f}",
        str(found.numbers),
        str(found.bits),
        str(faults),
    )


def main(words: list[str]) -> None:
    """Print the table, row by row as each is found."""
    print(_line(HEAD))
    for row in rows(" ".join(words)):
        print(_line(row), flush=True)


def _line(row: tuple[str, ...]) -> str:
    return f"{row[0]:58s}" + "".join(f"{each:>10s}" for each in row[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
