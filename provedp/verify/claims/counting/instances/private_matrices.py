"""Random private matrices, losses and priors, exactly."""

import functools
import random
from fractions import Fraction as Q

from provedp.theory.matrices import Matrix
from provedp.verify.solvers.release import graphs, program
from provedp.verify.solvers.release.problem import Costs, ReleaseProblem

RATIOS = (Q(11, 10), Q(3, 2), Q(2), Q(7))
SLACKS = (Q(0), Q(1, 100), Q(1, 10), Q(2, 5))


@functools.cache
def private_matrix(seed: int, k: Q, delta: Q) -> Matrix:
    """Return a vertex of the private releases of three to five counts, for a random cost."""
    rng = random.Random(seed)
    m = rng.randint(3, 5)
    costs = tuple(tuple(Q(rng.randint(0, 30)) for _ in range(m)) for _ in range(m))
    prior = tuple(Q(1, m) for _ in range(m))
    problem = ReleaseProblem(costs, prior, graphs.path(m), k, delta)
    return program.exact(problem, 500).primal


def unimodal_loss(rng: random.Random, m: int) -> Costs:
    """Return a loss that does not fall away from the count on either side."""
    rows = []
    for i in range(m):
        up = [Q(rng.randint(0, 5)) for _ in range(m)]
        right = [sum(up[i + 1 : j + 1], start=Q(0)) for j in range(i, m)]
        left = [sum(up[j:i], start=Q(0)) for j in range(i)]
        rows.append(tuple([*left, *right]))
    return tuple(rows)


def random_problem(seed: int, k: Q, delta: Q) -> ReleaseProblem:
    """Return a random unimodal loss over two to six counts, with a random prior or without."""
    rng = random.Random(seed)
    m = rng.randint(2, 6)
    weights = [rng.randint(0, 4) for _ in range(m)]
    weights[rng.randrange(m)] += 1
    prior = tuple(Q(w, sum(weights)) for w in weights) if rng.randint(0, 1) else None
    return ReleaseProblem(unimodal_loss(rng, m), prior, graphs.path(m), k, delta)
