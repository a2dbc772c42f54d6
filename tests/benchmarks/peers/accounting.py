"""Peers of the accountant: ε at δ of T rounds of (Poisson sampled) Gaussian noise.

`python tests/benchmarks/peers/accounting.py NAME SIGMA RATE ROUNDS DELTA STEP` accounts once and
prints a JSON object; STEP is the grid (0: chosen by itself), or the error that prv-accountant is
asked for. autodp has no lower end, which is null.
"""

import json
import sys
import time
from collections.abc import Callable

Bracket = tuple[float | None, float]


def provedp(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account on the grid."""
    from provedp.verify.accounting.composition import compose
    from provedp.verify.accounting.releases import PoissonSampledGaussian

    parts = [(PoissonSampledGaussian(1 / sigma, rate), rounds)]
    return compose(parts, step or None).epsilon(delta)


def provedp_fixed(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account for samples of fixed size on the grid."""
    from provedp.verify.accounting.composition import compose
    from provedp.verify.accounting.releases import FixedSizeSampledGaussian

    return compose([(FixedSizeSampledGaussian(1 / sigma, rate), rounds)], step).epsilon(delta)


def provedp_closed(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account by the closed form, which is for all records alone."""
    from provedp.verify.accounting.composition import compose
    from provedp.verify.accounting.releases import Gaussian

    if rate < 1:
        raise ValueError("There is no closed form for samples.")
    return compose([(Gaussian(1 / sigma), rounds)]).epsilon(delta)


def dp_accounting(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account by dp-accounting, with its best estimate on either side."""
    from dp_accounting.pld import privacy_loss_distribution

    ends = []
    for pessimistic in (False, True):
        single = privacy_loss_distribution.from_gaussian_mechanism(
            sigma,
            pessimistic_estimate=pessimistic,
            use_connect_dots=pessimistic,
            value_discretization_interval=step,
            sampling_prob=rate,
        )
        ends.append(float(single.self_compose(rounds).get_epsilon_for_delta(delta)))
    return ends[0], ends[1]


def prv_accountant(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account by prv-accountant, with an error of δ/1000."""
    from prv_accountant import (  # type: ignore[import-not-found]
        GaussianMechanism,
        PoissonSubsampledGaussianMechanism,
        PRVAccountant,
    )

    one = GaussianMechanism(noise_multiplier=sigma)
    if rate < 1:
        one = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
    accountant = PRVAccountant(
        prvs=[one], max_self_compositions=[rounds], eps_error=step, delta_error=delta / 1000
    )
    lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=[rounds])
    return float(lower), float(upper)


def autodp(sigma: float, rate: float, rounds: int, delta: float, step: float) -> Bracket:
    """Account by autodp's Rényi divergences.

    Its Fourier accountant takes `quadrature` of scipy, which left with scipy 1.14.
    """
    from autodp.mechanism_zoo import (  # type: ignore[import-not-found]
        ExactGaussianMechanism,
        SubsampleGaussianMechanism,
    )

    if rate == 1:
        return None, float(ExactGaussianMechanism(sigma / rounds**0.5).get_approxDP(delta))
    one = SubsampleGaussianMechanism({"prob": rate, "sigma": sigma, "coeff": rounds})
    return None, float(one.get_approxDP(delta))


METHODS: dict[str, Callable[[float, float, int, float, float], Bracket]] = {
    "provedp": provedp,
    "provedp, fixed size": provedp_fixed,
    "provedp, closed form": provedp_closed,
    "dp-accounting": dp_accounting,
    "prv-accountant": prv_accountant,
    "autodp": autodp,
}


def main(name: str, sigma: str, rate: str, rounds: str, delta: str, step: str) -> None:
    """Account once after a warm-up of the imports, and print what it took."""
    account = METHODS[name]
    arguments = (float(sigma), float(rate), int(rounds), float(delta), float(step))
    account(5.0, arguments[1], 2, 1e-3, 0.01)
    start = time.process_time()
    lower, upper = account(*arguments)
    seconds = time.process_time() - start
    print(json.dumps({"lower": lower, "upper": upper, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
