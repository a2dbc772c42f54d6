"""`provedp solve counting`: the least error, with the certificate that it is."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from flint import arb, ctx

from provedp.cli.expressions import enclosure, parse
from provedp.cli.numbers import BITS, down, exact, exact_or_ball, ratio, up
from provedp.cli.tables import read_file
from provedp.theory import channels, counting
from provedp.theory.channels.step_size import UndefinedError
from provedp.theory.domain import check_argument
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number, common_field, lift, rational
from provedp.verify.files import require_writable, write
from provedp.verify.solvers.certificates import text
from provedp.verify.solvers.channel.bracket import Bracket
from provedp.verify.solvers.channel.counting_problem import SOLVABLE, CountingProblem

WHERE = "solve counting"
BOUNDS: dict[str, Callable[[Matrix, Number, Number], Number]] = {
    "u0": channels.trivial_error,
    "u1": channels.mixing_error,
    "u2": channels.spectral_error,
    "u3": channels.assignment_mixing_error,
}
AS_PRINTED = BOUNDS | {
    "u1": channels.mixing_error_as_printed,
    "u3": channels.assignment_mixing_error_as_printed,
}


DECIDED_BY = {
    "undisturbed optimum": "P* is what arrives (P* T⁻¹ ≥ 0 with a channel), and its certificate",
    "nearly undisturbed optimum": "P* T⁻¹ without its tiny negative entries, and P*'s certificate",
    "assignment": "Q_T T is private, so the channel's own error l(T) is the optimum",
    "linear program": "exactly feasible points of the program and of its dual",
}


@click.command("counting")
@click.option("--m", type=int, help="Number of counts; from the channel's file if there is one.")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", default="0", show_default=True, help="δ in [0, 1): a number, or 1/20.")
@click.option("--channel", help="'psk', or a CSV or JSON file with a stochastic matrix.")
@click.option("--snr-db", help="For psk: the signal-to-noise ratio in decibels.")
@click.option(
    "--convention",
    type=click.Choice(["symbol", "dimension", "bit"]),
    default="symbol",
    show_default=True,
    help="For psk: E_s/N₀, E_s over the noise variance of one real dimension, or E_b/N₀.",
)
@click.option("--certificate", metavar="FILE", help="Write a certificate for `provedp check`.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_counting(
    m: int | None,
    epsilon: str,
    delta: str,
    channel: str | None,
    snr_db: str | None,
    convention: str,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Find the least worst-case error of a private, consistent release of a count.

    With a channel, of one whose output passes through it. The optimum is enclosed between exactly
    feasible points of the linear program and of its dual.
    """
    if certificate is not None:
        require_writable(Path(certificate))
    with ctx.workprec(BITS):
        request = read_request(m, epsilon, delta, channel, snr_db, convention)
        if certificate is not None:
            request.require_certifiable()
        best = request.solved()
        report = _report(request, best)
    if certificate is not None:
        write(Path(certificate), json.dumps(request.certificate(best)) + "\n")
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def read_request(
    m: int | None,
    epsilon: str,
    delta: str,
    channel: str | None,
    snr_db: str | None,
    convention: str,
) -> CountingProblem:
    """Return a request with every argument checked.

    Raises
    ------
    ValueError
        If an argument is outside its range, missing, or contradicts another.
    """
    k = ratio(WHERE, epsilon)
    slack = exact(WHERE, "delta", delta)
    check_argument(WHERE, "delta", counting.release.SLACK, slack)
    if (snr_db is None) != (channel != "psk"):
        raise ValueError("--snr-db goes with --channel psk, and only with it.")
    table = _channel(m, channel, snr_db, convention)
    size = m if table is None else len(table)
    if size is None:
        raise ValueError("--m is missing: the number of counts.")
    if m is not None and m != size:
        raise ValueError(f"--m is {m}, but the channel has {size} rows.")
    check_argument(WHERE, "m", SOLVABLE, size)
    return CountingProblem(size, k, slack, table)


def _channel(
    m: int | None, channel: str | None, snr_db: str | None, convention: str
) -> Matrix | None:
    if channel is None:
        return None
    if channel == "psk" and snr_db is not None:
        if m is None:
            raise ValueError("--m is missing: the number of points of phase-shift keying.")
        return channels.psk_matrix(m, enclosure(parse(snr_db), BITS), convention)
    table = read_file(Path(channel), "channel")
    if not isinstance(table[0], list):
        raise ValueError(f"'channel': {channel} holds one list, not the rows of a matrix.")
    entries = matrix([[exact_or_ball(entry) for entry in row] for row in table])
    read: Matrix = check_argument(WHERE, "channel", channels.extremes.CHANNEL, entries)
    return read


def _report(request: CountingProblem, best: Bracket) -> dict[str, Any]:
    arguments = (request.m, request.k, lift(request.delta, common_field([request.k])))
    error = counting.error(*arguments)
    report: dict[str, Any] = {
        "m": request.m,
        "error": _nearest(error),
        "error_lower": down(best.lower),
        "error_upper": up(best.upper),
        "decided_by": best.decided_by,
        "exact": {
            "error": _fraction_text(error),
            "error_lower": text(best.lower) if request.is_exact else None,
            "error_upper": text(best.upper) if request.is_exact else None,
        },
    }
    if request.channel is not None:
        report["bounds"] = _bounds(request.channel, request, BOUNDS)
        report["bounds_as_printed"] = _bounds(request.channel, request, AS_PRINTED)
        report["conditions"] = _conditions(request.channel, request.k, request.delta)
    return report


def _bounds(
    channel: Matrix, request: CountingProblem, functions: dict[str, Callable[..., Number]]
) -> dict[str, float | None]:
    lower = {"l": _optional(channels.assignment_error, channel)}
    return lower | {
        name: _optional(bound, channel, request.k, request.delta)
        for name, bound in functions.items()
    }


def _optional(function: Callable[..., Number], *arguments: Any) -> float | None:
    try:
        return _nearest(function(*arguments))
    except UndefinedError:
        return None


def _conditions(channel: Matrix, k: Number, delta: Fraction) -> dict[str, bool | None]:
    """Return which conditions of Section V hold; None where T is singular or it is undecided."""
    conditions: dict[str, Callable[[], bool]] = {
        "P* T⁻¹ ≥ 0": lambda: _all(
            entry >= 0 for entry in channels.undisturbed(channel, k, delta).ravel()
        ),
        "(25)": lambda: _less(*channels.loss_threshold(channel, k, delta)),
        "(27)": lambda: bool(channels.no_loss_margin_by_rows(channel, k, delta) >= 0),
        "(28)": lambda: bool(channels.no_loss_margin_by_entries(channel, k, delta) >= 0),
        "1 inside the cone": lambda: _all(
            entry > 0 for entry in channels.cone_coordinates(channel)
        ),
    }
    return {name: _decided(condition) for name, condition in conditions.items()}


def _less(left: Number, right: Number) -> bool:
    return bool(left < right)


def _all(conditions: Any) -> bool:
    return all(bool(condition) for condition in conditions)


def _decided(condition: Callable[[], bool]) -> bool | None:
    try:
        return condition()
    except UndefinedError:
        return None


def _nearest(value: Number) -> float:
    return float(value.mid()) if isinstance(value, arb) else float(value)


def _fraction_text(value: Number) -> str | None:
    return None if isinstance(value, arb) else text(rational(value))


def _in_words(report: dict[str, Any]) -> str:
    lines = [f"p_e*        {report['error']:.12g}" + _equals(report["exact"]["error"])]
    same = report["error_lower"] == report["error_upper"] or report["exact"]["error_lower"]
    lower, upper = report["error_lower"], report["error_upper"]
    enclosure_text = f"[{lower!r}, {upper!r}]"
    ends = report["exact"]
    if same and ends["error_lower"] == ends["error_upper"]:
        enclosure_text = f"{upper:.12g}" + _equals(ends["error_upper"])
    lines.append(f"optimum     {enclosure_text}")
    lines.append(f"decided by  {report['decided_by']}: {DECIDED_BY[report['decided_by']]}")
    for title, key in (("bounds", "bounds"), ("as printed", "bounds_as_printed")):
        if key in report:
            parts = [f"{n} {_text(value)}" for n, value in report[key].items()]
            lines.append(f"{title:<12}{'  '.join(parts)}")
    for name, holds in report.get("conditions", {}).items():
        lines.append(f"{'Theorem 2':<12}{name}: {_word(holds)}")
    return "\n".join(lines)


def _equals(text: str | None) -> str:
    return f" = {text}" if text is not None and len(text) <= 60 else ""


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.9g}"


def _word(holds: bool | None) -> str:
    return "not defined" if holds is None else ("holds" if holds else "does not hold")
