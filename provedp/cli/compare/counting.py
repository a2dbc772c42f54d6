"""`provedp compare counting`: classic releases of a count beside the least loss."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from provedp import extras
from provedp.comparisons import Comparison
from provedp.comparisons import compare_counting as compared
from provedp.theory.counting.losses import LOSSES
from provedp.verify.files import require_writable, write_bytes

LEVELS = tuple(Fraction(n, 4) for n in range(1, 13))  # of ε, in a figure
SUFFIXES = (".svg", ".png")


@click.command("counting")
@click.option("--m", type=int, required=True, help="Number of counts, from 2 to 20.")
@click.option("--epsilon", required=True, help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", default="0", show_default=True, help="δ in [0, 1): a number, or 1/20.")
@click.option(
    "--loss",
    "losses",
    type=click.Choice(list(LOSSES)),
    multiple=True,
    help="A loss, again for several; all if not given.",
)
@click.option("--uniform", is_flag=True, help="The mean over all counts, not the worst count.")
@click.option("--figure", metavar="FILE", help="Draw matrices and errors against ε, .svg or .png.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def compare_counting(
    m: int,
    epsilon: str,
    delta: str,
    losses: tuple[str, ...],
    uniform: bool,
    figure: str | None,
    as_json: bool,
) -> int:
    """Compare classic releases of a count with the least loss, as they are and remapped.

    All losses are exact fractions; P* and canonical noise use δ, the others are private without.
    """
    if figure is not None:
        require_writable(Path(figure))
        if Path(figure).suffix not in SUFFIXES:
            raise ValueError(f"--figure: the name of {figure} must end in .svg or .png.")
    prior = "uniform" if uniform else None
    found = compared(m, epsilon, delta, losses=losses or tuple(LOSSES), prior=prior)
    if figure is not None:
        _draw(Path(figure), found, m, delta, prior)
    report = _report(found)
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def _report(found: Comparison) -> dict[str, Any]:
    return {
        "losses": list(found.losses),
        "optimum": [[str(end) for end in bounds] for bounds in found.optima],
        "mechanisms": [
            {
                "name": rival.name,
                "loss": [str(value) for value in rival.losses],
                "remapped": [str(value) for value in rival.remapped],
            }
            for rival in found.rivals
        ],
    }


def _in_words(report: dict[str, Any]) -> str:
    width = max(len(each["name"]) for each in report["mechanisms"]) + 2
    head = "".join(f"{loss:>22}" for loss in report["losses"])
    lines = [
        f"{'':<{width}}{head}",
        f"{'least loss':<{width}}" + "".join(f"{_number(b[1]):>22}" for b in report["optimum"]),
    ]
    for each in report["mechanisms"]:
        pairs = zip(each["loss"], each["remapped"], strict=True)
        cells = [f"{_number(loss)} → {_number(best)}" for loss, best in pairs]
        lines.append(f"{each['name']:<{width}}" + "".join(f"{cell:>22}" for cell in cells))
    lines.append("Each loss as it is → after the post-processing that is best for it.")
    return "\n".join(lines)


def _number(text: str) -> str:
    return f"{float(Fraction(text)):.6g}"


def _draw(path: Path, found: Comparison, m: int, delta: str, prior: str | None) -> None:
    extras.load("matplotlib")
    from provedp.experiments.drawing.releases import draw_releases
    from provedp.experiments.drawing.style import pictures

    curves: dict[str, dict[str, list[float]]] = {loss: {} for loss in found.losses}
    for level in LEVELS:
        there = compared(m, level, delta, losses=found.losses, prior=prior)
        for place, loss in enumerate(found.losses):
            values = {"least loss": there.optima[place][1]}
            values |= {rival.name: rival.losses[place] for rival in there.rivals}
            for name, value in values.items():
                curves[loss].setdefault(name, []).append(float(value))
    optima = zip(found.losses, found.matrices, strict=True)
    matrices = {f"least {loss} loss": law.tolist() for loss, law in optima}
    matrices |= {rival.name: rival.law.tolist() for rival in found.rivals[:2]}
    title = f"Releases of one of {m} counts, δ = {delta}"
    drawn = draw_releases(title, matrices, [float(level) for level in LEVELS], curves)
    write_bytes(path, pictures(drawn)[path.suffix])
