"""`provedp audit --ldp`: all pairs of a small domain of values, from one batch of runs for each."""

import json
import re
from pathlib import Path
from typing import Any

from provedp.cli.audit.progress import progress_bar
from provedp.cli.audit.run import RESULT, Outcome, json_of, record_of, words_of
from provedp.verify.audit.procedures.local import MOST_VALUES, LocalResult, audit_local
from provedp.verify.audit.runs.options import Options
from provedp.verify.audit.targets.target import Target
from provedp.verify.files import require_writable, write
from provedp.verify.notions.notions import PrivacyNotion
from provedp.verify.pairs.pair import Pair, read_data

RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
SHOWN = 10  # values whose table of estimates is printed
WITH_VALUES = (
    *("target", "command", "once", "claim_epsilon", "claim_delta", "claim_mu", "claim_rho"),
    *("claim_renyi", "ldp", "channel", "runs", "checks", "fresh", "processes", "confidence"),
    *("workers", "seed", "timeout", "limit_time", "memory", "errors", "out", "as_json"),
)


def values_of(text: str) -> list[Any]:
    """Return the values of a domain: a range `0..7`, a JSON list, or a .json, .csv or .npy file.

    Raises
    ------
    ValueError
        If the text is none of these.

    >>> values_of("0..3"), values_of('["yes", "no"]')
    ([0, 1, 2, 3], ['yes', 'no'])
    """
    ends = RANGE.fullmatch(text.strip())
    if ends is not None:
        low, high = int(ends[1]), int(ends[2])
        if not 0 < high - low < MOST_VALUES:
            raise ValueError(f"--ldp takes 2 to {MOST_VALUES} values. Got {text}.")
        return list(range(low, high + 1))
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError):
            raise ValueError("--ldp: the list of values is no JSON.") from None
    if Path(text).suffix.lower() not in (".json", ".csv", ".npy"):
        raise ValueError(
            f"--ldp takes a range 0..7, a JSON list, or a .json, .csv or .npy file. Got {text!r}."
        )
    values = read_data(text)
    if not hasattr(values, "__len__") or isinstance(values, (str, dict)):
        raise ValueError(f"{text} holds no list of values.")
    return list(values)


def run_on_values(
    target: Target,
    values: list[Any],
    claim: PrivacyNotion,
    options: Options,
    out: str | None,
    as_json: bool,
) -> tuple[str, bool]:
    """Audit a local mechanism; return what is printed, and whether the claim is refuted.

    Raises
    ------
    ValueError
        If the request is wrong, or a file cannot be written.
    TargetError
        If the target fails.
    """
    folder = None if out is None else Path(out)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        require_writable(folder / RESULT)
    with progress_bar() as show:
        found = audit_local(target, values, claim, options=options.but(progress=show))
    first, second = found.pair
    outcome = Outcome(found.result, Pair(found.values[first], found.values[second]))
    more = {
        "values": [each.item() if hasattr(each, "item") else each for each in found.values],
        "of_values": list(found.pair),
        "estimates": found.estimates,
        "learning_runs": found.learning_runs,
    }
    record = {**record_of(outcome), **more}
    if folder is not None:
        write(folder / RESULT, json_of(record))
    text = json.dumps(record, ensure_ascii=False) if as_json else _words(outcome, found)
    return text, found.result.refuted


def _words(outcome: Outcome, found: LocalResult) -> str:
    pairs = len(found.values) * (len(found.values) - 1) // 2
    lines = [
        words_of(outcome),
        f"  domain      {len(found.values)} values, {found.learning_runs} more runs on all of them"
        f" to choose among {pairs} pairs: values {found.pair[0]} and {found.pair[1]}, from 0",
    ]
    if len(found.values) <= SHOWN:
        lines.append("  estimates   of what each pair promises, from a few runs; none is a bound")
        lines += [
            "              " + " ".join(f"{level:6.3f}" if i != j else "     –" for j, level in row)
            for i, row in enumerate(map(enumerate, found.estimates))
        ]
    return "\n".join(lines)
