"""The sources of the proofs: where they are, their digests, what they import, forbidden words."""

import hashlib
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files("provedp"))).resolve().parent / "proofs"
PROJECT = "_CoqProject"
AGREEMENT = "agreement.v"
OPTIONS = ("-Q . provedp", "-arg -w", "-arg none")  # all that the project file may tell Coq

# What would let a file say more than the kernel has checked. `Print Assumptions` finds the axioms
# of what it is asked about; the flags of the kernel and the loading of other code it may not.
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Abort|give_up|Axioms?|Parameters?|Conjectures?|Primitive|Register"
    r"|bypass_check|(?:Unset|Set)\s+(?:Guard|Positivity|Universe)\s+Checking|type-in-type"
    r"|Load|Module|Include|Declare\s+ML\s+Module|Add\s+(?:Rec\s+)?(?:LoadPath|ML\s+Path)|Redirect|Extraction"
    r"|native_cast_no_check|vm_cast_no_check|exact_no_check|Rewrite\s+Rules?)\b"
    r"|#\[[^]]*(?:bypass_check|unsafe)[^]]*\]"
)
IN_SECTIONS = re.compile(r"\b(Hypothes[ie]s|Variables?|Context|Let)\b")
SECTION = re.compile(r"\b(Section|End)\s+\w+\s*\.")
IMPORT = re.compile(r"From\s+provedp\s+Require\s+(?:Import|Export)?([\w\s]+)\.")


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def present() -> bool:
    """Return whether the sources are here: a wheel has none."""
    return (FOLDER / PROJECT).is_file()


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the names of the sources, in the order in which they are compiled."""
    lines = (folder / PROJECT).read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip().endswith(".v"))


def options(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return what else than sources the project file lists."""
    lines = (folder / PROJECT).read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and line.strip()[-2:] != ".v")


def other_options(folder: Path = FOLDER) -> str:
    """Return what is wrong with the options of the project file; '' if they are the usual ones."""
    found = options(folder)
    if found == OPTIONS:
        return ""
    return f"{PROJECT} has other options than {', '.join(OPTIONS)}: {', '.join(found)}"


def read(folder: Path = FOLDER) -> dict[str, str]:
    """Return the texts of the sources by name."""
    return {name: (folder / name).read_text(encoding="utf-8") for name in names(folder)}


def imports(text: str) -> tuple[str, ...]:
    """Return the names of the project's own sources that a source requires.

    >>> imports("From provedp Require Import privacy optimum.")
    ('privacy.v', 'optimum.v')
    """
    found = (word for words in IMPORT.findall(text) for word in words.split())
    return tuple(f"{word}.v" for word in found)


def needed(name: str, required: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return a source and all that it requires, directly or not."""
    found = {name: None}
    for other in required.get(name, ()):
        found |= dict.fromkeys(needed(other, required))
    return tuple(found)


def without_comments(text: str) -> str:
    """Return a source without its comments, which may nest, nor what is quoted.

    >>> without_comments("Lemma a (* an (* Axiom *) *) : b.")
    'Lemma a  : b.'
    """
    kept, depth = [], 0
    for part in re.split(r'(\(\*|\*\)|"(?:[^"]|"")*")', text):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
        elif not depth and not part.startswith('"'):
            kept.append(part)
    return "".join(kept)


def weakened(text: str) -> list[str]:
    """Return the words of a source that weaken the kernel; none in a sound one.

    >>> weakened("Axiom a : False. (* Admitted *)"), weakened("Hypothesis h : False.")
    (['Axiom'], ['Hypothesis outside a section'])
    """
    code = without_comments(text)
    found = [" ".join(match.group().split()) for match in FORBIDDEN.finditer(code)]
    outside = IN_SECTIONS.finditer(_outside_sections(code))
    return found + [f"{match.group()} outside a section" for match in outside]


def _outside_sections(code: str) -> str:
    """Return what stands in no section; there a hypothesis would be an axiom."""
    kept, depth, start = [], 0, 0
    for match in SECTION.finditer(code):
        if depth == 0:
            kept.append(code[start : match.start()])
        depth = depth + 1 if match.group(1) == "Section" else max(0, depth - 1)
        start = match.end()
    return "".join([*kept, code[start:] if depth == 0 else ""])
