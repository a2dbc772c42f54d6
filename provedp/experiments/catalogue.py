"""All experiments by name, and what of the papers has no experiment here and why.

Nothing heavy is imported: an experiment's module and its picture's are, when it is run.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["ABSENT", "EXPERIMENTS", "Experiment"]

Row = dict[str, Any]
Draw = Callable[[str, list[Row]], Any]

PACKAGE = "provedp.experiments"


@dataclass(frozen=True)
class Experiment:
    """One figure or table of a paper.

    Parameters
    ----------
    title
        What is shown, without the name of the figure.
    home, picture
        'module:function' below `provedp.experiments`: of its rows, and of their picture.
    rows
        How many rows there are, for who waits; for each point if nothing is drawn at random.
    runs, quick
        Seeds, or points of a curve, by default and with `--quick`.
    seeded
        Whether `runs` are seeds; else nothing is drawn at random.
    not_covered
        What is computed from the data without a guarantee, in a sentence; empty if nothing is.
    """

    title: str
    home: str
    picture: str
    rows: int
    runs: int = 20
    quick: int = 2
    seeded: bool = True
    not_covered: str = ""

    def run(self, runs: int) -> Iterator[Row]:
        """Yield the rows; what is heavy is imported with the first one."""
        yield from _load(self.home)(runs)

    def draw(self, title: str, rows: list[Row]) -> Any:
        """Return the rows' picture, a matplotlib figure."""
        return _load(self.picture)(title, rows)

    def size(self, runs: int) -> int:
        """Return the number of rows; where nothing is drawn, each point of a curve is one."""
        return self.rows if self.seeded else self.rows * runs


def _load(home: str) -> Callable[..., Any]:
    module, function = home.split(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"{PACKAGE}.{module}"), function)
    return found


TABLE, SETTINGS, MIXTURE = "tables:draw_table", "settings:draw_settings", "mixture:draw"


STANDARDISED = (
    "Each feature of Iris is scaled by its own mean and variance over the records, as in the "
    "paper: no guarantee, published or private, covers these eight numbers."
)


def _mixture(home: str, title: str, rows: int, not_covered: str = "") -> Experiment:
    picture = f"drawing.{MIXTURE}"
    return Experiment(title, f"mixture.{home}", picture, rows, 200, 10, not_covered=not_covered)


def _modes(home: str, title: str, rows: int, picture: str = TABLE) -> Experiment:
    return Experiment(title, f"modes.{home}", f"drawing.{picture}", rows)


EXPERIMENTS: Mapping[str, Experiment] = {
    "counting.figure1": Experiment(
        "What all optimal releases share, M = 4 and 5, δ = 0",
        "counting.shared:figure1",
        "drawing.counting:draw_shared",
        41,
        runs=1,
        quick=1,
        seeded=False,
    ),
    "counting.figure2": Experiment(
        "Least error behind 8-PSK, with Proposition 1's bounds",
        "counting.keying:figure2",
        "drawing.counting:draw_keying",
        4,
        runs=32,
        quick=8,
        seeded=False,
    ),
    "mixture.figure1": _mixture(
        "trials:figure1", "The synthetic mixture: trials of the release against ε", 4
    ),
    "mixture.figure2": Experiment(
        "The synthetic mixture: rounds of Algorithm 1, ε = 1",
        "mixture.trials:figure2",
        f"drawing.{MIXTURE}",
        1,
        runs=10,
        quick=3,
        seeded=False,
    ),
    "mixture.figure4": _mixture(
        "release:figure4", "The synthetic mixture: divergence against ε", 4
    ),
    "mixture.figure5": _mixture(
        "release:figure5", "The synthetic mixture: divergence against the records", 5
    ),
    "mixture.figure6": _mixture(
        "release:figure6", "The synthetic mixture: divergence against the classes", 5
    ),
    "mixture.figure7": _mixture(
        "release:figure7", "The synthetic mixture: divergence against the features", 6
    ),
    "mixture.figure8": _mixture(
        "release:figure8", "The synthetic mixture: divergence with 10 to 70 features", 7
    ),
    "mixture.figure9": _mixture("release:figure9", "Iris: divergence against ε", 4, STANDARDISED),
    "mixture.figure10": Experiment(
        "Iris: densities of the first feature at ε = 2",
        "mixture.marginals:figure10",
        "drawing.marginals:draw_marginals",
        3,
        200,
        10,
        not_covered=STANDARDISED,
    ),
    "mixture.figure11": _mixture(
        "images:figure11", "Digits: divergence of the classifier against ε", 4
    ),
    "mixture.figure12": _mixture(
        "images:figure12", "Digits: accuracy of the most probable class against ε", 4
    ),
    "mixture.figure13": _mixture(
        "images:figure13", "Digits: accuracy of a network on synthetic records", 4
    ),
    "mixture.figure16": _mixture(
        "bounded:figure16", "The synthetic mixture: divergence against the bound", 6
    ),
    "modes.table1": _modes(
        "clusters:table1", "Blobs: one run of each method at ε = 1", 4, "tables:draw_bars"
    ),
    "modes.table2": _modes("peaks:table2", "Four corners: error of the modes, n and ε", 20),
    "modes.table3": _modes("peaks:table3", "Five peaks: error of the modes, n and ε", 20),
    "modes.table4": _modes("regressions:table4", "Three steps: loss of the regression", 16),
    "modes.table5": _modes("regressions:table5", "Two sine curves: loss of the regression", 16),
    "modes.table6": _modes("clusters:table6", "Blobs: scores of cluster centres, n and ε", 20),
    "modes.table7": _modes("clusters:table7", "Digits: scores of cluster centres against ε", 5),
    "modes.figure2": _modes(
        "kernel_choice:figure2",
        "Four corners: the Gaussian kernel and one of order 4",
        16,
        "kernels:draw_kernels",
    ),
    "modes.figure12": _modes(
        "peak_settings:figure12", "Four corners: error against clip and minibatch", 40, SETTINGS
    ),
    "modes.figure13": _modes(
        "peak_settings:figure13", "Four corners: error against the step", 16, SETTINGS
    ),
    "modes.figure14": _modes(
        "repeated:figure14",
        "Five peaks: where repeated runs put the modes",
        5,
        "repeated:draw_repeated",
    ),
    "modes.figure15": _modes(
        "peak_settings:figure15", "Five peaks: error against clip and minibatch", 40, SETTINGS
    ),
    "modes.figure16": _modes(
        "peak_settings:figure16", "Five peaks: error against the step", 16, SETTINGS
    ),
    "modes.figure18": _modes(
        "regression_settings:figure18",
        "Three steps: loss against clip and minibatch",
        40,
        SETTINGS,
    ),
    "modes.figure19": _modes(
        "regression_settings:figure19",
        "Two sine curves: loss against clip and minibatch",
        40,
        SETTINGS,
    ),
    "modes.figure20": _modes(
        "cluster_settings:figure20", "Blobs: scores against the clip", 24, SETTINGS
    ),
    "modes.figure21": _modes(
        "cluster_settings:figure21", "Blobs: scores against the minibatch", 24, SETTINGS
    ),
    "modes.figure24": _modes(
        "cluster_settings:figure24", "Digits: scores against the clip", 5, SETTINGS
    ),
    "modes.figure25": _modes(
        "cluster_settings:figure25", "Digits: scores against the minibatch", 5, SETTINGS
    ),
}

ABSENT: Mapping[str, str] = {
    "mixture.figure14": "load profiles of 1409 houses",
    "mixture.figure15": "load profiles of 1409 houses",
    "modes.figure7": "MNIST",
    "modes.figure8": "MNIST",
    "modes.figure9": "RNA sequences of tumours",
    "modes.figure10": "RNA sequences of tumours",
    "modes.figure26": "MNIST",
    "modes.figure27": "MNIST",
    "modes.figure28": "RNA sequences of tumours",
    "modes.figure29": "RNA sequences of tumours",
    "modes.table8": "MNIST",
    "modes.table9": "RNA sequences of tumours",
}
