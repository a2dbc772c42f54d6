"""Accounting from Python: the command line's `account`, and audits of accountants."""

from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from flint import ctx

from provedp.theory.numbers import Number
from provedp.verify.accounting.accountant_audit import AccountantAudit as AccountantAudit
from provedp.verify.accounting.accountant_audit import Outside as Outside
from provedp.verify.accounting.accountant_audit import Setting as Setting
from provedp.verify.accounting.accountant_audit import audit_accountant as audit_accountant
from provedp.verify.accounting.judgement import Judgement as Judgement
from provedp.verify.accounting.judgement import judge

__all__ = ["AccountantAudit", "Judgement", "Outside", "Setting", "account", "audit_accountant"]

Given = int | str | Fraction


def account(
    releases: Any,
    *,
    claim: tuple[Given, Given] | None = None,
    epsilon: Given | None = None,
    delta: Given | None = None,
    adjacency: str | None = None,
) -> Judgement:
    """Bound what described releases cost together from both sides, and judge a claim about it.

    Parameters
    ----------
    releases
        A JSON file or decoded JSON: Opacus's history (`accountant.state_dict()`), a `DpEvent` of
        dp-accounting (itself, its named tuple, or JSON of that), or an object with 'releases'.
    claim
        (ε, δ): what an accountant says of them, ε in nats.
    epsilon, delta
        Instead of a claim: ε at which δ is bounded, and δ at which ε is.
    adjacency
        'add-or-remove' or 'replace-one', where the description does not say it.

    Raises
    ------
    ValueError
        If the description is not known or holds what there is no event for (it is named), or a
        number is outside its range; floats are refused in claims, since they are not what was
        typed.

    >>> history = {"history": [[1, "1/100", 1000]]}
    >>> account(history, claim=("1.61772", "1e-5")).verdict
    'refuted'
    """
    from provedp.cli.account.documents import read_document, read_file
    from provedp.cli.numbers import BITS, ratio

    if claim is not None and (epsilon is not None or delta is not None):
        raise ValueError("Give either 'claim' or 'epsilon' and 'delta'.")
    if claim is None and epsilon is None and delta is None:
        raise ValueError("Give a 'claim', 'epsilon' or 'delta'.")
    asked = claim or (epsilon, delta)
    with ctx.workprec(BITS):
        at_epsilon, at_delta = (
            None if number is None else _number(name, number)
            for name, number in zip(("epsilon", "delta"), asked, strict=True)
        )
    if isinstance(releases, (str, PathLike)):
        read = read_file(Path(releases), adjacency)
    else:
        read = read_document(releases, adjacency)
    k = None if asked[0] is None else ratio("account", str(asked[0]))
    return judge(read, at_epsilon, at_delta, claim is not None, k)


def _number(name: str, given: Given) -> Number:
    from provedp.cli.expressions import parse
    from provedp.cli.numbers import exact_or_ball

    if isinstance(given, bool) or not isinstance(given, (int, str, Fraction)):
        raise ValueError(
            f"The '{name}' parameter of account must be a whole number, a fraction or a text such "
            f"as '0.1'. Got {given!r} instead."
        )
    value = parse(str(given))
    if not value.is_real:
        raise ValueError(f"The '{name}' parameter of account must be a number. Got {given}.")
    return exact_or_ball(value)
