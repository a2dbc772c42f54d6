"""Where claims are found: the project's own subjects, or a user's file."""

import fnmatch
import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from provedp.verify.ledger import chain, decorators, records, theorems, words
from provedp.verify.ledger.claim import Claim, Recorded, Verdict
from provedp.verify.ledger.guarding import GuardedLoader

SUBJECTS = {
    "privacy": "provedp.verify.claims.privacy",
    "counting": "provedp.verify.claims.counting",
    "mixture": "provedp.verify.claims.mixture",
    "modes": "provedp.verify.claims.modes",
}


class UnknownClaimError(ValueError):
    """No claim has this id."""


class ClaimFileError(ValueError):
    """A file of claims that cannot be read, run, or that holds none."""


def claims(file: str | None = None) -> dict[str, Claim]:
    """Return all claims by id, in the order in which they stand.

    Parameters
    ----------
    file
        A Python file of a user's claims; the project's own ledger unless given.

    Raises
    ------
    ClaimFileError
        If the file cannot be read or run, holds no claim, or two claims share an id.
    """
    return _claims(None if file is None else Path(file).resolve())


@cache
def _claims(file: Path | None) -> dict[str, Claim]:
    modules = _own_modules() if file is None else [_load(file)]
    found: dict[str, Claim] = {}
    for module in modules:
        for claim in _defined_in(module):
            if claim.id in found:
                raise ClaimFileError(f"Two claims have the id {claim.id!r}.")
            found[claim.id] = claim
    if not found:
        raise ClaimFileError(f"{file} holds no claim: decorate a check with @ours or @published.")
    return found


def select(pattern: str | None, file: str | None = None) -> list[Claim]:
    """Return the claims whose id matches a shell pattern or begins with it; all without one.

    Raises
    ------
    UnknownClaimError
        If nothing matches; the message suggests the nearest ids by their words.
    """
    known = claims(file)
    if pattern is None:
        return list(known.values())
    chosen = [
        claim
        for name, claim in known.items()
        if fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern)
    ]
    if not chosen:
        statements = {name: claim.statement for name, claim in known.items()}
        raise UnknownClaimError(f"No claim matches {pattern!r}.{_suggestion(pattern, statements)}")
    return chosen


def find(name: str, file: str | None = None) -> Claim:
    """Return the claim with this id; the subject may be left out where only one id then fits.

    Raises
    ------
    UnknownClaimError
        If there is none, or several; the message suggests the nearest by their words.
    """
    known = claims(file)
    return known[find_id(name, {each: claim.statement for each, claim in known.items()})]


def find_id(name: str, statements: Mapping[str, str]) -> str:
    """Return the id that a name stands for: itself, or the only one that it ends.

    Parameters
    ----------
    name
        'counting.error_is_optimal', or 'error_is_optimal'.
    statements
        Of all claims, by id.

    Raises
    ------
    UnknownClaimError
        If there is none, or several; the message suggests the nearest by their words.
    """
    if name in statements:
        return name
    ends = [known for known in statements if known.partition(".")[2] == name]
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise UnknownClaimError(f"Several claims are called {name!r}: {', '.join(ends)}.")
    raise UnknownClaimError(f"No claim is called {name!r}.{_suggestion(name, statements)}")


def standing(claim: Claim, own: Verdict | None = None, file: str | None = None) -> chain.Standing:
    """Return a claim's verdict (its record unless given) as capped by what it rests on.

    A user's claim may rest on claims of its own file and on the project's.
    """

    def known(name: str) -> Claim | None:
        here = claims(file).get(name)
        return here if here is not None or file is None else claims().get(name)

    verdict = claim.verdict if own is None else own
    return chain.standing(claim, verdict, known, theorems.is_settled)


def repairs_of(claim: Claim, file: str | None = None) -> tuple[Claim, ...]:
    """Return the claims that repair `claim`."""
    return tuple(other for other in claims(file).values() if other.repairs is claim)


def _suggestion(name: str, statements: Mapping[str, str]) -> str:
    near = words.suggestion(words.nearest(name, statements))
    return near or " No claim shares its words: `provedp list` shows what there is."


def _own_modules() -> list[ModuleType]:
    modules = []
    for package in map(importlib.import_module, SUBJECTS.values()):
        modules += [importlib.import_module(f"{package.__name__}.{n}") for n in package.MODULES]
    return modules


def _defined_in(module: ModuleType) -> list[Claim]:
    """Return the claims of a module, those that have a verdict but no role among them, at fault."""
    roleless = [value for value in vars(module).values() if isinstance(value, Recorded)]
    made = records.MADE.get(module.__name__, [])
    return [*made, *(decorators.without_role(recorded) for recorded in roleless)]


def _load(path: Path) -> ModuleType:
    if not os.path.isfile(path):  # which a name that no file can have does not upset
        raise ClaimFileError(f"{path} is not a file.")
    loader = GuardedLoader(path.stem, str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    if spec is None or path.suffix != ".py":
        raise ClaimFileError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    records.MADE.pop(path.stem, None)
    try:
        loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the user's file raises is shown as its own error
        raise ClaimFileError(f"{path} fails: {type(error).__name__}: {error}") from error
    return module
