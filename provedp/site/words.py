"""What the pages call things: verdicts, defects, roles, and claims by their conclusion."""

import re

MEANINGS = {
    "proved": "decided for all parameters, by identities and entailments that the check lists; the "
    "steps from these to the statement are named; or by theorems that a proof assistant has "
    "checked",
    "certified": "checked in exact numbers or balls, on the instances that the evidence counts",
    "supported": "borne out by runs, at the stated confidence",
    "refuted": "false as it is read here: a counterexample meets every hypothesis, and the "
    "conclusion fails there",
    "open": "not decided, for the stated reason or because of what it rests on",
    "undecided": "the arithmetic decided no instance",
    "vacuous": "no instance met the hypotheses",
    "fault": "the check itself is at fault",
}  # by verdict, in the order in which they are listed
DEFECTS = {
    "false": "the statement is false",
    "gap in the proof": "a step of the proof fails; the statement may hold",
    "degenerate case": "it fails in a degenerate case alone",
    "misprint": "it is misprinted",
}
SEVERAL = {
    "gap in the proof": "gaps in the proof",
    "degenerate case": "degenerate cases",
    "misprint": "misprints",
}
ROLES = {
    "published": "a paper's own statement",
    "repaired": "what holds in the place of a paper's statement",
    "ours": "a statement of this project",
}
KINDS = {
    "symbolic": "symbolic",
    "exact": "exact numbers",
    "ball": "ball arithmetic",
    "float": "floating point",
    "statistical": "statistics",
}


def slug(text: str) -> str:
    """Return a text as the name of a file or a place on a page.

    >>> slug("eq. (10)"), slug("gap in the proof")
    ('eq-10', 'gap-in-the-proof')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def title(claim_id: str) -> str:
    """Return a claim's conclusion in words.

    >>> title("counting.third_upper_bound_holds")
    'Third upper bound holds'
    """
    words = claim_id.rpartition(".")[2].replace("_", " ")
    return words[:1].upper() + words[1:]


def several(number: int, name: str) -> str:
    """Return '1 misprint' or '2 misprints', for what a defect or a verdict is called.

    >>> several(2, "gap in the proof"), several(2, "false")
    ('2 gaps in the proof', '2 false')
    """
    return f"{number:,} {name if number == 1 else SEVERAL.get(name, name)}"


def counted(number: int, noun: str) -> str:
    """Return '1 claim' or '2 claims'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
