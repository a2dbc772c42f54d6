"""The decorators that make a claim of a check with a verdict on record: whose statement it is.

A decorator that is put wrongly does not raise; see `records`.
"""

import dis
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from provedp.verify.ledger.claim import Claim, Defect, Recorded, Role, Verdict
from provedp.verify.ledger.instances import Instances
from provedp.verify.ledger.records import MADE, unmake
from provedp.verify.ledger.source import Source

ClaimOf = Callable[[Recorded], Claim]
Foundations = tuple[Claim | str, ...]
Mutants = tuple[Callable[..., Any], ...]


def _by_name(survivors: Mapping[str, str]) -> dict[str, str]:
    """Return why each mutant may live; one line may be for several, parted by "; "."""
    return {name: why for names, why in survivors.items() for name in names.split("; ")}


def published(
    *sources: Source | str,
    formula: Callable[..., Any] | None = None,
    mutants: Mutants = (),
    survivors: Mapping[str, str] | None = None,
    rests_on: Foundations = (),
    defect: Defect | None = None,
) -> ClaimOf:
    """Make a claim of a statement in a text.

    Parameters
    ----------
    sources
        Where it stands: `Source`s, or a text such as 'my lecture notes, Lemma 2'.
    formula
        The formula under test, which the check takes as its first argument.
    mutants, survivors
        Wrong formulas of one's own, and why mutants may live.
    rests_on
        Claims, or ids of claims, that the argument uses.
    defect
        With `@refuted`: how the text is wrong.

    >>> from provedp.verify.ledger import Paper, Source, equal, proved
    >>> @published(Source(Paper.COUNTING, "Corollary 1.1"))
    ... @proved(argued=())
    ... def one_is_one():
    ...     '''1 = 1.'''
    ...     return equal(1, 1)
    >>> print(*one_is_one.sources)
    counting paper, Corollary 1.1
    """
    return _with_role(
        Role.PUBLISHED,
        sources,
        formula=formula,
        mutants=mutants,
        survivors=_by_name(survivors or {}),
        rests_on=rests_on,
        defect=defect,
    )


def ours(
    *sources: Source | str,
    formula: Callable[..., Any] | None = None,
    mutants: Mutants = (),
    survivors: Mapping[str, str] | None = None,
    rests_on: Foundations = (),
) -> ClaimOf:
    """Make a claim of a statement of one's own.

    Parameters
    ----------
    sources
        What it bears on: `Source`s, or a text such as 'noise on a sample'.
    formula, mutants, survivors, rests_on
        As for `published`.
    """
    return _with_role(
        Role.OURS,
        sources,
        formula=formula,
        mutants=mutants,
        survivors=_by_name(survivors or {}),
        rests_on=rests_on,
    )


def repairs(
    broken: Claim,
    *,
    formula: Callable[..., Any] | None = None,
    mutants: Mutants = (),
    survivors: Mapping[str, str] | None = None,
    rests_on: Foundations = (),
) -> ClaimOf:
    """Make a claim that puts right a refuted one: another formula, or one hypothesis more."""
    if not isinstance(broken, Claim):
        raise TypeError(f"repairs needs the claim that it puts right, not {broken!r}.")
    return _with_role(
        Role.REPAIRED,
        broken.sources,
        formula=formula,
        mutants=mutants,
        survivors=_by_name(survivors or {}),
        rests_on=rests_on,
        repairs=broken,
    )


def without_role(recorded: Recorded) -> Claim:
    """Return the claim at fault that a check with a verdict and no role is."""
    return _claim(Role.OURS, recorded, (), {}, "no role: @published, @ours or @repairs is missing")


def _with_role(role: Role, sources: tuple[Any, ...], **more: Any) -> ClaimOf:
    misplaced = [source for source in sources if not isinstance(source, (Source, str))]
    if not misplaced:
        return lambda recorded: _claim(role, recorded, _read(sources), more)
    fault = f"@{role} lacks its call: @{role}('where it stands')"
    return cast(ClaimOf, _claim(role, misplaced[0], (), {}, fault))


def _read(sources: tuple[Source | str, ...]) -> tuple[Source, ...]:
    """Return sources, of which a text is a subject in words and a blank one is none."""
    known = (source if isinstance(source, Source) else source.strip() for source in sources)
    return tuple(Source(None, s) if isinstance(s, str) else s for s in known if s)


def _claim(
    role: Role,
    recorded: Any,
    sources: tuple[Source, ...],
    more: Mapping[str, Any],
    fault: str = "",
) -> Claim:
    if not isinstance(recorded, Recorded):
        check = getattr(recorded, "check", recorded)
        unmake(recorded)
        recorded = Recorded(check, Verdict.OPEN, Instances({}), fault="no verdict is on record")
    faults = [fault, recorded.fault, *_faults(recorded, sources, more)]
    claim = Claim(
        recorded.check,
        sources,
        role,
        recorded.verdict,
        recorded.instances,
        reason=recorded.reason,
        bits=recorded.bits,
        argued=recorded.argued,
        theorems=recorded.theorems,
        part=recorded.part,
        fault="; ".join(part for part in faults if part),
        **more,
    )
    MADE.setdefault(claim.check.__module__, []).append(claim)
    return claim


def _faults(
    recorded: Recorded, sources: tuple[Source, ...], more: Mapping[str, Any]
) -> Iterable[str]:
    if not (recorded.check.__doc__ or "").strip():
        yield "no docstring, so it states nothing"
    if not sources:
        yield "no source"
    yield from _faults_of_parameters(recorded, more.get("formula") is not None)
    foundations = more.get("rests_on", ())
    if not isinstance(foundations, tuple) or not all(
        isinstance(other, (Claim, str)) for other in foundations
    ):
        yield f"rests_on is {foundations!r}: it must be a tuple of claims or of their ids"
    defect = more.get("defect")
    if defect is not None and not isinstance(defect, Defect):
        yield f"defect is {defect!r}: it must be a Defect"
    if defect is not None and recorded.verdict is not Verdict.REFUTED:
        yield f"a defect is named, but the claim is recorded as {recorded.verdict}"


def _faults_of_parameters(recorded: Recorded, has_formula: bool) -> Iterable[str]:
    """Yield what is wrong between the domain and the parameters of the check."""
    code = getattr(recorded.check, "__code__", None)
    if code is None or recorded.verdict is Verdict.OPEN:
        return
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    given = names[1:] if has_formula else names
    if has_formula and not names:
        yield "it has a formula under test and no parameter for it"
    listed = set(recorded.instances.values)
    if recorded.instances.cases is None and not set(given) >= listed:
        yield f"its domain names {', '.join(sorted(listed - set(given)))}, which it does not take"
    read = {i.argval for i in dis.get_instructions(code) if i.opname.startswith("LOAD")}
    read |= {
        name for i in dis.get_instructions(code) if isinstance(i.argval, tuple) for name in i.argval
    }
    unread = [name for name in given if name not in read and name not in code.co_cellvars]
    varied = [name for name in unread if recorded.instances.varies(name)]
    if varied:
        yield f"it never reads {', '.join(varied)}: its instances would all be one"
