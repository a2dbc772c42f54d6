"""`provedp solve gaussian`: the least Gaussian noise for a target."""

import json
from typing import Any

import click
from flint import ctx

from provedp.cli.expressions import parse
from provedp.cli.numbers import BITS, exact, exact_or_ball
from provedp.theory.domain import Range, check_argument
from provedp.theory.numbers import Number
from provedp.theory.privacy.calibration import EPSILON, GAUSSIAN_DELTA, SENSITIVITY
from provedp.theory.privacy.sampling.mixtures import RATE
from provedp.verify.accounting.least_noise import (
    SAMPLED_ROUNDS,
    SAMPLINGS,
    WITH_REPLACEMENT,
    WITHOUT_REPLACEMENT,
    Request,
    classical_noise,
    least_gaussian_noise,
)

WHERE = "solve gaussian"
OF_THE_SENSITIVITY = "those that the sensitivity is about"


@click.command("gaussian")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", required=True, help="δ in (0, 1): a number, or 1e-5.")
@click.option(
    "--sensitivity",
    default="1",
    show_default=True,
    help="Largest ℓ₂ distance of the answers for adjacent inputs; with --sampling poisson, the "
    "largest length that one record adds.",
)
@click.option(
    "--rounds",
    type=int,
    default=1,
    show_default=True,
    help=f"Releases that share (ε, δ); with --sample up to {SAMPLED_ROUNDS.high}.",
)
@click.option("--sample", metavar="M/N", help="Each release is about M of N records.")
@click.option(
    "--sampling",
    type=click.Choice(sorted((*SAMPLINGS, WITH_REPLACEMENT))),
    help="With --sample: exactly M records (without-replacement, the default), or M draws with "
    "replacement, for replacing one; or "
    "each record with probability M/N, for adding or removing one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_gaussian(
    epsilon: str,
    delta: str,
    sensitivity: str,
    rounds: int,
    sample: str | None,
    sampling: str | None,
    as_json: bool,
) -> int:
    """Find the least Gaussian noise that meets (ε, δ) over all rounds.

    Without --sample, and for one round, σ is certified by ball arithmetic as the least float that
    meets the target. For several rounds on samples, and for draws with replacement, it meets the
    target at the upper end of a bracket for δ, whose sums and Fourier transforms are floating
    point. A bound on their rounding errors is added, given those of numpy's own transforms.
    """
    if sampling is not None and sample is None:
        raise ValueError(f"--sampling {sampling} says how --sample M/N is drawn: give both.")
    sampling = sampling or WITHOUT_REPLACEMENT
    with ctx.workprec(BITS):
        request = Request(
            epsilon=_checked("epsilon", EPSILON, _real("epsilon", epsilon)),
            delta=_checked("delta", GAUSSIAN_DELTA, exact(WHERE, "delta", delta)),
            sensitivity=_checked("sensitivity", SENSITIVITY, _real("sensitivity", sensitivity)),
            rounds=rounds,
            sampling=sampling,
            **({} if sample is None else _sample(sample, sampling)),
        )
    report = _report(request, epsilon, sample)
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def _checked(name: str, allowed: Range, value: Number) -> Number:
    check_argument(WHERE, name, allowed, value)
    return value


def _sample(sample: str, sampling: str) -> dict[str, Any]:
    if sampling != WITH_REPLACEMENT:
        return {"rate": _checked("sample", RATE, exact(WHERE, "sample", sample))}
    draws, slash, size = sample.partition("/")
    if not (slash and draws.strip().isdecimal() and size.strip().isdecimal()):
        raise ValueError(
            f"The 'sample' parameter of {WHERE} must be M/N, two whole numbers, for draws with "
            f"replacement. Got {sample} instead."
        )
    return {"draws": (int(draws), int(size))}


def _real(name: str, text: str) -> Number:
    value = parse(text)
    if not value.is_real:
        raise ValueError(f"The '{name}' parameter of {WHERE} must be a number. Got {text} instead.")
    return exact_or_ball(value)


def _report(request: Request, epsilon: str, sample: str | None) -> dict[str, Any]:
    noise = least_gaussian_noise(request)
    classical, is_private = classical_noise(request)
    return {
        "sigma": noise.sigma,
        "sigma_classical": classical,
        "classical_is_private": is_private,
        "delta_at_sigma": list(noise.delta),
        "is_least": noise.is_least,
        "epsilon": epsilon,
        "delta": float(request.delta),
        "sensitivity": float(request.sensitivity),
        "rounds": request.rounds,
        "sample": sample,
        "sampling": None if sample is None else request.sampling,
        "adjacency": str(request.adjacency or OF_THE_SENSITIVITY),
    }


def _in_words(report: dict[str, Any]) -> str:
    least = "the least float" if report["is_least"] else "meets the target; one 1e-6 less may too"
    if report["sample"] is None and not report["is_least"]:
        least = "meets the target; one float less may too"
    if report["sampling"] == WITH_REPLACEMENT:
        least = "meets the target; less may do if the bracket for δ is wide"
    lower, upper = report["delta_at_sigma"]
    lines = [
        f"σ           {report['sigma']!r} ({least})",
        f"δ at σ      [{lower!r}, {upper!r}]",
        f"classical   {_classical(report)}",
        f"inputs      {report['adjacency']}",
    ]
    return "\n".join(lines)


def _classical(report: dict[str, Any]) -> str:
    if report["sigma_classical"] is None:
        return "not defined at ε = 0"
    within = "private" if report["classical_is_private"] else "not private: ε is beyond its range"
    share = "" if report["rounds"] == 1 else f", (ε, δ)/{report['rounds']} a round"
    return f"{report['sigma_classical']:.9g} ({within}{share})"
