"""The ledger as a file: what a run saw, for programs (ledger.json) and in words."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from provedp.verify.ledger import theorems, totals
from provedp.verify.ledger.chain import Standing
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.findings import Kind
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.run import Result
from provedp.verify.ledger.seen import Evidence, domain_in_words
from provedp.verify.ledger.source import Source, in_words

FORMAT = "provedp ledger 4"
# Seconds depend on the machine and margins on a solver's path; all else must come out the same.
VOLATILE = ("seconds", "margin")

Entry = dict[str, Any]


def entry(
    claim: Claim,
    result: Result,
    repaired_by: tuple[str, ...],
    standing: Standing,
    level: Level = Level.QUICK,
) -> Entry:
    """Return one claim and its evidence as JSON data.

    `verdict` is the one that a reader may believe; `own` is what its check decided, before what it
    rests on capped it or a machine-checked proof lifted it.
    """
    return {
        "id": claim.id,
        "statement": claim.statement,
        "sources": [source.as_data() for source in claim.sources],
        "role": str(claim.role),
        "verdict": str(standing.verdict),
        "own": str(result.verdict),
        "rests_on": list(claim.foundations),
        "capped_by": standing.capped_by,
        "chain": list(standing.chain),
        "argued": None if claim.argued is None else list(claim.argued),
        "machine_checked": theorems.proof_data(claim),
        "defect": None if claim.defect is None else str(claim.defect),
        "evidence": evidence_data(claim, result.evidence, level),
        "repairs": [claim.repairs.id] if claim.repairs else [],
        "repaired_by": list(repaired_by),
    }


def evidence_data(claim: Claim, evidence: Evidence, level: Level) -> Entry:
    """Return evidence as JSON data; exact numbers become strings."""
    return {
        "kind": None if evidence.kind is None else evidence.kind.name.lower(),
        "met": evidence.met,
        "skipped": evidence.skipped,
        "undecided": evidence.undecided,
        "checks": evidence.checks,
        "base": evidence.base,
        "domain": [] if claim.fault else domain_in_words(claim.instances, level),
        "steps": evidence.steps,
        "count": evidence.count,
        "margin": None if evidence.margin is None else float(f"{evidence.margin:.6g}"),
        "tolerance": evidence.tolerance,
        "confidence": evidence.confidence,
        "witness": None if evidence.witness is None else _plain(evidence.witness),
        "found": evidence.found,
        "repair": evidence.repair,
        "reason": claim.reason,
        "seconds": round(evidence.seconds, 3),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(part) for part in value]
    return str(value)


def document(entries: list[Entry]) -> Entry:
    """Return the whole ledger as JSON data, with its totals."""
    return {
        "format": FORMAT,
        "totals": totals.verdicts(entries),
        "breakdown": totals.breakdown(entries),
        "checks": sum(item["evidence"]["checks"] for item in entries),
        "claims": entries,
    }


def differences(committed: Entry, entries: list[Entry]) -> list[str]:
    """Say where a run differs from the committed ledger, but for what is volatile."""
    before = {item["id"]: item for item in committed["claims"]}
    lines = []
    for item in entries:
        old = before.get(item["id"])
        if old is None:
            lines.append(f"{item['id']} is not in the committed ledger")
            continue
        lines += [
            f"{item['id']}: {name} was {was!r}, now {now!r}"
            for name, was, now in _changes(_stable(old), _stable(item))
        ]
    return lines


def removed(committed: Entry, known: set[str]) -> list[str]:
    """Say which committed claims no longer exist."""
    return [
        f"{item['id']} is in the committed ledger alone"
        for item in committed["claims"]
        if item["id"] not in known
    ]


def _stable(item: Entry) -> Entry:
    kept = {name: value for name, value in item.items() if name != "evidence"}
    evidence = item["evidence"]
    kept |= {f"evidence.{name}": evidence[name] for name in evidence if name not in VOLATILE}
    return kept


def _changes(old: Entry, new: Entry) -> list[tuple[str, Any, Any]]:
    names = sorted(set(old) | set(new))
    return [
        (name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    ]


def read(path: Path) -> Entry:
    """Return a ledger file's content.

    Raises
    ------
    ValueError
        If the file cannot be read or is no ledger.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as a ledger: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{path} is not a ledger in the format {FORMAT!r}.")
    return content


def to_json(entries: list[Entry]) -> str:
    """Return the ledger as JSON text."""
    return json.dumps(document(entries), indent=1, ensure_ascii=False) + "\n"


def sources_of(item: Entry) -> tuple[Source, ...]:
    """Return where a claim's statement stands."""
    return tuple(map(Source.of_data, item["sources"]))


def sources_in_words(item: Entry) -> str:
    """Return where a claim's statement stands, as one line."""
    return in_words(sources_of(item))


def verdict_in_words(item: Entry) -> str:
    """Return a verdict with the tolerance or confidence that it holds within."""
    evidence, words = item["evidence"], str(item["verdict"])
    if item["verdict"] in ("certified", "supported") and evidence["tolerance"] is not None:
        words += f" within {evidence['tolerance']:g}"
    if item["verdict"] == "supported" and evidence["confidence"] is not None:
        words += f" at confidence {evidence['confidence']:.9g}"
    return words


def checked_in_words(item: Entry) -> list[str]:
    """Return what was checked, from the evidence: the domain, the identities and entailments."""
    evidence = item["evidence"]
    domain = evidence["domain"] if evidence["witness"] is None else []  # else the counterexample
    lines = [*domain, *evidence["steps"]]
    beyond = evidence["count"] - len(evidence["steps"])
    if beyond > 0:
        lines.append(f"and {beyond} further identities and entailments")
    if evidence["base"]:
        lines.append(f"base cases among the checks: {evidence['base']}")
    return lines


def standing_in_words(item: Entry) -> list[str]:
    """Return what a claim rests on, what is argued in words, and how a paper is wrong."""
    lines = []
    if item["defect"] is not None:
        lines.append(f"defect: {item['defect']}")
    if item["rests_on"]:
        lines.append(f"rests on {', '.join(f'`{name}`' for name in item['rests_on'])}")
    if item["capped_by"]:
        lines.append(f"its own check says {item['own']}; capped by `{item['capped_by']}`")
    elif item["verdict"] != item["own"]:
        lines.append(f"its own check says {item['own']}; the machine-checked proof is of all")
    if totals.is_machine_checked(item):
        return lines
    if item["argued"] == [] and item["own"] == "proved":
        lines.append("whole: the decided formula is the statement")
    lines += [f"argued, not checked: {step}" for step in item["argued"] or ()]
    return lines


def machine_checked_in_words(item: Entry) -> str:
    """Return which assistant has checked which theorems for a claim; '' if none has."""
    proof = item["machine_checked"]
    if proof is None:
        return ""
    what = f"machine-checked in part ({proof['part']})" if proof["part"] else "machine-checked"
    names = ", ".join(proof["theorems"])
    return f"{what}, {proof['assistant']} with {proof['library']}: {names}"


def evidence_in_words(data: Entry) -> str:
    """Return in a few words what was seen; '' if nothing was."""
    if data["kind"] is None:
        return Evidence(skipped=data["skipped"]).in_words()
    fields = {name: data[name] for name in ("met", "skipped", "undecided", "checks")}
    seen = Evidence(
        kind=Kind[data["kind"].upper()],
        tolerance=data["tolerance"],
        confidence=data["confidence"],
        witness=data["witness"],
        found=data["found"],
        **fields,
    )
    return seen.in_words()


def compact(value: Any) -> str:
    """Return an argument of a counterexample on one line."""
    if isinstance(value, list):
        return "[" + ", ".join(compact(part) for part in value) + "]"
    return str(value)
