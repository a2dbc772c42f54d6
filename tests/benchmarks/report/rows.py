"""What the report measures: operations, their sizes, and the peer of each."""

from dataclasses import dataclass, replace

__all__ = ["OPERATIONS", "Operation", "Row", "region"]

Command = tuple[str, ...]  # a script of this folder and its arguments; it prints JSON
YARDSTICK: Command = ("report/operations.py", "yardstick", "0")


@dataclass(frozen=True)
class Row:
    """One case: what is run, what it is compared with, and its size.

    A `rival` is a second peer, which takes --limit: it counts where it is faster than the first.
    `within` tells that one process runs ours several times, as --repeats says.
    """

    case: str
    size: int
    ours: Command
    peer: Command = YARDSTICK
    peer_name: str = "yardstick"
    rival: Command = ()
    rival_name: str = ""
    within: bool = False


@dataclass(frozen=True)
class Operation:
    """Cases of one kind, from small to large; `unit` is what the size counts."""

    title: str
    unit: str
    rows: tuple[Row, ...]


def _own(name: str, unit: str, *sizes: int) -> Operation:
    rows = (Row(f"{size}", size, ("report/operations.py", name, str(size))) for size in sizes)
    return Operation(name.replace("-", " "), unit, tuple(rows))


def _behind(m: int, decibels: str, epsilon: str, delta: str, peer: str = "cvxpy+Clarabel") -> Row:
    rest = (str(m), decibels, delta, epsilon)
    script = "peers/behind_a_channel.py"
    case = f"M = {m}, {decibels} dB, ε = {epsilon}, δ = {delta}"
    return Row(case, m, (script, "provedp", *rest), (script, peer, *rest), peer)


def _shape(records: int, features: int) -> Row:
    rest = (str(records), str(features))
    script, peer = "peers/noise_shape.py", "cvxpy+Clarabel"
    case = f"N = {records}, d = {features}"
    return Row(case, records, (script, "provedp", *rest), (script, peer, *rest), peer)


def _accounted(rounds: int) -> Row:
    rest = ("1.0", "0.01", str(rounds), "1e-6", "1e-4")
    script, peer = "peers/accounting.py", "dp-accounting"
    case = f"σ = 1, rate 1/100, {rounds} rounds"
    return Row(case, rounds, (script, "provedp", *rest), (script, peer, *rest), peer)


def _fitted(records: int) -> Row:
    rest = (str(records), "12", "6")
    case = f"N = {records}, d = 12, K = 6"
    script = "mixture_fit.py"
    return Row(case, records, (script, "provedp", *rest), (script, "numpy", *rest), "numpy")


CHANNEL = tuple(
    _behind(m, decibels, epsilon, delta)
    for decibels, epsilon, delta in (("20", "4", "0"), ("10", "0.5", "0"), ("15", "1", "1/20"))
    for m in (16, 32, 64)
) + tuple(
    _behind(64, decibels, epsilon, "0", "scipy linprog")  # HiGHS, where it beats Clarabel
    for decibels, epsilon in (("25", "6"), ("30", "2"), ("30", "8"))
)
OPERATIONS = {
    "certificate": _own("certificate", "counts", 1000, 10_000, 100_000),
    "channel": Operation("least error behind a channel", "counts", CHANNEL),
    "noise-shape": Operation(
        "noise shape", "records", tuple(_shape(*size) for size in ((150, 4), (1000, 3)))
    ),
    "accounting": Operation(
        "composition of sampled noise", "rounds", tuple(map(_accounted, (100, 1000, 10_000)))
    ),
    "release-counting": _own("release-counting", "counts", 1000, 10_000, 100_000),
    "release-mixture": Operation(
        "private mixture", "records", tuple(map(_fitted, (10_000, 100_000)))
    ),
    "release-modes": _own("release-modes", "records", 1000, 10_000, 100_000),
    "audit": _own("audit", "runs", 2000, 10_000, 50_000),
}


def region(m: int, decibels: float, epsilon: float, delta: str) -> Row:
    """Return a cell of the region of signal-to-noise ratios and ε."""
    row, name = _behind(m, f"{decibels:g}", f"{epsilon:g}", delta), "scipy linprog"
    script, _, *rest = row.ours
    return replace(row, rival=(script, name, *rest), rival_name=name, within=True)
