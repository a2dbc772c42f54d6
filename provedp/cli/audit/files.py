"""`provedp audit` on files: outputs that were recorded, and canaries of one run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from provedp.cli.audit.columns import canaries_of, outputs_of
from provedp.cli.audit.looks import Looks
from provedp.cli.audit.run import RESULT, json_of
from provedp.verify.audit.canaries.audit import audit_canaries
from provedp.verify.audit.canaries.certificates import certificate_of
from provedp.verify.audit.recorded.samples import audit_samples
from provedp.verify.audit.results.result import AuditResult
from provedp.verify.audit.runs.checks import DependentRuns, line_of, records_of
from provedp.verify.files import require_writable, write
from provedp.verify.notions.notions import PrivacyNotion

NO_VERDICT = 3
CLAIMS = ("claim_epsilon", "claim_delta", "claim_mu", "claim_rho", "claim_renyi")
COMMON = (*CLAIMS, "confidence", "out", "as_json")
OF_OUTPUTS = ("outputs", "channel", "checks", "seed", *COMMON)
OF_CANARIES = (
    "canaries",
    "score",
    "learn",
    "losses",
    "guesses",
    "threshold",
    "inclusion",
    "control",
    "looks",
    "certificate",
)
OF_FILES = ("outputs", *OF_CANARIES)
WITH_CANARIES = (*OF_CANARIES, "points", *COMMON)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name files instead of a target."""
    options = [
        click.option(
            "--outputs",
            nargs=2,
            metavar="A B",
            help="Audit recorded outputs instead: .npy, .csv, .parquet or .jsonl, a row for each"
            " run on one of two adjacent data sets.",
        ),
        click.option(
            "--canaries",
            metavar="FILE",
            help="Audit one run by its canaries instead: columns included (0 or 1), score, and unit"
            " (rows with one coin) or run if there are any.",
        ),
        click.option(
            "--score",
            metavar="NAME",
            multiple=True,
            help="With --canaries: the column of scores; several with --learn.",
        ),
        click.option(
            "--learn",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            metavar="SHARE",
            help="With --canaries: learn weights of the scores on this share of the canaries, and"
            " count the others only.",
        ),
        click.option("--losses", is_flag=True, help="With --canaries: low scores mean in."),
        click.option(
            "--guesses",
            type=click.IntRange(min=1),
            multiple=True,
            help="With --canaries: how many guesses, half of them in; several share the error.",
        ),
        click.option(
            "--threshold",
            nargs=2,
            type=float,
            metavar="HIGH LOW",
            help="With --canaries: guess in from HIGH on, out up to LOW.",
        ),
        click.option(
            "--inclusion",
            metavar="P",
            default="0.5",
            show_default=True,
            help="With --canaries: the probability of the coins, or pairs.",
        ),
        click.option(
            "--control",
            metavar="FILE",
            help="With --canaries: the same of a run without noise, for what they could show.",
        ),
        click.option(
            "--looks",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="With --canaries: how many audits of these coins share the error; counted in"
            " --out.",
        ),
        click.option(
            "--certificate",
            metavar="FILE",
            help="With --canaries: write a proof of the p-value, for provedp check.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def require_none(names: tuple[str, ...]) -> None:
    """Raise `ValueError` if one of these options was given."""
    context = click.get_current_context()
    for name in filter(_is_given, names):
        raise ValueError(f"{_written(context, name)} goes with --canaries only.")


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def require_only(allowed: tuple[str, ...], way: str) -> None:
    """Raise `ValueError` if an option was given that says nothing in this way of auditing."""
    context = click.get_current_context()
    for name in filter(_is_given, context.params):
        if name not in allowed:
            raise ValueError(f"{_written(context, name)} does not go with {way}.")


def _written(context: click.Context, name: str) -> str:
    parameter = next(each for each in context.command.params if each.name == name)
    return parameter.opts[0] if parameter.opts[0].startswith("-") else "A target"


def run_on_files(
    claim: Callable[[], PrivacyNotion], options: dict[str, Any], out: str | None, as_json: bool
) -> int:
    """Audit recorded outputs, or the canaries of one run; print what was found.

    Returns
    -------
    The status.

    Raises
    ------
    ValueError
        If the request is wrong, or a file cannot be read or written.
    """
    if options["outputs"]:
        require_only(OF_OUTPUTS, "--outputs")
        try:
            words, record, status = run_on_outputs(claim(), options, out)
        except DependentRuns as error:
            click.echo(f"provedp: {' and '.join(options['outputs'])}: {error}", err=True)
            return NO_VERDICT
    else:
        require_only(WITH_CANARIES, "--canaries")
        words, record, status = run_on_canaries(claim(), options, out)
    click.echo(json.dumps(record, ensure_ascii=False) if as_json else words)
    return status


def run_on_outputs(
    claim: PrivacyNotion, options: dict[str, Any], folder: str | None
) -> tuple[str, dict[str, Any], int]:
    """Audit recorded outputs; return what was found in words and as JSON data, and the status.

    Raises
    ------
    ValueError
        If a file cannot be read, or the request is wrong.
    """
    out, files = _out(folder), options["outputs"]
    sides = outputs_of(Path(files[0])), outputs_of(Path(files[1]))
    if sides[0].names != sides[1].names:
        raise ValueError(
            "The columns of both files differ: their names alone tell the data sets apart, so that"
            " there is nothing to count."
        )
    asked = {name: options[name] for name in ("channel", "checks", "seed", "confidence")}
    result = audit_samples(sides[0].rows, sides[1].rows, claim, **asked)
    fields = {name: value for name, value in result.record().items() if name != "event_record"}
    record = {**fields, "files": list(files), "checks": records_of(result.checks)}
    _write(out, record)
    return _words(result, files), record, int(result.refuted)


def _words(result: AuditResult, files: tuple[str, str]) -> str:
    counts = result.counts
    verdict = "REFUTED" if result.refuted else "not refuted"
    return "\n".join(
        [
            f"{result.claim} of {result.target}: {verdict}",
            f"  bound       {result.bound} at confidence {result.confidence:g}"
            f" ({result.channel} channel, seed {result.seed})",
            f"  event       {result.event}",
            f"  files       {files[0]} and {files[1]}",
            f"  counts      {counts.x} of {counts.n} against {counts.y} of {counts.m}"
            f" ({result.runs} rows in all)",
            f"  resolution  events rarer than {result.resolution:.1e} cannot refute this claim",
            f"  runs        {line_of(result.checks)}",
            "  taken       each row is a run of its own; records drawn from one fitted generator"
            " are one run: --canaries",
        ]
    )


def run_on_canaries(
    claim: PrivacyNotion, options: dict[str, Any], folder: str | None
) -> tuple[str, dict[str, Any], int]:
    """Audit the canaries of a file; return what was found, and the status, as `run_on_outputs`.

    Raises
    ------
    ValueError
        If the file cannot be read, its coins were looked at before, or the request is wrong.
    """
    out = _out(folder)
    proof, file = options["certificate"], options["canaries"]
    if proof is not None:
        require_writable(Path(proof))
    score, losses, control = (options[name] for name in ("score", "losses", "control"))
    read = canaries_of(Path(file), score, losses)
    other = None if control is None else canaries_of(Path(control), score, losses)
    asked: dict[str, Any] = {
        "guesses": options["guesses"] or None,
        "thresholds": options["threshold"],
        "inclusion": _inclusion(options["inclusion"]),
        "confidence": options["confidence"],
        "looks": options["looks"],
        "learn": options["learn"],
    }
    looks = None if out is None else Looks(out, read, {**asked, "claim": repr(claim)})
    result = audit_canaries(
        read.scores,
        read.included,
        claim,
        units=read.units,
        control=None if other is None else (other.scores, other.included, other.units),
        **asked,
    )
    if proof is not None:
        write(Path(proof), json_of(certificate_of(result, claim, asked["inclusion"])))
    record = {"file": file, **result.record()}
    _write(out, record)
    if looks is not None:
        looks.keep()
    status = 1 if result.refuted else 0 if result.able else NO_VERDICT
    return str(result), record, status


def _inclusion(text: str) -> float | str:
    if text == "pairs":
        return text
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--inclusion must be a probability or pairs. Got {text!r}.") from None


def _out(folder: str | None) -> Path | None:
    if folder is None:
        return None
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    require_writable(path / RESULT)
    return path


def _write(folder: Path | None, record: dict[str, Any]) -> None:
    if folder is not None:
        write(folder / RESULT, json_of(record))
