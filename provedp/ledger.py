"""Claims from Python: find them, run them, show them; the command line's `verify` and `show`."""

from provedp.cli.show import in_words
from provedp.verify.ledger import Claim, parallel, registry
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.run import Result, run

QUICK = Level.QUICK


def claims(pattern: str | None = None, *, file: str | None = None) -> tuple[Claim, ...]:
    """Return the claims whose id matches a shell pattern or begins with it; all without one.

    Parameters
    ----------
    pattern
        Such as 'counting.error*'.
    file
        A Python file of claims of your own; the ledger of provedp unless given.

    Raises
    ------
    ValueError
        If nothing matches, or the file holds no claims.
    """
    return tuple(registry.select(pattern, file))


def find_claim(name: str, *, file: str | None = None) -> Claim:
    """Return the claim with this id.

    Raises
    ------
    ValueError
        If there is none, or the file holds no claims.
    """
    return registry.find(name, file)


def run_claim(name: str, *, file: str | None = None, level: Level | str = QUICK) -> Result:
    """Recompute one verdict and hold it against its record.

    Parameters
    ----------
    name
        The claim's id.
    file
        A Python file of claims of your own; the ledger of provedp unless given.
    level
        How much of the domain is run: 'quick' or 'full'.

    Raises
    ------
    ValueError
        If there is no such claim or level, or the file holds no claims.

    >>> run_claim("counting.third_upper_bound_holds").verdict.name
    'REFUTED'
    """
    claim = registry.find(name, file)
    return run(claim, registry.repairs_of(claim, file), Level(level))


def run_claims(
    pattern: str | None = None,
    *,
    file: str | None = None,
    level: Level | str = QUICK,
    jobs: int = 1,
) -> tuple[Result, ...]:
    """Recompute the verdicts of the claims that a pattern names, `jobs` at a time.

    Raises
    ------
    ValueError
        If nothing matches, there is no such level, or the file holds no claims.
    """
    names = [claim.id for claim in claims(pattern, file=file)]
    running = parallel.run_all(names, file=file, level=Level(level), jobs=jobs)
    return tuple(result for result, _ in running)


def show_claim(name: str, *, file: str | None = None) -> str:
    """Return one claim whole, as text: statement, verdict, evidence, counterexample and repair.

    Raises
    ------
    ValueError
        If there is no such claim, or the file holds no claims.
    """
    claim = registry.find(name, file)
    repairs = registry.repairs_of(claim, file)
    result = run(claim, repairs)
    return in_words(claim, result, repairs, registry.standing(claim, result.verdict, file))
