"""Exact optima found by another program, whose points were checked by yet another."""

import json
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

from provedp.verify.solvers.release import graphs
from provedp.verify.solvers.release.problem import ReleaseProblem, loss_matrix

VALUES: dict[str, dict[str, Any]] = {
    each["id"]: each
    for each in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
}
RELEASES = [name for name, each in VALUES.items() if {"graph", "loss"} <= each["inputs"].keys()]
SIDES = {
    "fair": "fair",
    "symmetric": "symmetric",
    "row monotone": "row-monotone",
    "column monotone": "column-monotone",
    "row honesty": "row-honest",
    "column honesty": "column-honest",
    "weak honesty": "weakly-honest",
}


def edges_of(inputs: dict[str, Any]) -> graphs.Edges:
    if "edges" in inputs:
        return tuple((a, b) for a, b in inputs["edges"])
    name = inputs["graph"]
    if name.startswith("path power"):
        name = f"within:{name.split()[-1]}"
    return graphs.named("a test", name, inputs["M"])


def problem_of(name: str) -> ReleaseProblem:
    inputs = VALUES[name]["inputs"]
    given = inputs.get("loss_matrix")
    loss = (
        loss_matrix(inputs["loss"], inputs["M"])
        if given is None
        else tuple(tuple(map(Q, row)) for row in given)
    )
    prior = inputs.get("prior")
    return ReleaseProblem(
        loss,
        None if prior is None else tuple(map(Q, prior)),
        edges_of(inputs),
        Q(inputs["k"]),
        Q(inputs["delta"]),
        tuple(SIDES[each] for each in inputs.get("properties", [])),
    )
