"""`provedp account`: what described releases cost together, and whether a claim is true."""

import json
from pathlib import Path
from typing import Any

import click

from provedp.accounts import account
from provedp.cli.account.documents import ADJACENCIES
from provedp.verify.accounting.judgement import PROVED, REFUTED, UNDECIDED, Judgement

STATUS = {None: 0, PROVED: 0, REFUTED: 1, UNDECIDED: 3}
SAMPLINGS = ("poisson", "without-replacement", "with-replacement")


@click.command("account")
@click.argument("file", required=False)
@click.option("--sigma", help="Instead of FILE: the standard deviation of Gaussian noise.")
@click.option(
    "--sensitivity",
    help="With --sigma, 1 unless given: largest ℓ₂ distance of the answers for adjacent inputs; "
    "with Poisson samples, the largest length that one record adds.",
)
@click.option("--rounds", help="With --sigma, 1 unless given: how many such releases there are.")
@click.option("--sample", metavar="M/N", help="With --sigma: each release is about M of N records.")
@click.option(
    "--sampling",
    type=click.Choice(SAMPLINGS),
    help="How --sample is drawn: each record with probability M/N, or M draws.",
)
@click.option(
    "--adjacency",
    type=click.Choice(sorted(ADJACENCIES)),
    help="Which inputs are compared; needed for a DpEvent, which does not say it.",
)
@click.option("--claim-epsilon", metavar="E", help="The claimed ε, in nats: 1, 0.5 or ln(3).")
@click.option("--claim-delta", metavar="D", help="The claimed δ in [0, 1).")
@click.option("--epsilon", metavar="E", help="Instead of a claim: bound δ at this ε.")
@click.option("--delta", metavar="D", help="Instead of a claim: bound ε at this δ.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def account_(
    file: str | None,
    claim_epsilon: str | None,
    claim_delta: str | None,
    epsilon: str | None,
    delta: str | None,
    adjacency: str | None,
    as_json: bool,
    **options: str | None,
) -> int:
    """Bound what releases cost together from both sides, and judge a claim about it.

    FILE is JSON and told by its keys: Opacus's history (accountant.state_dict()), a DpEvent of
    dp-accounting (to_named_tuple()), or an object {"adjacency": "replace-one", "releases":
    [{"noise": "gaussian", "sigma": 2, "times": 3}, {"epsilon": "ln(2)", "delta": "1e-9"},
    {"rho": "1/8"}]}. Fields of all kinds of releases are in docs/howto/account.md. A verdict is
    about the releases as they are described, not about the program that made them.

    Exit status: 0 proved, or nothing was claimed; 1 refuted; 2 a wrong request, or something there
    is no event for; 3 undecided.
    """
    if (claim_epsilon is None) != (claim_delta is None):
        raise ValueError("A claim needs both --claim-epsilon and --claim-delta.")
    claim = None
    if claim_epsilon is not None and claim_delta is not None:
        claim = claim_epsilon, claim_delta
    if claim is not None and (epsilon is not None or delta is not None):
        raise ValueError("Give either a claim or --epsilon and --delta.")
    if claim is None and epsilon is None and delta is None:
        raise ValueError("Give --claim-epsilon and --claim-delta, or --epsilon, or --delta.")
    source = _source(file, adjacency, options)
    found = account(source, claim=claim, epsilon=epsilon, delta=delta, adjacency=adjacency)
    asked = {"claim": claim, "epsilon": epsilon, "delta": delta}
    name = file or "the releases"
    click.echo(_as_json(found, asked) if as_json else _in_words(found, asked, name))
    return STATUS[found.verdict]


def _source(file: str | None, adjacency: str | None, options: dict[str, str | None]) -> Any:
    given = {name: value for name, value in options.items() if value is not None}
    if file is not None:
        if given:
            raise ValueError(f"--{next(iter(given))} describes a release: give it, or FILE.")
        return Path(file)
    if "sigma" not in given:
        raise ValueError("Give FILE, or --sigma.")
    if ("sample" in given) != ("sampling" in given):
        raise ValueError("--sample M/N and --sampling belong together: give both.")
    return {"releases": [_release(given)]}


def _release(given: dict[str, str]) -> dict[str, str]:
    release = {"noise": "gaussian", "sigma": given["sigma"]}
    if "sensitivity" in given:
        release["sensitivity"] = given["sensitivity"]
    if "rounds" in given:
        release["times"] = given["rounds"]
    if "sampling" in given:
        release["sampling"] = given["sampling"]
        if given["sampling"] == "poisson":
            release["rate"] = given["sample"]
        else:
            release["sample"], slash, release["size"] = given["sample"].partition("/")
            if not slash:
                raise ValueError(f"--sample must be M/N, such as 10/1000. Got {given['sample']}.")
    return release


def _as_json(found: Judgement, asked: dict[str, Any]) -> str:
    record = {
        "verdict": found.verdict,
        "claim": list(asked["claim"]) if asked["claim"] else None,
        "delta": _ends(found.delta),
        "epsilon": _ends(found.epsilon),
        "adjacency": found.adjacency,
        "releases": list(found.releases),
        "assumptions": list(found.assumptions),
        "arithmetic": found.arithmetic,
    }
    return json.dumps(record, ensure_ascii=False)


def _ends(bracket: tuple[float, float] | None) -> list[float | str] | None:
    """Return the ends of a bracket; infinity, which JSON does not have, as a word."""
    if bracket is None:
        return None
    return [end if end < float("inf") else "infinity" for end in bracket]


def _in_words(found: Judgement, asked: dict[str, Any], name: str) -> str:
    lines = []
    epsilon, delta = asked["claim"] or (asked["epsilon"], asked["delta"])
    if found.verdict is not None:
        lines.append(f"({epsilon}, {delta})-DP of {name}: {found.verdict.upper()}")
    if found.delta is not None:
        lines.append(f"delta       in [{found.delta[0]!r}, {found.delta[1]!r}] at ε = {epsilon}")
    if found.epsilon is not None:
        lines.append(f"epsilon     in [{found.epsilon[0]!r}, {found.epsilon[1]!r}] at δ = {delta}")
    if found.verdict == UNDECIDED and found.epsilon is not None:
        low, high = found.epsilon
        lines.append(f"decided     is ε below {low!r}, which is refuted, and from {high!r} on")
    lines += _listed("releases", found.releases or ("none",))
    lines += _listed("inputs", (found.adjacency,))
    lines += _listed("assumed", found.assumptions)
    lines += _listed("arithmetic", (found.arithmetic,))
    return "\n".join(lines)


def _listed(title: str, entries: tuple[str, ...]) -> list[str]:
    heads = [title, *[""] * (len(entries) - 1)]
    return [f"{head:<12}{entry}" for head, entry in zip(heads, entries, strict=False)]
