"""Pictures of the modes paper: where the scores at all starts move more than their noise allows."""

import numpy as np

from provedp.site.drawing import BLUE, GREEN, INK, ORANGE, SOFT, Drawing, axes, drawing
from provedp.theory import modes
from provedp.verify.claims.modes.instances.pools import FEWEST_STARTS

REACH, POINTS = 0.45, 361  # in units of the bandwidth


def kink() -> Drawing:
    """Return how the score moves along the line when one record of ten is replaced."""
    pool = FEWEST_STARTS
    places = np.linspace(-REACH, REACH, POINTS)
    starts = np.array([float(start) for start in pool.starts])
    before, after = (_scores(places, float(place)) for place in (pool.record, pool.other))
    moves = _scores(starts, float(pool.record)) - _scores(starts, float(pool.other))
    length = float(pool.score_shift())
    bound = float(modes.joint_sensitivity(1, pool.d, pool.clip, pool.floor)) / pool.m
    with axes("kink", 3.5) as (figure, panel):
        panel.axhline(0, color=SOFT, lw=0.7)
        panel.plot(places, before, color=BLUE, linestyle="--", label="score, record at 0.93")
        panel.plot(places, after, color=GREEN, linestyle=":", label="score, record at −0.93")
        panel.plot(places, before - after, color=ORANGE, lw=2.4, label="the move: their difference")
        panel.plot(starts, moves, "o", color=INK, markersize=7, label="at the three starts")
        panel.set(xlabel="place, in bandwidths", ylabel="stabilised score", ylim=(-0.062, 0.17))
        panel.legend(loc="upper center", ncols=2)
        caption = (
            "Ten records, nine at 0, of which one moves. Clipping bends the score, and so its move"
            " has kinks, where nearby starts move by different amounts. Noise of correlation"
            f" e^(−‖x − y‖/h) is alike there: in its units the move is {length:.4f} long, more than"
            f" the {bound:.4f} of Lemma 3."
        )
        return drawing(figure, "The move of the score along the line, with kinks", caption)


def _scores(places: np.ndarray, record: float) -> np.ndarray:
    """Return the stabilised score at places on the line, with the last record at `record`."""
    pool = FEWEST_STARTS
    data = [[0.0]] * (pool.m - 1) + [[record]]
    points = [[float(place)] for place in places]
    found = modes.stabilised_score(
        points, data, 1.0, float(pool.clip), float(pool.floor), pool.order
    )
    return np.asarray(found, dtype=float)[:, 0]
