"""What a ledger adds up to: by verdict, whole or argued, exact or within a tolerance, by defect."""

from collections import Counter
from typing import Any

from provedp.verify.ledger.claim import Defect, Role, Verdict

Entry = dict[str, Any]


def verdicts(entries: list[Entry]) -> dict[str, int]:
    """Return how many claims have each verdict, as capped by what they rest on."""
    return dict(Counter(item["verdict"] for item in entries))


def breakdown(entries: list[Entry]) -> Entry:
    """Return the totals that a verdict's name does not say."""
    proved = [item for item in entries if item["verdict"] == "proved"]
    by_check = [item for item in proved if not is_machine_checked(item)]
    certified = [item for item in entries if item["verdict"] == "certified"]
    published = [item for item in entries if item["role"] == Role.PUBLISHED]
    refuted = [item for item in published if item["verdict"] == "refuted"]
    return {
        "proved": {
            "machine-checked": sum(is_machine_checked(item) for item in proved),
            "whole": sum(item["argued"] == [] for item in by_check),
            "with argued steps": sum(bool(item["argued"]) for item in by_check),
            "not reviewed": sum(item["argued"] is None for item in by_check),
        },
        "machine-checked": {
            "whole": sum(is_machine_checked(item) for item in entries),
            "in part": sum(
                bool(item["machine_checked"]) and not is_machine_checked(item) for item in entries
            ),
        },
        "certified": {
            "within a tolerance": sum(
                item["evidence"]["tolerance"] is not None for item in certified
            ),
        },
        "capped": sum(bool(item["capped_by"]) for item in entries),
        "published and refuted": {
            **{str(defect): _count(refuted, str(defect)) for defect in Defect},
            "not named": _count(refuted, None),
        },
        "by role": {
            str(role): verdicts([i for i in entries if i["role"] == role]) for role in Role
        },
        "longest chain": max((item["chain"] for item in entries), key=len, default=[]),
    }


def is_machine_checked(item: Entry) -> bool:
    """Return whether a proof assistant has checked the whole statement of a claim."""
    proof = item["machine_checked"]
    return proof is not None and not proof["part"]


def _count(refuted: list[Entry], defect: str | None) -> int:
    return sum(item["defect"] == defect for item in refuted)


def in_words(entries: list[Entry]) -> str:
    """Return '12 claims: 7 proved, …', strongest verdict first."""
    noun = "claim" if len(entries) == 1 else "claims"
    return f"{len(entries)} {noun}: {_listed(verdicts(entries))}"


def lines(entries: list[Entry]) -> list[str]:
    """Return the whole totals, one sentence a line."""
    more, counts = breakdown(entries), verdicts(entries)
    told = [f"{in_words(entries)}."]
    if counts.get("proved"):
        kinds = [f"{n} {name}" for name, n in more["proved"].items() if n]
        told.append(f"{counts['proved']} proved, of which {', '.join(kinds)}.")
    checked = more["machine-checked"]
    if sum(checked.values()):
        told.append(
            f"{checked['whole']} machine-checked by a proof assistant, refutations among them, and "
            f"{checked['in part']} in part."
        )
    if counts.get("certified"):
        within = more["certified"]["within a tolerance"]
        told.append(f"{counts['certified']} certified, of which {within} within a tolerance.")
    told += [
        f"{role}: {sum(counted.values())} ({_listed(counted)})."
        for role, counted in more["by role"].items()
        if counted
    ]
    defects = [f"{n} {name}" for name, n in more["published and refuted"].items() if n]
    if defects:
        told.append(f"published and refuted, by defect: {', '.join(defects)}.")
    if more["capped"]:
        told.append(f"{more['capped']} capped by what they rest on.")
    if len(more["longest chain"]) > 1:
        told.append(f"longest chain of foundations: {' → '.join(more['longest chain'])}.")
    return told


def _listed(counts: dict[str, int]) -> str:
    parts = [f"{counts[str(v)]} {v}" for v in sorted(Verdict, reverse=True) if counts.get(str(v))]
    return ", ".join(parts)
