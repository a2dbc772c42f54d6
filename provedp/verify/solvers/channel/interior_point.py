"""A primal-dual interior-point method for the program behind a channel.

P stays private all the way, and every y, μ ≥ 0 proves a bound, so each iterate carries a bracket.
"""

from dataclasses import dataclass, field

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.solvers.channel.block_tridiagonal import SingularError
from provedp.verify.solvers.channel.folding import Approximation, Folding
from provedp.verify.solvers.channel.path_program import Move, Newton, PathProgram

__all__ = ["interior_point"]

GOAL = 8e-10  # a gap with which an attempt ends; the exact repair adds little to it
ITERATIONS = 70
TO_THE_BOUNDARY = 0.995
CORRECTORS = 4  # most of Gondzio's, each a solve with the factor at hand
CORRECTORS_NEAR = 3  # where a factor costs little
PATIENCE = 12  # iterations without half the complementarity, which end an attempt
ENOUGH = 9e-10  # a gap with which no further attempt is made
# Of the multipliers, a constant and what δ adds: without it rounding spoils the last digits, with
# more of it the last steps are slow. A stalled attempt goes on with another; the last starts anew.
REGULARISATIONS = ((0.0, 2e-9), (0.0, 2e-7)), ((1e-9, 4e-8),)
FLAT = 1.2  # up to this k
OF_FLAT = ((0.0, 2e-6), (0.0, 2e-7)), ((1e-8, 0.0), (1e-9, 0.0)), ((0.0, 2e-7),)
UNIFORM = 6e-11  # the share of a uniform release that may make up for what is beyond the reach
DECAY = 0.9  # power of k at which P may decay towards its reach
STIFF = 30.0
DRAINS = 24
UNCLEAN = 3.0  # times complementarity: a gap from which multipliers are made feasible again
LATE = 1e-4  # a complementarity from which that is worth a factor
EARLY = 1e-6  # a complementarity above which nothing is regularised: no digit is spoilt yet
TINY = 1e-300
# Of a corrector; the one with the longest step is taken.
SHARES, SHARES_NEAR = (0.0, 0.1, 0.3, 0.6, 1.0), (0.0, 1.0)

_Direction = tuple[Move, Floats, Floats]  # of the point, the left sides, and the multipliers


@dataclass
class _Best:
    """The best primal and the best dual point so far."""

    lower: float = -np.inf
    upper: float = np.inf
    kept: Floats = field(default_factory=lambda: np.zeros(0))
    multipliers: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def gap(self) -> float:
        return self.upper - self.lower

    def see(self, kept: Floats, lower: float) -> None:
        if lower >= self.lower:
            self.lower, self.kept = lower, kept

    def see_dual(self, multipliers: Floats, upper: float) -> None:
        if upper <= self.upper:
            self.upper, self.multipliers = upper, multipliers


def interior_point(
    channel: Floats, k: float, delta: float, *, mirrored: bool, reach: int | None = None
) -> Approximation | None:
    """Return an approximate optimum, nearly always within 1e-9; None if there is none.

    With a `reach` it is one of a smaller program, of which the exact repair tells what it is worth.

    Parameters
    ----------
    channel
        Row-stochastic M × M matrix T.
    k, delta
        e^ε ≥ 1 and δ in [0, 1), not 1 and 0.
    mirrored
        Whether T_ij = T_(M+1−i)(M+1−j), so that half of the rows suffice.
    reach
        Largest distance around the circle of counts at which P_ij is not 0; None: any.

    Source: Mehrotra's predictor and corrector with Gondzio's further correctors (Wright,
    Primal-Dual Interior-Point Methods), weighted as by Colombo and Gondzio (2008, Further
    development of multiple centrality correctors); the elimination along the path and the polish
    are ours.
    """
    folding = Folding.of(len(channel), mirrored=mirrored)
    program = PathProgram(channel, k, delta, folding, len(channel) if reach is None else reach)
    best = _Best()
    with np.errstate(all="ignore"):
        for regulars in REGULARISATIONS if k > FLAT else OF_FLAT:
            iteration = _Iteration(program, best)
            for constant, slope in regulars:
                iteration.run(constant + slope * delta)
                if best.gap <= ENOUGH:
                    break
            if best.gap <= ENOUGH:
                break
    if not np.isfinite(best.gap):
        return None
    _, tops, gaps, _, _ = program.parts(best.multipliers)
    shares = program.on_outputs(gaps / tops.sum())
    multipliers = dict(zip(program.folding.pairs, shares, strict=True))
    return program.folding.approximation(best.kept, tops / tops.sum(), multipliers)


class _Iteration:
    """The state of the method: P, x, s and the multipliers of all inequalities."""

    def __init__(self, program: PathProgram, best: _Best):
        self.program, self.regular, self.best = program, 0.0, best
        self.near = program.reach < program.folding.size
        self.kept, self.x, self.slacks = self._start()
        left = self._left_sides()
        level = program.parts(left)[1].mean() / program.folding.rows
        self.multipliers = level / left

    def _start(self) -> Move:
        """Return an inner point: half P* for a smaller budget, half uniform."""
        program, size = self.program, self.program.folding.size
        decayed = np.sqrt(max(program.k, 1 + program.delta)) ** -program.apart
        kept = program.masked(decayed / decayed.sum(axis=1, keepdims=True) / 2 + 1 / (2 * size))
        kept /= kept.sum(axis=1, keepdims=True)
        outputs = kept @ program.channel
        excess = np.maximum(-(program.gap @ outputs.ravel()).reshape(program.outputs.shape), 0)
        room = program.delta - excess.sum(axis=1, keepdims=True)
        x = float(outputs[program.diagonal, program.diagonal].min()) / 2
        width = program.outputs.shape[1]
        return kept, x, (excess + room / (width + 1) if program.delta else np.zeros_like(excess))

    def _left_sides(self) -> Floats:
        forms = self.program.forms(self.kept, self.x, self.slacks) + self.program.constant
        return np.maximum(forms, TINY)

    def run(self, regular: float) -> None:
        """Keep the best points of all iterations until they stall."""
        self.regular = regular
        program, best = self.program, self.best
        history = [np.inf] * PATIENCE
        for _ in range(ITERATIONS):
            program.leave_out(self.kept)
            left = self._left_sides()
            upper = self._see()
            products = float(left @ self.multipliers)
            history.append(products)
            slow = best.gap < ENOUGH and products > history[-4] / 2
            done = best.gap < GOAL or (self.near and products < GOAL / 10)
            if done or slow or not products < history[-PATIENCE - 1] / 2:
                break
            try:
                if upper - best.lower > UNCLEAN * products and products < LATE:
                    self.multipliers = self._polished(self.multipliers, floor=0.2)
                    best.see_dual(self.multipliers, program.bound(self.multipliers))
                self._step(left)
            except SingularError:
                break
        if best.gap > GOAL:
            self._polish_last()
        if self.near:
            self._drain()

    def _see(self) -> float:
        """Keep the point if it is the best; return the bound of its multipliers."""
        program = self.program
        outputs = self.kept @ program.channel
        self.best.see(self.kept, float(outputs[program.diagonal, program.diagonal].min()))
        upper = program.bound(self.multipliers)
        self.best.see_dual(self.multipliers, upper)
        return upper

    def _step(self, left: Floats) -> None:
        program, now = self.program, self.multipliers
        level = float(left @ now) / program.count
        shift = left + (self.regular * now if level * program.count < EARLY else 0.0)
        newton = Newton(program, now / shift)
        residual = program.residual(now)

        def toward(products: Floats, rest: Move) -> _Direction:
            forced = products / shift
            move, sides = newton.direction(forced, rest)
            return move, sides, forced - newton.weights * sides

        nothing = np.zeros_like(residual[0]), 0.0, np.zeros_like(residual[2])
        found = toward(-left * now, residual)
        _, sides, prices = found
        steps = _longest(left, sides), _longest(now, prices)
        after = float((left + steps[0] * sides) @ (now + steps[1] * prices)) / program.count
        aim = level * (after / level) ** 3
        found, steps = self._corrected(left, found, toward(aim - sides * prices, nothing))
        for _ in range(CORRECTORS_NEAR if self.near else CORRECTORS):
            if min(steps) >= 0.9:
                break
            wider = [min(1.0, 1.08 * step + 0.08) for step in steps]
            products = (left + wider[0] * found[1]) * (now + wider[1] * found[2])
            wanted = np.maximum(np.clip(products, aim / 10, 10 * aim) - products, -10 * aim)
            before = sum(steps)
            found, steps = self._corrected(left, found, toward(wanted, nothing))
            if sum(steps) < before + 0.01:
                break
        self._move(left, *found)

    def _corrected(
        self, left: Floats, found: "_Direction", correction: "_Direction"
    ) -> tuple["_Direction", tuple[float, float]]:
        """Add the shares of a correction, of primal and dual, that allow the longest steps."""
        move, sides, prices = found
        more, more_sides, more_prices = correction
        shares = SHARES_NEAR if self.near else SHARES
        primal, share = max((_longest(left, sides + w * more_sides), w) for w in shares)
        dual, other = max((_longest(self.multipliers, prices + w * more_prices), w) for w in shares)
        moved = (
            move[0] + share * more[0], move[1] + share * more[1], move[2] + share * more[2]
        )  # fmt: skip
        added = moved, sides + share * more_sides, prices + other * more_prices
        return added, (primal, dual)

    def _move(self, left: Floats, move: Move, sides: Floats, prices: Floats) -> None:
        primal = min(1.0, TO_THE_BOUNDARY * _longest(left, sides, at_most=2.0))
        dual = min(1.0, TO_THE_BOUNDARY * _longest(self.multipliers, prices, at_most=2.0))
        self._advance(move, primal)
        self.multipliers = self.multipliers + dual * prices

    def _advance(self, move: Move, step: float) -> None:
        self.kept = self.kept + step * move[0]
        self.x += step * move[1]
        self.slacks = self.slacks + step * move[2]

    def _drain(self) -> None:
        """Empty the entries of P at its reach, and keep the point that is left.

        What they hold is to spare, but no gap beyond them restrains it. They are pulled towards 0
        stiffly and all other left sides held softly, so that those near 0 hardly change.
        """
        program, k = self.program, self.program.k
        apart = program.apart[program.diagonal[:, None], program.support]
        allowed = UNIFORM * (k - 1) / program.folding.size
        allowed = allowed * k ** (DECAY * (program.reach - apart))
        left = self._left_sides()
        products = left * self.multipliers
        still = np.zeros(program.others.shape), 0.0, np.zeros_like(self.slacks)
        for _ in range(DRAINS):
            entries = program.parts(left)[0]
            over = entries > allowed
            if not over[apart == program.reach].any():
                break
            weights = products / left**2
            program.parts(weights)[0][over] *= STIFF
            forced = np.zeros_like(left)
            program.parts(forced)[0][over] = -(program.parts(weights)[0] * entries)[over]
            try:
                move, sides = Newton(program, weights).direction(forced, still)
            except SingularError:
                return
            self._advance(move, min(1.0, TO_THE_BOUNDARY * _longest(left, sides, at_most=2.0)))
            left = self._left_sides()
        if np.isfinite(self.kept).all():
            self.best.kept = self.kept

    def _polish_last(self) -> None:
        """Make the last multipliers feasible as far as their digits go."""
        polished = self.multipliers
        for _ in range(2):
            try:
                polished = self._polished(polished, floor=0.0)
            except SingularError:
                return
            self.best.see_dual(polished, self.program.bound(polished))

    def _polished(self, multipliers: Floats, floor: float) -> Floats:
        """Return multipliers that leave less residual, changed in proportion to their size."""
        newton = Newton(self.program, np.maximum(multipliers, TINY))
        residual = self.program.residual(multipliers)
        _, sides = newton.direction(np.zeros_like(multipliers), residual)
        changed: Floats = np.maximum(multipliers - newton.weights * sides, floor * multipliers)
        return changed


def _longest(values: Floats, step: Floats, at_most: float = 1.0) -> float:
    """Return the longest step that keeps all values from falling below 0."""
    steepest = float(np.max(-step / values))
    return min(at_most, 1 / steepest) if steepest > 0 else at_most
