"""Descriptions of releases, told apart by their keys: Opacus's, dp-accounting's, our own."""

import json
from pathlib import Path
from typing import Any

from provedp.cli.account.events import read_event
from provedp.cli.account.fields import Fields
from provedp.cli.account.own import read_own
from provedp.cli.account.samples import CLIPPED, INDEPENDENT, TWICE, poisson
from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.judgement import Described, Releases

ADJACENCIES = {
    "add-or-remove": Adjacency.ADD_OR_REMOVE_ONE,
    "replace-one": Adjacency.REPLACE_ONE,
}
ONE_SAMPLE = (
    "each step is one Poisson sample at its rate, also if Opacus put several batches together"
)
STEP = ("noise multiplier", "sample rate", "steps")
OPACUS_KEYS = {"history", "mechanism"}


def read_file(path: Path, adjacency: str | None) -> Releases:
    """Return the releases that a JSON file describes.

    Raises
    ------
    ValueError
        If the file cannot be read, or is none of the known descriptions.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"'file': {path} cannot be read: it is not text.") from None
    except OSError as error:
        raise ValueError(f"'file': {path} cannot be read: {error.strerror}.") from None
    try:
        # Numbers stay text, so that 0.1 is one tenth.
        data = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        hint = (
            " Write a DpEvent by json.dumps(event.to_named_tuple())." if "DpEvent" in text else ""
        )
        raise ValueError(f"'file': {path} is not valid JSON.{hint}") from None
    return read_document(data, adjacency)


def read_document(data: Any, adjacency: str | None) -> Releases:
    """Return the releases that decoded JSON, or an event of dp-accounting, describes.

    Raises
    ------
    ValueError
        If it is none of the known descriptions, or holds what there is no event for.
    """
    if not (adjacency is None or (isinstance(adjacency, str) and adjacency in ADJACENCIES)):
        raise ValueError(f"'adjacency' must be one of {', '.join(ADJACENCIES)}. Got {adjacency!r}.")
    if hasattr(data, "to_named_tuple"):
        data = data.to_named_tuple()
    if isinstance(data, dict) and "history" in data:
        return _opacus(data, ADJACENCIES[adjacency or "add-or-remove"], adjacency is None)
    if isinstance(data, dict) and "releases" in data:
        return read_own(data, _stated(data, adjacency))
    if isinstance(data, (list, tuple)) or (isinstance(data, dict) and "class_name" in data):
        if adjacency is None:
            raise ValueError(
                "A DpEvent does not say which inputs are compared: give --adjacency add-or-remove "
                "or replace-one."
            )
        return read_event(data, ADJACENCIES[adjacency])
    raise ValueError(
        "'file' is no description that is known: an Opacus history, a DpEvent of dp-accounting, or "
        "an object with 'releases'."
    )


def _stated(data: dict[str, Any], adjacency: str | None) -> Adjacency | None:
    stated = data.get("adjacency")
    if stated is not None and not (isinstance(stated, str) and stated in ADJACENCIES):
        raise ValueError(f"'adjacency' must be one of {', '.join(ADJACENCIES)}. Got {stated!r}.")
    if stated is not None and adjacency not in (None, stated):
        raise ValueError(f"--adjacency {adjacency} contradicts the file, which says {stated}.")
    name = stated or adjacency
    return None if name is None else ADJACENCIES[name]


def _opacus(data: dict[str, Any], adjacency: Adjacency, is_default: bool) -> Releases:
    unknown = sorted(set(data) - OPACUS_KEYS)
    if unknown:
        raise ValueError(f"An Opacus history has no key {unknown[0]!r}.")
    history = data["history"]
    if not isinstance(history, (list, tuple)):
        raise ValueError("'history' must be a list of [noise multiplier, sample rate, steps].")
    assumptions = [CLIPPED, INDEPENDENT, ONE_SAMPLE]
    if adjacency is Adjacency.REPLACE_ONE:
        assumptions.append(TWICE)
    if is_default:
        assumptions.append("adding or removing a record, as Opacus accounts")
    parts = [_step(entry, index, adjacency) for index, entry in enumerate(history, start=1)]
    return Releases(parts, tuple(assumptions), adjacency)


def _step(entry: Any, index: int, adjacency: Adjacency) -> Described:
    where = f"'history', entry {index}"
    if not isinstance(entry, (list, tuple)) or len(entry) != 3:
        raise ValueError(f"{where} must be [noise multiplier, sample rate, steps].")
    fields = Fields(where, dict(zip(STEP, entry, strict=True)))
    multiplier = fields.positive("noise multiplier")
    if fields.positive("sample rate") > 1:
        raise ValueError(
            f"{where}: 'sample rate' must be at most 1. Got {fields.given('sample rate')}: Opacus "
            "multiplies the rate by the number of batches that a step puts together."
        )
    rate = fields.share("sample rate")
    rounds = fields.count("steps")
    words = f"Gaussian noise, multiplier {fields.given('noise multiplier')}"
    words += f", on Poisson samples at rate {fields.given('sample rate')}"
    return Described(poisson(1 / multiplier, rate, adjacency), rounds, f"{rounds} × {words}")
