"""Pictures: titles that fit, axes with labels, the same files for the same rows."""

import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from provedp.experiments import catalogue
from provedp.experiments.catalogue import ABSENT, EXPERIMENTS
from provedp.experiments.columns import COLUMNS, MEASURES, captions, describe
from provedp.experiments.drawing import marginals
from provedp.experiments.drawing.style import new_figure, pictures
from provedp.experiments.rounding import rounded_down

PAIR = [0.2, 0.01]
SPENT = {"published_claimed_ascent_epsilon": 0.5, "published_ascent_epsilon_at_least": 4.4}


def swept(setting, sizes, measures=("",)):
    scores = {f"{name}{m}": PAIR for m in measures for name in ("paper", "published", "private")}
    beside = {f"k_means{m}": PAIR for m in measures} if measures[0] else {"mean_shift": 0.1}
    of_size = [{"records": n} for n in sizes] or [{}]
    return [
        {**size, "setting": setting, "value": value, **scores, **SPENT, **beside}
        for size in of_size
        for value in (0.1, 0.5, 1.0)
    ]


BASELINES = ("laplace", "gaussian", "coloured", "singular", "laplace public", "gaussian public")
CURVES = ("free_error", "channel_error", "u1_as_printed", "u1", "u2", "u3_as_printed", "u3")
SCORES = tuple(f"_{name}" for name in MEASURES)
KEYS = {"records": 700, "epsilon": 1.0}
ROWS = {
    "counting.figure1": [
        {
            "m": 2, "i": i, "j": j, "shared": "yes", "paper_shared": "no",
            "canonical": "1/2", "least": "1/2", "largest": "1/2",
        }
        for i in (1, 2)
        for j in (1, 2)
    ],
    "counting.figure2": [
        {"decibels": d, "epsilon": e, "optimum": 0.5, "below": "u1", **dict.fromkeys(CURVES, 0.4)}
        for d in (0, 5, 10, 15)
        for e in (1.0, 2.0)
    ],
    "modes.table1": [
        {"method": "A", "privacy": "none", "ari": 0.7, "paper_ari": 0.6},
        {"method": "B", "privacy": "proved", "ari": 0.7, "paper_ari": None},
    ],
    "modes.table2": [{**KEYS, "paper": PAIR, "published": PAIR, "private": PAIR, **SPENT}],
    "modes.figure2": [
        {
            **KEYS, "published": PAIR, "private": PAIR, **SPENT,
            "gaussian_per_mode": 0.1, "order4_per_mode": 0.2, "order4_kernel": 0.01,
        }
    ],
    "modes.figure13": swept("step η", (700, 1000)),
    "modes.figure14": [
        {
            "mode": "(0, -6)", "scale": 0.5, **SPENT,
            **{f"{m}_points": [[0.0, -5.0], [0.0, 90.0]] for m in ("published", "private")},
            "mean_shift_points": [[0.0, -6.0]],
            **{f"{m}_found": 0.5 for m in ("published", "private", "mean_shift")},
        }
    ],
    "modes.figure20": swept("clip multiplier", (700,), SCORES),
    "modes.figure25": swept("minibatch m/n", (), SCORES),
    "mixture.figure9": [
        {
            "epsilon": e, "published": 10.0, "published_optimum": 5.0,
            "published_true_delta_at_least": 0.6999, "label": [1.0, 2.0, 3.0],
            **dict.fromkeys(BASELINES, [10.0, 20.0, 30.0]),
        }
        for e in (0.5, 1.0)
    ],
    "mixture.figure1": [
        {
            "epsilon": e, "published": 10.0, "published_true_delta_at_least": 0.9 + e / 100,
            "published_trials": [9.0, 10.0, 11.0], "private_trials": [float("nan"), 1.0, 2.0],
        }
        for e in (0.5, 1.0)
    ],
    "mixture.figure2": [
        {"round": r, "published": 5.0, "published_optimum": 2.0} for r in (1, 2)
    ],
    "mixture.figure10": [
        {
            "class": name, "histogram_points": [[0.0, 0.5], [1.0, 0.5]],
            **{f"{m}_points": [[0.0, 0.1], [1.0, 0.2]] for m in marginals.CURVES},
        }
        for name in ("a", "b")
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ROWS))
def test_titles_fit_and_axes_are_labelled(name):
    figure = EXPERIMENTS[name].draw(f"{name}: {EXPERIMENTS[name].title}", ROWS[name])
    FigureCanvasAgg(figure).draw()
    width, height = figure.get_size_inches() * figure.dpi
    title = figure._suptitle.get_window_extent()
    assert title.x0 >= 0 and title.x1 <= width and title.y1 <= height
    assert name in figure._suptitle.get_text()
    for axes in figure.axes:
        assert axes.get_xlabel()
        for label in (axes.xaxis.label, axes.yaxis.label):
            if not label.get_text():
                continue  # a row of panels has one label
            box = label.get_window_extent()
            assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height
    assert figure.axes[0].get_ylabel() or name == "modes.table1"


def test_a_long_title_is_wrapped():
    figure = new_figure("modes.table1: " + "a very long title " * 12, 5, 3)
    FigureCanvasAgg(figure).draw()
    extent = figure._suptitle.get_window_extent()
    assert extent.x0 >= 0 and extent.x1 <= 5 * figure.dpi
    assert "\n" in figure._suptitle.get_text()


def test_files_are_svg_and_png_and_always_the_same():
    drawn = [
        pictures(EXPERIMENTS["modes.table1"].draw("a title", ROWS["modes.table1"]))
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    assert drawn[0][".png"].startswith(b"\x89PNG")
    assert re.search(rb"<svg\b", drawn[0][".svg"])
    assert b"matplotlib v" not in drawn[0][".svg"][:2000]


def test_a_figure_that_reveals_what_is_published_says_what_it_spends():
    for name in ("modes.table2", "modes.figure2", "modes.figure13", "modes.figure14"):
        figure = EXPERIMENTS[name].draw(name, ROWS[name])
        said = " ".join(text.get_text() for text in figure.legends[0].get_texts())
        assert "claims ε = 0.5 and spends at least 4.4" in said
        assert "not private" in said


def test_what_is_not_private_in_a_mixture_figure_is_called_so():
    """A true δ once if it is the same everywhere, else at its place; a refuted claim in a label."""
    once = ["published: true δ ≥ 0.699 everywhere"]
    everywhere = ["published: true δ at least", "0.905", "0.910"]
    for name, expected in (("mixture.figure9", once), ("mixture.figure1", everywhere)):
        figure = EXPERIMENTS[name].draw(name, ROWS[name])
        assert [text.get_text() for text in figure.axes[0].texts] == expected
        said = [text.get_text() for text in figure.legends[0].get_texts()]
        assert all("refuted" in text or "private" in text or "public" in text for text in said)


def test_a_line_far_above_the_others_leaves_them_room():
    rows = [{**row, "singular": [5e9, 6e9, 7e9]} for row in ROWS["mixture.figure9"]]
    figure = EXPERIMENTS["mixture.figure4"].draw("mixture.figure4", rows)
    assert figure.axes[0].get_ylim()[1] < 1e4
    assert "R1SMG (claim refuted): above 1e+09" in [
        text.get_text() for text in figure.legends[0].get_texts()
    ]


def test_lower_bounds_are_rounded_down():
    assert (rounded_down(0.6999, 3), rounded_down(4.49, 1)) == ("0.699", "4.4")


def test_every_experiment_is_there():
    for name, experiment in EXPERIMENTS.items():
        for home in (experiment.home, experiment.picture):
            assert callable(catalogue._load(home)), name
        assert len(experiment.title) <= 58, name  # one line of the help
        assert experiment.quick <= experiment.runs
    assert not set(EXPERIMENTS) & set(ABSENT)


def test_columns_are_described():
    assert describe("paper_private_k_means_ari")[0] == "DP k-means ARI"
    assert "reverse" in describe("label reverse")[0]
    assert list(captions(["records", "private_points", "epsilon"])) == ["records", "epsilon"]
    with pytest.raises(KeyError):
        describe("nothing_such")
    assert all(np.char.str_len([h for h, _ in COLUMNS.values()]) < 22)
