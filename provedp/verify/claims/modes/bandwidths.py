"""Section 5.1: bandwidths that look at the data, and one that does not."""

from provedp.theory import modes, privacy
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *

BUDGET = (Q(1), Q(1, 10**6))
CLIP, FLOOR = Q(1, 10), Q(1, 10)


def silverman(n: int, record: Q) -> arb:
    """Return 1.06 s n^(−1/5) for n − 1 records at 0 and one elsewhere: s² = record²/n."""
    deviation = abs(ball(record)) / ball(n).sqrt()
    return ball(Q(106, 100)) * deviation * (-ball(n).log() / 5).exp()


def noise(n: int, width: arb) -> arb:
    """Return σ of (6) for one round on all records."""
    bound = modes.score_sensitivity(width, 1, ball(CLIP), ball(FLOOR))
    epsilon, delta = BUDGET
    return ball(modes.noise_scale(bound, ball(epsilon), ball(delta), n, n, 1))


@published(
    Source(MODES, "Section 5.1", "bandwidth selection"),
    Source(MODES, "Section 5", "'privacy is calibrated'"),
    defect=Defect.FALSE,
)
@refuted(bits=128, n=100, record=Q(1), other=Q(1000))
def bandwidth_of_the_data_hides_a_record(n: int, record: Q, other: Q) -> Finding:
    """With Silverman's bandwidth, 1.06 s n^(−1/5), and σ of (6) one round on all records is (1,
    10⁻⁶)-private. (The noise is a function of h, and h of a single record: at 1000 instead of 1 it
    makes σ more than 10⁴ times smaller. The scores are at most A/p_floor, so that the size of the
    release tells the two apart with δ > 0.99.)
    """
    wide, narrow = (noise(n, silverman(n, place)) for place in (record, other))
    reach = ball(CLIP) / ball(FLOOR) + 10 * narrow
    inside = 1 - 2 * normal_cdf(-arb(10))  # at least, with the small noise
    density = 1 / ((2 * arb.pi()).sqrt() * wide)  # at most, with the large one
    return at_most(inside - arb(1).exp() * 2 * reach * density, ball(BUDGET[1]))


@repairs(
    bandwidth_of_the_data_hides_a_record,
    formula=modes.public_bandwidth,
    rests_on=("modes.one_record_moves_the_score_by_the_bound",),
)
@certified(bits=128, n=(100, 5000), record=(Q(1),), other=(Q(1000), Q(-3)))
def public_bandwidth_hides_a_record(bandwidth: Formula, n: int, record: Q, other: Q) -> Finding:
    """With h = (ln n/n)^(1/7), Section 5.1's other choice, which no record changes, the noise is
    that of the guarantee: the move of the score, here at 17 places around a record, is at most
    S_h/n, and the exact profile at ε* is at most δ*.
    """
    width = bandwidth(n, 1)
    sigma = noise(n, width)
    bound = modes.score_sensitivity(width, 1, ball(CLIP), ball(FLOOR))
    places = [[ball(Q(i, 4))] for i in range(-8, 9)]
    rest = [[ball(Q(0))]] * (n // 50 - 1)
    first, second = (
        modes.stabilised_score(places, [*rest, [ball(x)]], width, ball(CLIP), ball(FLOOR))
        for x in (record, other)
    )
    moves = [abs(a - b) for a, b in zip(first[:, 0], second[:, 0], strict=True)]
    level, tail = (of(*BUDGET, n, n, 1) for of in (modes.round_epsilon, modes.round_delta))
    square = (width**7 * n / ball(n).log()).log()
    return all_of(
        *(at_most(move, bound / (n // 50)) for move in moves),
        at_most(privacy.gaussian_delta(bound / n / sigma, level), ball(tail)),
        less(abs(square), ball(Q(1, 10**6))),
    )


@ours(Source(MODES, "Section 5.1", "bandwidth selection"))
@proved(argued=())
def bandwidth_of_the_data_has_no_sensitivity() -> Finding:
    """One record moves Silverman's bandwidth by any factor: with the n − 1 others at 0 the sample
    variance is x²/n, so that h is proportional to how far the record is from them.
    """
    n, x, factor = sympy.symbols("n x c", positive=True)

    def variance(record: Any) -> Any:
        mean = record / n
        return ((n - 1) * mean**2 + (record - mean) ** 2) / (n - 1)

    return all_of(
        equal(variance(x), x**2 / n), equal(variance(factor * x), factor**2 * variance(x))
    )
