"""Peers of the solver behind a channel: the same linear program in general-purpose tools.

Run with NAME M DECIBELS DELTA [EPSILON], it solves and prints a JSON object.
"""

import argparse
import json
import math
import resource
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

EPSILON = 1.0
GRID = 1 << 60  # the channel of all peers and of provedp is rounded to multiples of 1/GRID


def channel(m: int, decibels: float) -> list[list[Fraction]]:
    """Return the phase-shift-keying matrix as an exactly stochastic rational one."""
    from provedp.theory.channels import psk_matrix

    rows = []
    for row in psk_matrix(m, decibels).tolist():
        whole = [round(entry * GRID) for entry in row]
        whole[row.index(max(row))] += GRID - sum(whole)
        rows.append([Fraction(entry, GRID) for entry in whole])
    return rows


def provedp(table: list[list[Fraction]], k: float, delta: Fraction) -> dict[str, Any]:
    """Solve with the shortcuts."""
    from provedp.verify.solvers.channel.optimum import least_error_behind

    best = least_error_behind(table, Fraction(k), delta)
    return {"error": float(best.upper), "gap": float(best.gap), "by": best.decided_by}


def provedp_program(table: list[list[Fraction]], k: float, delta: Fraction) -> dict[str, Any]:
    """Solve without the shortcuts, and without the exact basis for few counts."""
    from provedp.theory.matrices import matrix
    from provedp.verify.solvers.channel.bracket import Problem
    from provedp.verify.solvers.channel.solver import approximate

    rational = matrix(table)
    best = approximate(Problem(rational, Fraction(k), delta), rational)
    return {"error": float(best.upper), "gap": float(best.gap), "by": best.decided_by}


def _cvxpy(table: list[list[Fraction]], k: float, delta: Fraction, solver: str) -> dict[str, Any]:
    import cvxpy

    sent = np.array(table, dtype=float)
    mechanism = cvxpy.Variable(sent.shape, nonneg=True)
    output = mechanism @ sent
    gaps = [output[:-1] - k * output[1:], output[1:] - k * output[:-1]]
    private = [
        cvxpy.sum(cvxpy.pos(gap), axis=1) <= float(delta) if delta else gap <= 0 for gap in gaps
    ]
    least = cvxpy.Variable()
    constraints = [cvxpy.sum(mechanism, axis=1) == 1, least <= cvxpy.diag(output), *private]
    problem = cvxpy.Problem(cvxpy.Maximize(least), constraints)
    return {"error": 1 - float(problem.solve(solver=solver)), "by": str(problem.status)}


def clarabel(table: list[list[Fraction]], k: float, delta: Fraction) -> dict[str, Any]:
    """Solve with cvxpy and Clarabel."""
    return _cvxpy(table, k, delta, "CLARABEL")


def cvxpy_highs(table: list[list[Fraction]], k: float, delta: Fraction) -> dict[str, Any]:
    """Solve with cvxpy and HiGHS."""
    return _cvxpy(table, k, delta, "HIGHS")


def linprog(
    table: list[list[Fraction]], k: float, delta: Fraction, limit: float = math.inf
) -> dict[str, Any]:
    """Solve with scipy.optimize.linprog over P, x and, if delta > 0, the slacks.

    After `limit` seconds by the clock HiGHS gives up; what it took is then a lower bound.
    """
    import scipy.optimize
    import scipy.sparse as sparse

    sent = np.array(table, dtype=float)
    m = len(sent)
    push = sparse.kron(sparse.identity(m), sent.T).tocsr()
    upper, lower = push[:-m], push[m:]
    gaps = sparse.vstack([upper - k * lower, lower - k * upper])
    tops, ones = -push[:: m + 1], np.ones((m, 1))
    sums = sparse.kron(sparse.identity(m), np.ones((1, m)))
    none = np.zeros((gaps.shape[0], 1))
    blocks: list[list[Any]] = [[tops, ones], [gaps, none]]
    bounds = [np.zeros(m + gaps.shape[0])]
    if delta:
        pairs = 2 * (m - 1)
        budget = sparse.kron(sparse.identity(pairs), np.ones((1, m)))
        blocks = [[*blocks[0], None], [*blocks[1], -sparse.identity(gaps.shape[0])]]
        blocks.append([None, None, budget])
        bounds.append(np.full(pairs, float(delta)))
    matrix = sparse.bmat(blocks).tocsr()
    cost = np.zeros(matrix.shape[1])
    cost[m * m] = -1.0
    sums = sparse.hstack([sums, sparse.csr_matrix((m, matrix.shape[1] - m * m))])
    options = {"time_limit": limit}
    done = scipy.optimize.linprog(
        cost, matrix, np.concatenate(bounds), sums, np.ones(m), options=options
    )
    return {
        "error": None if done.fun is None else 1 + float(done.fun),
        "by": f"status {done.status}",
        "ended": done.status == 0,
    }


METHODS: dict[str, Callable[..., dict[str, Any]]] = {
    "provedp": provedp,
    "provedp, program": provedp_program,
    "cvxpy+Clarabel": clarabel,
    "cvxpy+HiGHS": cvxpy_highs,
    "scipy linprog": linprog,
}


def main() -> None:
    """Solve one problem after a warm-up of the imports, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=METHODS)
    parser.add_argument("m", type=int)
    parser.add_argument("decibels", type=float)
    parser.add_argument("delta", type=Fraction)
    parser.add_argument("epsilon", type=float, nargs="?", default=EPSILON)
    parser.add_argument("--repeats", type=int, default=1, help="solve so many times")
    parser.add_argument("--limit", type=float, help="seconds by the clock, for scipy linprog")
    asked = parser.parse_args()
    solve = METHODS[asked.name]
    solve(channel(3, 0.0), math.exp(EPSILON), Fraction(1, 10))
    table, k = channel(asked.m, asked.decibels), math.exp(asked.epsilon)
    more = {} if asked.limit is None else {"limit": asked.limit}
    seconds = []
    for _ in range(asked.repeats):
        start = time.process_time()
        found = solve(table, k, asked.delta, **more)
        seconds.append(time.process_time() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**found, "seconds": seconds, "megabytes": memory}))


if __name__ == "__main__":
    main()
