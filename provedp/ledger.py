"""The ledger from Python: list it, show it, run it; the command line's `list`, `show`, `verify`."""

from provedp.verify.ledger import Claim, listing, parallel, registry, search
from provedp.verify.ledger.claim import Defect, Role, Verdict
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.listing import ClaimList, ClaimPage, ItemList, ItemPage
from provedp.verify.ledger.papers import Paper
from provedp.verify.ledger.run import Result, run

QUICK = Level.QUICK

__all__ = [
    "ClaimList",
    "ClaimPage",
    "ItemList",
    "ItemPage",
    "claims",
    "find_claim",
    "list_claims",
    "list_items",
    "run_claim",
    "run_claims",
    "show",
]


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
    """Return the claim with this id; the subject may be left out where only one id then fits.

    Raises
    ------
    ValueError
        If there is none, or several, or the file holds no claims.
    """
    return registry.find(name, file)


def list_claims(
    *,
    paper: Paper | str | None = None,
    item: str | None = None,
    verdict: Verdict | str | None = None,
    defect: Defect | str | None = None,
    role: Role | str | None = None,
    text: str | None = None,
    file: str | None = None,
) -> ClaimList:
    """Return the claims that meet everything that is asked for, with the verdicts on record.

    Parameters
    ----------
    paper
        'counting', 'mixture' or 'modes'.
    item
        Such as 'Theorem 1', 'eq. (10)', 'counting, Theorem 1'; of a section, all that is in it.
    verdict
        'proved', 'certified', 'supported', 'refuted' or 'open'.
    defect
        'false', 'gap in the proof', 'degenerate case' or 'misprint'.
    role
        'published', 'repaired' or 'ours'.
    text
        Words, all of which must be in the id, the statement or the sources, or synonyms of them.
    file
        A Python file of claims of your own; the ledger of provedp unless given.

    Raises
    ------
    ValueError
        If there is no such paper, item, verdict, defect, role or file.

    >>> found = list_claims(paper="counting", defect="misprint")
    >>> [claim.id for claim in found][-1]
    'counting.every_statement_is_for_an_invertible_channel'
    >>> print(list_claims(item="counting, Lemma 1"))
    counting, Lemma 1
    proved    counting.odd_kernel_is_positive_definite
    proved    counting.even_kernel_is_positive_definite
    <BLANKLINE>
    2 claims: 2 proved
    """
    chosen = search.chosen(
        listing.entries(file),
        paper=paper,
        item=item,
        verdict=verdict,
        defect=defect,
        role=role,
        text=text,
    )
    return ClaimList(chosen)


def list_items(*, paper: Paper | str | None = None, file: str | None = None) -> ItemList:
    """Return the items of a paper, or of all, that claims speak of, in the paper's order.

    Raises
    ------
    ValueError
        If there is no such paper or file.

    >>> theorem = next(e for e in list_items(paper="counting") if e.item.name == "Theorem 1")
    >>> theorem.verdict_in_words
    'refuted (gap in the proof)'
    """
    return listing.items(paper, file)


def show(name: str, *, file: str | None = None) -> ClaimPage | ItemPage:
    """Return a claim, which is run, or an item of a paper, as recorded, whole: print it.

    Parameters
    ----------
    name
        A claim's id, or a paper and an item, such as 'counting, Theorem 1'.
    file
        A Python file of claims of your own; the ledger of provedp unless given.

    Raises
    ------
    ValueError
        If there is no such claim or item, or the file holds no claims.

    >>> print(show("counting, Lemma 1"))  # doctest: +ELLIPSIS
    counting, Lemma 1: proved
    ...
    """
    return listing.page(name, file)


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
