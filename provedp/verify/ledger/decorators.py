"""The decorators that make a claim of a function: a verdict on record, then a role.

A decorator that is put wrongly does not raise: what it decorates becomes a claim at fault, which a
run shows, so that a file with one careless claim still has all its others checked.
"""

import dis
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from provedp.verify.ledger.claim import Check, Claim, Defect, Recorded, Role, Verdict
from provedp.verify.ledger.instances import Instances, instances_of
from provedp.verify.ledger.source import Source

Argued = tuple[str, ...] | None
Record = Callable[[Check], Recorded]
ClaimOf = Callable[[Recorded], Claim]

# Every claim by the module of its check, in the order in which they are made: of two functions of
# one name, the module keeps only the last.
MADE: dict[str, list[Claim]] = {}
Foundations = tuple[Claim | str, ...]
Mutants = tuple[Callable[..., Any], ...]


def _record(verdict: Verdict) -> Callable[..., Record]:
    def with_domain(
        *misplaced: Any, bits: int | None = None, argued: Argued = None, **domain: Any
    ) -> Record:
        if misplaced:
            return _without_its_call(str(verdict), verdict, misplaced[0])
        return lambda check: _recorded(check, verdict, domain, bits, argued)

    return with_domain


proved = _record(Verdict.PROVED)
certified = _record(Verdict.CERTIFIED)
supported = _record(Verdict.SUPPORTED)


def refuted(*misplaced: Any, bits: int | None = None, **witness: Any) -> Record:
    """Record a refutation: the witness meets every hypothesis and fails the conclusion."""
    if misplaced:
        return _without_its_call("refuted", Verdict.REFUTED, misplaced[0])
    return lambda check: _recorded(check, Verdict.REFUTED, {"cases": [witness]}, bits, None)


def open_(reason: str | Check) -> Record:
    """Record a claim that cannot be executed, and why."""
    if not isinstance(reason, str):
        return _without_its_call("open_", Verdict.OPEN, reason)
    return lambda check: Recorded(check, Verdict.OPEN, Instances({}), reason)


def _recorded(
    check: Any, verdict: Verdict, domain: Mapping[str, Any], bits: int | None, argued: Argued
) -> Recorded:
    if isinstance(check, (Recorded, Claim)):
        kind = "verdict" if isinstance(check, Recorded) else "role"
        _unmake(check)
        return Recorded(
            check.check, verdict, check.instances, fault=f"@{verdict} stands on top of its {kind}"
        )
    try:
        instances, fault = instances_of(domain), _fault_in(argued, "argued")
    except (TypeError, ValueError) as error:
        instances, fault = Instances({}), str(error)
    return Recorded(check, verdict, instances, bits=bits, argued=argued, fault=fault)


def _without_its_call(name: str, verdict: Verdict, check: Any) -> Record:
    target = check.check if isinstance(check, (Recorded, Claim)) else check
    _unmake(check)
    fault = f"@{name} lacks its call: @{name}(…)"
    return cast(Record, Recorded(target, verdict, Instances({}), fault=fault))


def _unmake(inner: Any) -> None:
    """Forget a claim that is decorated once more: what comes out of that is the claim."""
    if isinstance(inner, Claim):
        MADE[inner.check.__module__].remove(inner)


def _by_name(survivors: Mapping[str, str]) -> dict[str, str]:
    """Return why each mutant may live; one line may be for several, parted by "; "."""
    return {name: why for names, why in survivors.items() for name in names.split("; ")}


def _fault_in(lines: Any, name: str) -> str:
    if lines is None:
        return ""
    if isinstance(lines, tuple) and all(isinstance(line, str) and line.strip() for line in lines):
        return ""
    return f"{name} is {lines!r}: it must be a tuple of lines of text"


def published(
    *sources: Source | str,
    formula: Callable[..., Any] | None = None,
    mutants: Mutants = (),
    survivors: Mapping[str, str] | None = None,
    rests_on: Foundations = (),
    defect: Defect | None = None,
) -> ClaimOf:
    """Make a claim of a statement in a paper; `sources` say where it stands."""
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
    """Make a claim of a statement that no paper makes; `sources` say what it bears on."""
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
        _unmake(recorded)
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
