"""Steps of a proof: identities over sympy symbols and entailments decided by z3.

A hypothesis or conclusion is a sympy relation or a Boolean combination of relations. Symbols that
are declared integer range over the integers, all others over the reals, with the sign that they are
declared to have. Effort is bounded by a count of elementary operations, not by time, so that the
same step always ends the same way.
"""

from functools import reduce
from typing import Any

import sympy
import z3

from provedp.verify.ledger.evidence import Finding, Kind

EFFORT = 1_500_000  # operations of z3; the hardest step on record takes 300 thousand


def entails(hypotheses: list[Any], conclusion: Any, *, effort: int = EFFORT) -> Finding:
    """Find whether the conclusion holds for all values that meet the hypotheses.

    Parameters
    ----------
    hypotheses
        Sympy relations or Boolean combinations of them.
    conclusion
        The same; refuted by an assignment that meets the hypotheses, shown in the note.
    effort
        Bound on z3's operation count; beyond it the finding is undecided.

    Returns
    -------
    A symbolic finding. Hypotheses that nothing meets are a False finding: such an entailment would
    say nothing.
    """
    solver = z3.Solver()
    solver.set("rlimit", effort)
    solver.add(*(translate(hypothesis) for hypothesis in hypotheses))
    solver.add(*_assumptions(conclusion, *hypotheses))
    solver.push()
    solver.add(z3.Not(translate(conclusion)))
    outcome = solver.check()
    if outcome == z3.sat:
        return Finding(False, Kind.SYMBOLIC, note=f"fails for {_assignment(solver.model())}")
    if outcome != z3.unsat:
        return Finding(None, Kind.SYMBOLIC, note=f"z3 gave up: {solver.reason_unknown()}")
    solver.pop()
    satisfiable = solver.check()
    if satisfiable == z3.unsat:
        return Finding(False, Kind.SYMBOLIC, note="no value meets the hypotheses")
    if satisfiable != z3.sat:
        return Finding(
            None, Kind.SYMBOLIC, note="it is not known that a value meets the hypotheses"
        )
    return Finding(True, Kind.SYMBOLIC)


def _assumptions(*expressions: Any) -> list[Any]:
    """Return the signs that sympy assumes of its symbols: relations that follow are gone by now."""
    symbols = {symbol for e in expressions for symbol in sympy.sympify(e).free_symbols}
    signs = []
    for symbol in sorted(symbols, key=str):
        variable = _variable(symbol)
        for known, sign in (
            (symbol.is_positive, variable > 0),
            (symbol.is_negative, variable < 0),
            (symbol.is_nonnegative, variable >= 0),
            (symbol.is_nonpositive, variable <= 0),
            (symbol.is_nonzero, variable != 0),
        ):
            if known:
                signs.append(sign)
    return signs


def translate(expression: Any) -> Any:
    """Return a sympy relation, Boolean or rational expression as a z3 expression.

    Raises
    ------
    TypeError
        If it holds anything but rational functions, |·|, max and min.
    """
    if isinstance(expression, (bool, sympy.logic.boolalg.BooleanAtom)):
        return z3.BoolVal(bool(expression))
    if isinstance(expression, sympy.Rational):
        return (
            z3.RealVal(f"{expression.p}/{expression.q}")
            if expression.q != 1
            else z3.IntVal(int(expression))
        )
    if isinstance(expression, sympy.Symbol):
        return _variable(expression)
    if isinstance(expression, sympy.Pow):
        return _power(expression)
    rule = _RULES.get(type(expression))
    if rule is None:
        raise TypeError(f"No translation for {expression} ({type(expression).__name__}).")
    return rule(*(translate(part) for part in expression.args))


def _variable(symbol: sympy.Symbol) -> Any:
    return z3.Int(symbol.name) if symbol.is_integer else z3.Real(symbol.name)


def _power(expression: sympy.Pow) -> Any:
    base, exponent = expression.args
    if not isinstance(exponent, sympy.Integer):
        raise TypeError(f"No translation for {expression}: the exponent is not a fixed integer.")
    factor = translate(base)
    product = reduce(lambda a, b: a * b, [factor] * abs(int(exponent)))
    return product if exponent > 0 else z3.RealVal(1) / product


def _least(*parts: Any) -> Any:
    return reduce(lambda a, b: z3.If(a <= b, a, b), parts)


def _greatest(*parts: Any) -> Any:
    return reduce(lambda a, b: z3.If(a >= b, a, b), parts)


_RULES = {
    sympy.Add: lambda *parts: reduce(lambda a, b: a + b, parts),
    sympy.Mul: lambda *parts: reduce(lambda a, b: a * b, parts),
    sympy.Abs: lambda part: z3.If(part >= 0, part, -part),
    sympy.Min: _least,
    sympy.Max: _greatest,
    sympy.And: z3.And,
    sympy.Or: z3.Or,
    sympy.Not: z3.Not,
    sympy.Implies: z3.Implies,
    sympy.StrictLessThan: lambda a, b: a < b,
    sympy.LessThan: lambda a, b: a <= b,
    sympy.StrictGreaterThan: lambda a, b: a > b,
    sympy.GreaterThan: lambda a, b: a >= b,
    sympy.Equality: lambda a, b: a == b,
    sympy.Unequality: lambda a, b: a != b,
}


def _assignment(model: z3.ModelRef) -> str:
    return ", ".join(sorted(f"{variable} = {model[variable]}" for variable in model.decls()))
