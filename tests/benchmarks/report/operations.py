"""Operations of our own that the report times: `operations.py NAME SIZE` prints a JSON object."""

import json
import resource
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np


def certificate(size: int) -> Callable[[], Any]:
    """Solve without a channel, write the certificate, and check it."""
    import provedp

    def run() -> None:
        best = provedp.solve_counting(size, "ln(3/2)", "1/20")
        assert provedp.check_certificate(best.certificate())

    return run


def release_counting(size: int) -> Callable[[], Any]:
    """Release that many counts."""
    from provedp import OptimalCount

    mechanism = OptimalCount(100, 1)
    return lambda: [mechanism.release(count % 100) for count in range(size)]


def release_modes(size: int) -> Callable[[], Any]:
    """Find modes of that many records in the plane."""
    from provedp import PrivateModes

    rng = np.random.default_rng(0)
    records = rng.choice([-0.5, 0.5], (size, 1)) + 0.1 * rng.standard_normal((size, 2))
    finder = PrivateModes(1, "1e-6", box=[(-1.0, 1.0)] * 2, bandwidth=0.2)
    return lambda: finder.fit(records)


def audit(size: int) -> Callable[[], Any]:
    """Audit randomised response from that many runs."""
    from provedp import ApproximateDP
    from provedp.verify.audit import audit as run

    def respond(value: int, rng: Any) -> int:
        return value if rng.random() < 0.75 else 1 - value

    return lambda: run(respond, (0, 1), ApproximateDP(1.0986), runs=size, seed=1)


def yardstick(_: int) -> Callable[[], Any]:
    """Do a fixed amount of arithmetic, in Python and in numpy: what other times are told in."""
    square = np.random.default_rng(0).random((300, 300))

    def run() -> None:
        total = Fraction(0)
        for number in range(1, 400):
            total += Fraction(1, number)
        for _ in range(20):
            square @ square

    return run


OPERATIONS: dict[str, Callable[[int], Callable[[], Any]]] = {
    "certificate": certificate,
    "release-counting": release_counting,
    "release-modes": release_modes,
    "audit": audit,
    "yardstick": yardstick,
}


def main(name: str, size: str) -> None:
    """Run once, after a warm-up of the imports where it is cheap, and print what it took."""
    prepare = OPERATIONS[name]
    if name == "certificate":
        prepare(10)()
    run = prepare(int(size))
    start = time.process_time()
    run()
    own = time.process_time() - start
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = own + children.ru_utime + children.ru_stime
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": memory}))


if __name__ == "__main__":
    main(*sys.argv[1:])
