"""Optimal releases of counts in a row: exact, beside HiGHS and cvxpy with Clarabel alone.

HiGHS drops coefficients below 1e-9 and stops at tolerances of 1e-7, so that its status "optimal"
goes with a sixth digit that is wrong; the error is shown.
"""

import time
from fractions import Fraction

import numpy as np
import scipy.optimize

from provedp.verify.solvers.release import graphs
from provedp.verify.solvers.release.problem import ReleaseProblem, loss_matrix
from provedp.verify.solvers.release.program import release_program
from provedp.verify.solvers.release.solver import enclosed

SMALL, LONG = 1 + Fraction(1, 10**12), Fraction(2**61 - 1, 2**60 + 1)
ROWS = (
    *((loss, 40, k) for loss in ("absolute", "squared") for k in (SMALL, Fraction(101, 100), 2)),
    *((loss, 40, k) for loss in ("absolute", "squared") for k in (LONG, Fraction(10**40))),
    *((loss, m, 2) for m in (80, 200) for loss in ("absolute", "squared")),
    *(("absolute", 200, k) for k in (Fraction(1084483, 398959), Fraction(101, 100))),
)  # 10⁴⁰ is e^92, and 1084483/398959 is near e


def problem(loss: str, m: int, k: Fraction) -> ReleaseProblem:
    """Return the worst case of a loss over counts in a row, at δ = 0."""
    return ReleaseProblem(loss_matrix(loss, m), None, graphs.path(m), k, Fraction(0))


def highs_alone(request: ReleaseProblem, method: str) -> tuple[float, str]:
    """Return the optimum that HiGHS reports for the whole program, and its status."""
    program = release_program(request)
    pairs = [*program.at_most, *program.equal]
    entries = [(i, j, float(v)) for i, (row, _) in enumerate(pairs) for j, v in row.items()]
    i, j, values = zip(*entries, strict=True)
    rows = scipy.sparse.csr_matrix((values, (i, j)), shape=(len(pairs), program.columns))
    bounds = np.array([float(bound) for _, bound in pairs])
    split = len(program.at_most)
    cost = np.zeros(program.columns)
    for column, value in program.objective.items():
        cost[column] = -float(value)
    found = scipy.optimize.linprog(
        cost, rows[:split], bounds[:split], rows[split:], bounds[split:], method=method
    )
    value = float("nan") if found.fun is None else float(found.fun)
    return value, found.message.split(".")[0].splitlines()[0][:60]


def clarabel_alone(request: ReleaseProblem) -> float:
    """Return the optimum that cvxpy finds with Clarabel, or NaN."""
    import cvxpy

    k, costs = float(request.k), np.array([[float(x) for x in row] for row in request.loss])
    law = cvxpy.Variable(costs.shape, nonneg=True)
    constraints = [cvxpy.sum(law, axis=1) == 1, law[:-1] <= k * law[1:], law[1:] <= k * law[:-1]]
    worst = cvxpy.max(cvxpy.sum(cvxpy.multiply(costs, law), axis=1))
    asked = cvxpy.Problem(cvxpy.Minimize(worst), constraints)
    try:
        found: float = asked.solve(solver="CLARABEL")
    except cvxpy.error.SolverError:
        return float("nan")
    return found


def main() -> None:
    """Print times and errors."""
    print(f"{'loss, M, k':<30} {'method':<24} {'CPU s':>8} {'error':>10}")
    for loss, m, k in ROWS:
        request, name = problem(loss, m, Fraction(k)), f"{loss}, {m}, {float(k):.16g}"
        start = time.process_time()
        best = enclosed(request)
        taken = time.process_time() - start
        print(f"{name:<30} {'exact (gap)':<24} {taken:8.2f} {float(best.gap):10.1e}", flush=True)
        if m > 80:
            continue
        for method in ("highs-ds", "highs-ipm"):
            start = time.process_time()
            value, status = highs_alone(request, method)
            taken = time.process_time() - start
            error = value - float(best.upper)
            print(f"{'':<30} {method:<24} {taken:8.2f} {error:10.1e}  {status}", flush=True)
        start = time.process_time()
        value = clarabel_alone(request)
        taken = time.process_time() - start
        error = value - float(best.upper)
        print(f"{'':<30} {'cvxpy with Clarabel':<24} {taken:8.2f} {error:10.1e}", flush=True)


if __name__ == "__main__":
    main()
