"""Noise whose scale follows the size of a class: what it tells about the size."""

from math import factorial

from provedp.theory import mixture
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a comparison of balls at that precision


@ours(Source(None, "noise by class sizes"), formula=mixture.class_size_delta)
@certified(
    bits=192,
    noise=("laplace", "gaussian"),
    count=(4, 5, 50),
    entries=(2, 4, 14),
    epsilon=(Q(0), Q(1)),
)
def class_size_profile_is_the_largest_gap(
    profile: Formula, noise: str, count: int, entries: int, epsilon: Q
) -> Finding:
    """For D entries with the same centre and scales as N − 1 to N, no event {Σ|x_i| > t} (Laplace)
    or {Σx_i² > t} (Gaussian) separates the laws by more than the closed form, which is positive,
    and the one on whose boundary the ratio is e^ε does by as much. For even D all tails are finite
    sums.
    """
    level, ratio = ball(epsilon), ball(Q(count, count - 1))
    found = profile(noise, level, count, entries)
    terms, ratio = (entries // 2, ratio**2) if noise == "gaussian" else (entries, ratio)

    def gap(t: arb) -> arb:
        return _gamma_tail(terms, t / ratio) - level.exp() * _gamma_tail(terms, t)

    end = (level + terms * ratio.log()) / (1 - 1 / ratio)
    others = [gap(end * arb(step) / 20) for step in range(1, 60) if step != 20]
    return all_of(at_most(others, found), close(found, gap(end), tolerance=WIDTH), less(0, found))


def _gamma_tail(terms: int, x: arb) -> arb:
    """Return P(G > x) for a sum G of so many standard exponentials."""
    parts = [x**j / factorial(j) for j in range(terms)]
    return (-x).exp() * sum(parts[1:], start=parts[0])


@ours(Source(None, "noise by class sizes", "one entry"), formula=mixture.class_size_laplace_delta)
@certified(bits=192, count=(2, 3, 5, 50), k=(Q(1), Q(3, 2), Q(10)))
def one_entry_is_a_special_case(profile: Formula, count: int, k: Q) -> Finding:
    """With one entry and Laplace noise the closed form is a power, and positive at every ε."""
    general = mixture.class_size_delta("laplace", ball(k).log(), count, 1)
    found = profile(k, count)
    return all_of(
        at_most(abs(general - ball(found)), ball(Q(1, 10**40))),
        less(0, found),
    )


def of_a_class_with_one_more(noise: str, epsilon: arb, count: int, entries: int) -> Any:
    """Return the profile for N + 1 and N."""
    return mixture.class_size_delta(noise, epsilon, count + 1, entries)


@ours(
    Source(None, "noise by class sizes", "where it matters"),
    formula=mixture.class_size_delta,
    mutants=(of_a_class_with_one_more,),
)
@certified(
    bits=192,
    cases=[
        dict(noise="gaussian", count=5, entries=1, digits=121862, places=7),
        dict(noise="gaussian", count=50, entries=4, digits=460922, places=17),
        dict(noise="laplace", count=50, entries=14, digits=601117, places=21),
        dict(noise="gaussian", count=14, entries=12, digits=447316, places=8),
        dict(noise="gaussian", count=200, entries=2555, digits=590007, places=9),
        dict(noise="laplace", count=50, entries=2555, digits=136791, places=6),
    ],
)
def class_sizes_leak_in_small_classes_and_many_dimensions(
    profile: Formula, noise: str, count: int, entries: int, digits: int, places: int
) -> Finding:
    """At ε = 1 the size alone tells next to nothing for Iris (N_k = 50: 4.6·10⁻¹² for four means
    with Gaussian noise, 6·10⁻¹⁶ for fourteen entries with Laplace noise), but more than δ = 2·10⁻⁵
    allows for one mean of a class of 5 (0.0122), for the twelve means of a class of 14 as in Table
    I (0.0045), and, before the projection, for the 2555 means and covariances of a class of 200 at
    d = 70, the end of Figure 8 (5.9·10⁻⁴); Laplace noise on a class of 50 there gives δ = 0.137.
    All to six digits.
    """
    found = profile(noise, ball(Q(1)), count, entries)
    unit = Q(1, 10**places)
    return all_of(less(ball(digits * unit), found), less(found, ball((digits + 1) * unit)))


@ours(
    Source(None, "noise by displacements", "classes far from the least size"),
    formula=mixture.mean_displacements,
    survivors={"of the other sign": "only lengths of displacements are used"},
)
@certified(bits=192, count=(5, 7, 9))
def coloured_noise_tells_class_sizes_too(moves: Formula, count: int) -> Finding:
    """A class of N zeros and another with a 1 that may join it: the largest displacement is
    1/(N + 1), and 1/N after a zero has left, where both classes may lose records before and after.
    The mean is 0 either way, so the noise by (10) tells what noise by N + 1 would: at ε = 1 more
    than δ = 2·10⁻⁵ for N up to 9.
    """
    points = matrix([[Q(int(n == count))] for n in range(count + 4)])
    data = LabelledData(points, (0,) * count + (1,) * 4, 2)
    other = data.flipped(0, 1)
    assume(mixture.class_means(data)[0, 0] == mixture.class_means(other)[0, 0])
    assume(min(*data.counts, *other.counts) > 3)
    one, two = (max(abs(step[0]) for step in moves(each, 0)) for each in (data, other))
    found = mixture.class_size_delta("gaussian", ball(Q(1)), count + 1, 1)
    return all_of(
        equal(one, Q(1, count + 1)),
        equal(two / one, Q(count + 1, count)),
        less(ball(Q(2, 10**5)), found),
    )
