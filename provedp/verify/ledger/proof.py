"""Steps of a proof: entailments decided by z3.

A hypothesis or conclusion is a sympy relation or a Boolean combination of relations. Symbols that
are declared integer range over the integers, those declared real over the reals, with the sign that
they are declared to have. Effort is bounded by a count of elementary operations, not by time, so
that the same step always ends the same way.
"""

from typing import Any

import sympy
import z3

from provedp.verify.ledger import journal
from provedp.verify.ledger.evidence import described
from provedp.verify.ledger.findings import Finding, Kind, made
from provedp.verify.ledger.translation import divisors, signs, translate
from provedp.verify.ledger.values import require_one_symbol_a_name

EFFORT = 1_500_000  # operations of z3; the hardest step on record takes 300 thousand
STEP_WIDTH = 400  # characters of an entailment that are shown


def entails(hypotheses: list[Any], conclusion: Any, *, effort: int = EFFORT) -> Finding:
    """Find whether the conclusion holds for all values that meet the hypotheses.

    Parameters
    ----------
    hypotheses
        Sympy relations or Boolean combinations of them; none for an empty list.
    conclusion
        The same; refuted by an assignment that meets the hypotheses, shown in the note.
    effort
        Bound on z3's operation count; beyond it the finding is undecided.

    Raises
    ------
    TypeError
        For what is no relation (a Python bool, such as sympy's == and != give, among them), for a
        symbol that is not declared real, and for two symbols of one name.
    ValueError
        If a hypothesis or the conclusion is true or false already, so that nothing of it reaches
        the solver; if the hypotheses contradict each other; or if a divisor may be zero.
    """
    relations = [_relation(part) for part in (*hypotheses, conclusion)]
    require_one_symbol_a_name(*relations)
    _show(relations)
    solver = z3.Solver()
    solver.set("rlimit", effort)
    solver.add(*(translate(hypothesis) for hypothesis in relations[:-1]))
    solver.add(*signs(*relations))
    for divisor in divisors(*relations):
        may_vanish = _check(solver, translate(divisor) == 0)
        if may_vanish == z3.sat:
            raise journal.refused(ValueError(f"{divisor} is divided by and may be 0: exclude it."))
        if may_vanish != z3.unsat:
            return _given_up(f"it is not known that {divisor} is not 0")
    outcome = _check(solver, z3.Not(translate(relations[-1])))
    if outcome == z3.sat:
        return made(False, Kind.SYMBOLIC, note=f"fails for {_counterexample(solver, relations)}")
    if outcome != z3.unsat:
        return _given_up(f"z3 gave up: {solver.reason_unknown()}")
    satisfiable = solver.check()
    if satisfiable == z3.unsat:
        raise journal.refused(ValueError("No value meets the hypotheses: they say nothing."))
    if satisfiable != z3.sat:
        return _given_up("it is not known that a value meets the hypotheses")
    return made(True, Kind.SYMBOLIC)


def _relation(part: Any) -> sympy.Basic:
    if not isinstance(part, sympy.logic.boolalg.Boolean) or isinstance(part, sympy.Symbol):
        kind = type(part).__name__
        raise journal.refused(TypeError(f"{part!r} ({kind}) is no relation: use sympy.Eq, Ne, <."))
    if isinstance(part, sympy.logic.boolalg.BooleanAtom):
        told = str(part).lower()
        raise journal.refused(
            ValueError(f"A relation is already {told}: it says nothing, or its symbols say it.")
        )
    return part


def _check(solver: z3.Solver, addition: Any) -> Any:
    solver.push()
    solver.add(addition)
    outcome = solver.check()
    solver.pop()
    return outcome


def _counterexample(solver: z3.Solver, relations: list[sympy.Basic]) -> str:
    solver.add(z3.Not(translate(relations[-1])))
    solver.check()
    model = solver.model()
    return ", ".join(sorted(f"{one} = {model[one]}" for one in model.decls()))


def _given_up(note: str) -> Finding:
    return made(None, Kind.SYMBOLIC, note=note)


def _show(relations: list[sympy.Basic]) -> None:
    if journal.is_full():
        journal.step("")
        return
    symbols = {symbol for relation in relations for symbol in relation.free_symbols}
    domain = ", ".join(sorted(map(described, symbols)))
    *given, conclusion = map(_in_words, relations)
    text = f"{', '.join(given)} ⟹ {conclusion}" if given else conclusion
    if len(text) > STEP_WIDTH:
        text = f"{text[:STEP_WIDTH]}… ({len(text)} characters)"
    journal.step(f"{text} for {domain}")


def _in_words(relation: sympy.Basic) -> str:
    if isinstance(relation, sympy.core.relational.Relational):
        sign = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}.get(relation.rel_op, relation.rel_op)
        return f"{relation.lhs} {sign} {relation.rhs}"
    return str(relation)
