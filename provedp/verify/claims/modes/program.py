"""What the program behind Tables 2, 3 and 6 spends: it is not the paper's Algorithm 1."""

import math

import numpy as np

from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.mechanisms.modes.published.program import PublishedModesCode, program_noise_scale
from provedp.verify.accounting.published_modes import (
    AscentStage,
    program_delta_at_least,
    stage_epsilon_at_least,
)
from provedp.verify.claims.prelude import *

CLIP_MULTIPLIER, ASCENT_SHARE = 0.1, Q(1, 2)  # of Table 2
DELTA = Q(1, 10**6)


@ours(Source(MODES, "Table 2", "the ascent of its program, with public starts and bandwidth"))
@certified(
    n=levels((1000,), (700, 1000, 2000, 5000)), epsilon=(Q(1, 2), Q(1), Q(5)), h=(Q(1), Q(7, 5))
)
def ascent_of_the_program_overspends(n: int, epsilon: Q, h: Q) -> Finding:
    """The rule that gives Table 2 adds up clipped shares, with noise as if the sum moved by 2C/m.
    A record moves it by C whenever it is in the minibatch, and the end of the ascent from a public
    start is not (ε/2, 10⁻⁶)-private, as it would have to be: it spends more than twice that.
    """
    rounds, batch = rounds_of(n), int(as_dyadic(n / math.log(n)))
    clip = CLIP_MULTIPLIER / float(h)
    budget = float(ASCENT_SHARE * epsilon), float(DELTA)
    sigma = program_noise_scale(n, batch, rounds, clip, budget)
    stage = AscentStage(n, 2, batch, rounds, float(h), clip, sigma)
    return less(2 * ASCENT_SHARE * epsilon, as_dyadic(stage_epsilon_at_least(stage, float(DELTA))))


@ours(Source(MODES, "Table 2", "the whole program"), Source(MODES, "Section 5.1", "the bandwidth"))
@certified(n=(100, 700), epsilon=(Q(1, 10), Q(1), Q(5)))
def far_record_switches_the_noise_off(n: int, epsilon: Q) -> Finding:
    """The bandwidth is Silverman's, from the records, and clip and noise fall with it. One record
    far out makes them vanish, so that all modes are averages of grid points, which they otherwise
    are with no probability worth mentioning: δ > 1 − 10⁻⁹ at the promised ε, for a promised 10⁻⁶.
    """
    angles = 2 * np.pi * np.arange(n) / n
    points = 3 * np.column_stack([np.cos(angles), np.sin(angles)])
    found = program_delta_at_least(PublishedModesCode(float(epsilon), float(DELTA)), points)
    return less(1 - Q(1, 10**9), as_dyadic(found))
