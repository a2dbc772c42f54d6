"""What noise tells about the size of a class if its scale is proportional to 1/N_k.

Two neighbours may have the same means and covariances (all features equal, for instance): then
only the scale differs, b for a class of N and bN/(N − 1) for the same class without one record.
"""

from flint import arb

from provedp.theory.domain import Choice, domain, integers, reals
from provedp.theory.numbers import Number, ball
from provedp.theory.privacy.functions import exp, gamma_upper, numeric
from provedp.theory.sharp_floats import as_asked

__all__ = ["class_size_delta", "class_size_laplace_delta"]

GUARD_BITS = 32
COUNT = integers(2)


@domain(k=reals(1), count=COUNT)
def class_size_laplace_delta(k: Number, count: int) -> Number:
    """Privacy profile of Laplace noise on one entry whose scale tells the size of a class.

    E_k(Q ‖ P) = (1/N) ((N − 1)/(N k))^(N−1) for scales b under P and bN/(N − 1) under Q, centre 0

    Parameters
    ----------
    count
        N: scales are proportional to 1/N for one data set and 1/(N − 1) for the other.

    Returns
    -------
    The hockey-stick divergence over the field of k. It is positive for every k.

    Source: ours; the worst event is {|x| > t} with e^(t/(Nb)) = kN/(N − 1), which has probability
    e^(−t/b) under P and e^(−t(N−1)/(Nb)) under Q.

    >>> from fractions import Fraction as F
    >>> class_size_laplace_delta(F(3), 4)
    Fraction(1, 256)
    """
    return ((count - 1) / (count * k)) ** (count - 1) / count


@domain(noise=Choice(("laplace", "gaussian")), epsilon=reals(0), count=COUNT, entries=integers(1))
def class_size_delta(noise: str, epsilon: Number, count: int, entries: int) -> Number:
    """Privacy profile of i.i.d. noise on many entries whose scale tells the size of a class.

    E_k(Q ‖ P) = Γ(h, t/c) − k Γ(h, t), k = e^ε, Γ the regularised upper incomplete gamma function:
    Laplace    h = D,    c = a,   t = (ε + D ln a)/(1 − 1/a)
    Gaussian   h = D/2,  c = a²,  t = (ε + D ln a)/(1 − 1/a²)
    with a = N/(N − 1), the ratio of the scales

    Parameters
    ----------
    noise
        Kind of the noise.
    count
        N: P has the scale of a class of N, Q of one of N − 1.
    entries
        D, the number of entries with such noise, with the same centre under P and Q.

    Returns
    -------
    The hockey-stick divergence, a float for a float ε, else a ball. It is positive at every ε.

    Source: ours; the worst event is {Σ|x_i| > t b} or {Σx_i² > 2 t σ²}.

    >>> round(class_size_delta("gaussian", 1.0, 200, 2555), 4)
    0.0006
    """
    level = numeric(epsilon)

    def found() -> arb:
        ratio, half = ball(count) / (count - 1), ball(entries)
        if noise == "gaussian":
            ratio, half = ratio**2, half / 2
        # D ln a is h ln c for both kinds of noise.
        end = (ball(level) + half * ratio.log()) / (1 - 1 / ratio)
        return ball(gamma_upper(half, end / ratio) - exp(ball(level)) * gamma_upper(half, end))

    return as_asked([level], found, GUARD_BITS)
