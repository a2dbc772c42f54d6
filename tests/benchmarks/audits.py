"""Audits of mechanisms with known privacy: bound, truth, information limit, runs, seconds.

Each row is the median over seeds of audits with the same number of runs per data set, all learning
included, in this process or with `--isolated` in a child process that each audit starts. The limit
is the bound from the best event known, given to one exact test with the counts to be expected. The
exact audit is of the law itself, where that is known: faults too small or too rare for runs are
'not seen' by them and refuted there. Last come reports about accountants and sensitivities, which
have no runs. `--seeds` and `--runs` set their numbers, `--unchecked` leaves out the comparison of
requests and processes, which changes seconds and no bound; further arguments select rows by parts
of their names.
"""

import argparse
import time

import numpy as np

from provedp.verify.audit import audit, target
from provedp.verify.audit.zoo import Account, Entry, accounts, entries
from provedp.verify.audit.zoo.cells import limit

HEADER = ("mechanism", "claim", "bound", "limit", "truth", "runs", "s", "refuted", "exact", "")
LINE = "{:<34}{:>19}{:>9}{:>9}{:>9}{:>8}{:>7}{:>9}{:>10}  {}"
BIT_RUNS = 1000
VERDICTS = {True: "refuted", False: "holds", None: "-"}


def print_row(entry: Entry, runs: int, seeds: int, isolated: bool, checks: bool = True) -> bool:
    """Audit one mechanism and print its row; return whether the verdict is right."""
    used = min(runs, BIT_RUNS) if entry.channel == "bits" else runs
    what = target(entry.release, isolated=isolated)
    found, seconds = [], []
    for seed in range(seeds):
        start = time.perf_counter()
        found.append(
            audit(
                what,
                entry.pair,
                entry.claim,
                runs=used,
                seed=seed,
                channel=entry.channel,
                checks=checks,
            )
        )
        seconds.append(time.perf_counter() - start)
    bound = float(np.median([result.epsilon_lower for result in found]))
    refuted = sum(result.refuted for result in found)
    right = (2 * refuted > seeds) == entry.wrong
    print(
        LINE.format(
            entry.name,
            str(entry.claim),
            f"{bound:.4f}",
            "-" if entry.law is None else f"{limit(entry.law(), entry.claim, used):.4f}",
            f"{entry.truth:.4f}",
            used,
            f"{np.median(seconds):.2f}",
            f"{refuted}/{seeds}",
            VERDICTS[entry.exact and entry.exact()],
            "" if right else "not seen" if entry.wrong else "FALSE ALARM",
        ),
        flush=True,
    )
    return right


def print_account(account: Account) -> None:
    """Decide about an accountant exactly and print its row."""
    found = account.exact()
    right = "" if found is account.wrong else "WRONG"
    print(f"{account.name:<42}{VERDICTS[found]:>10}  {account.why} {right}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=21)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--isolated", action="store_true")
    parser.add_argument("--unchecked", action="store_true")
    parser.add_argument("names", nargs="*", default=[""])
    options = parser.parse_args()
    place = "in a child process each" if options.isolated else "in this process"
    print(f"medians of {options.seeds} audits {place}")
    print(LINE.format(*HEADER))
    for entry in entries():
        if any(name in entry.name for name in options.names):
            checks = not options.unchecked
            print_row(entry, options.runs, options.seeds, options.isolated, checks)
    for account in accounts():
        if any(name in account.name for name in options.names):
            print_account(account)


if __name__ == "__main__":
    main()
