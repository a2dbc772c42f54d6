"""One change of one line each that makes a mechanism less private, or might: data for a slow test.

`old` stands once in the file below provedp/; `new` takes its place. What does not change the law
of a release, or not towards less privacy, says so in `harmless`: it may live.
"""

from dataclasses import dataclass

RELEASE = "mechanisms/mixture/private/release.py"
MOMENTS = "mechanisms/mixture/private/moments.py"
PLAN = "mechanisms/mixture/private/plan.py"
LATTICE = "mechanisms/mixture/private/lattice.py"
CHANNEL = "mechanisms/mixture/private/channel.py"
MODES = "mechanisms/modes/private/estimators.py"
BINS = "mechanisms/modes/private/bins.py"
SETTINGS = "mechanisms/modes/private/settings.py"
STEPS = "mechanisms/modes/private/steps.py"
STEP_PLANNING = "mechanisms/modes/private/step_planning.py"
REFINABLE = "mechanisms/exact/refinable_geometric.py"
TWO_SIDED = "mechanisms/exact/two_sided_geometric.py"
BOX = "mechanisms/modes/private/box.py"
FIELD = "mechanisms/modes/private/field.py"
SPARSE = "mechanisms/modes/private/sparse.py"
LOCAL = "mechanisms/modes/private/local.py"
GAUSSIAN = "mechanisms/exact/rounded_gaussian.py"
BUDGET = "mechanisms/exact/gaussian_budget.py"
INVERSION = "mechanisms/exact/inversion.py"
GEOMETRIC = "mechanisms/exact/geometric.py"
SAMPLING = "mechanisms/exact/sampling.py"
PARAMETERS = "mechanisms/exact/parameters.py"
COUNT = "mechanisms/counting/optimal.py"
BASE = "mechanisms/counting/base.py"
BEHIND = "mechanisms/counting/behind.py"
PEERS = "mechanisms/counting/peers.py"
GIVEN = "mechanisms/counting/given.py"
UNIVERSAL = "mechanisms/counting/universal.py"


@dataclass(frozen=True)
class Mutation:
    """A wrong line.

    Parameters
    ----------
    what
        What is wrong, in a few words.
    file
        Below provedp/.
    old, new
        The text that stands there once, and what takes its place.
    harmless
        Why the law does not change, or not towards less privacy; empty if it does.
    """

    what: str
    file: str
    old: str
    new: str
    harmless: str = ""


MUTATIONS = (
    # ------------------------------------------------ mixture: those of the first review, and more
    Mutation(
        "diagonal of second moments exact",
        MOMENTS,
        "_noisy(np.diag(exact), noise.second, rng)",
        "np.diag(exact).astype(float)",
    ),
    Mutation(
        "entries beside the diagonal exact",
        MOMENTS,
        "_noisy(exact[upper], noise.across, rng)",
        "exact[upper].astype(float)",
    ),
    Mutation(
        "histogram exact",
        MOMENTS,
        "return _noisy(counts * COUNT_STEPS, noise.count, rng) / COUNT_STEPS",
        "return counts.astype(float)",
    ),
    Mutation(
        "pooled trace exact", MOMENTS, "_noisy(trace, noise.square, rng)", "trace.astype(float)"
    ),
    Mutation(
        "pooled trace with half the scale",
        MOMENTS,
        "_noisy(trace, noise.square, rng)",
        "_noisy(trace, known(noise.square) / 2, rng)",
    ),
    Mutation(
        "radius of the pooled step from the data",
        RELEASE,
        "radius = min(WIDER * state.radius, self.settings.bound)",
        "radius = min(WIDER + len(self.points[0]) / 100, self.settings.bound)",
    ),
    Mutation(
        "sums with half the scale",
        MOMENTS,
        "_noisy(sums, noise.first, rng)",
        "_noisy(sums, known(noise.first) / 2, rng)",
    ),
    Mutation(
        "class sizes exact",
        MOMENTS,
        "(count,) = release_counts([len(points)], noise, rng)",
        "count = float(len(points))",
    ),
    Mutation("across too small", PLAN, "** 2 / 2)", "** 2 / 8)"),
    Mutation("nothing clipped", LATTICE, "if not outside.any():", "if True:"),
    Mutation(
        "clipped too far out",
        LATTICE,
        "factors = SHRINK * (RADIUS",
        "factors = 2 * SHRINK * (RADIUS",
    ),
    Mutation(
        "exact number of records under add-remove",
        RELEASE,
        'None if settings.adjacency == "add-remove" else len(features)',
        "len(features)",
    ),
    Mutation(
        "reach from the data",
        RELEASE,
        "self.reach = settings.bound *",
        "self.reach = (1.0 + (np.abs(features).max(initial=0) > 3)) *",
    ),
    Mutation(
        "the channel does not reduce the budget",
        RELEASE,
        "budget = budget_beside_channel(self.settings.ratio, self.settings.delta, channel)",
        "budget = gaussian_budget(self.settings.ratio, self.settings.delta)",
    ),
    Mutation(
        "the channel's count exact",
        RELEASE,
        "circle.noisy(margin + len(self.points[0]), self.rng)",
        "len(self.points[0])",
    ),
    Mutation(
        "the channel with twice its ε",
        RELEASE,
        'f"ln({channel})", first=-margin',
        'f"ln({channel**2})", first=-margin',
    ),
    Mutation(
        "rounds at the price of a removed record",
        PLAN,
        "    parts = 1 if adjacency ==",
        "    parts = 1 if adjacency !=",
    ),
    Mutation(
        "a record that turns round costs half", PLAN, "(count + first) / 4", "(count + first) / 2"
    ),
    Mutation("one budget for each step", PLAN, "unit = budget /", "unit = 2 * budget /"),
    Mutation(
        "the histogram moves by one cell",
        PLAN,
        'share if adjacency == "add-remove" else share / 2',
        "share",
    ),
    Mutation(
        "noise smaller than its size", PLAN, "root_above(size**2 / part)", "root_above(size / part)"
    ),
    Mutation(
        "uncharged steps, no check of the sum",
        PLAN,
        "    if spent > budget:",
        "    if False:",
        harmless="the sum is within the budget by construction: a second look",
    ),
    Mutation(
        "centres from the records",
        RELEASE,
        "inside = estimation.within(centres, self.settings.bound)",
        "inside = centres + sum(map(len, self.points[:1]))",
    ),
    Mutation(
        "the histogram forgets who is far",
        MOMENTS,
        "np.minimum(2 * RADIUS_BITS - upper, CELLS - 1)",
        "np.minimum(2 * RADIUS_BITS - upper, CELLS)",
    ),
    # -------------------------------------------------------------------------------------- modes
    Mutation(
        "a field for the other adjacency",
        MODES,
        "field_noise(axes, settings.adjacency, budget)",
        'field_noise(axes, "add-remove", budget)',
    ),
    Mutation(
        "bins for the other adjacency",
        MODES,
        "noise = bins_noise(len(axes), settings.adjacency, settings.pure_parts[1])",
        'noise = bins_noise(len(axes), "add-remove", settings.pure_parts[1])',
    ),
    Mutation(
        "a pure box that costs nothing",
        SETTINGS,
        "return box, self.ratio / box",
        "return box, self.ratio",
    ),
    Mutation(
        "counts of bins exact",
        BINS,
        "return _field(axes, noise.added_to(_counts(points, axes), rng), noise)",
        "return _field(axes, _counts(points, axes), noise)",
    ),
    Mutation(
        "counts before steps exact",
        BINS,
        "RefinableBins(axes, noise, noise.added_to(_counts(points, axes), rng))",
        "RefinableBins(axes, noise, Refinable(*2 * [_counts(points, axes)]))",
    ),
    Mutation(
        "counts before steps as if there were none",
        STEP_PLANNING,
        "for k in (before, ratio)",
        "for k in (ratio, ratio)",
    ),
    Mutation(
        "steps that cost nothing",
        STEPS,
        "return first, ratio / first",
        "return first, ratio",
    ),
    Mutation(
        "steps for the other adjacency",
        STEP_PLANNING,
        "first.ratio, last.ratio), step_noise(adjacency, rest)",
        'first.ratio, last.ratio), step_noise("add-remove", rest)',
    ),
    Mutation(
        "slopes exact",
        STEPS,
        "noisy = noise.added_to(exact.ravel().tolist(), rng)",
        "noisy = exact.ravel().tolist()",
    ),
    Mutation(
        "slopes that grow with the distance",
        STEPS,
        "parts = np.trunc(within(scaled[inside] / softness) * WHOLE)",
        "parts = np.trunc(scaled[inside] / softness * WHOLE)",
    ),
    Mutation(
        "a record in two cubes",
        STEPS,
        "np.minimum(gaps.min(axis=1, initial=np.inf) / 2, half_side(",
        "np.minimum(gaps.min(axis=1, initial=np.inf), half_side(",
        harmless="a record counts in the first cube that holds it",
    ),
    Mutation(
        "steps after the noise was refined",
        MODES,
        "return Released(axes, field, peaks_of(field, count, plan.reach or 1.0, RATE), plan)",
        "moved = steps.stepped(points, axes, field, peaks_of(field, count), rng)\n"
        "    return Released(axes, field, moved, plan)",
    ),
    Mutation(
        "noise that is refined further than is paid for",
        REFINABLE,
        "self.first, self.last = TwoSidedGeometric(first), TwoSidedGeometric(last)",
        "self.first, self.last = TwoSidedGeometric(first), TwoSidedGeometric(last**2)",
    ),
    Mutation(
        "noisier numbers with the noise of the others",
        REFINABLE,
        "return Refinable([value + self._more(rng) for value in refined], refined)",
        "return Refinable(refined, refined)",
    ),
    Mutation(
        "the parts of a record for one coordinate alone",
        BINS,
        "whole = 1 << bits_of(columns) * columns",
        "whole = 1 << bits_of(columns)",
    ),
    Mutation(
        "parts beyond the box",
        BINS,
        "inside = (np.clip(values, self.low, self.high) - self.low) / (self.high - self.low)",
        "inside = (values - self.low) / (self.high - self.low)",
    ),
    Mutation(
        "a grid chosen by the exact number of records",
        MODES,
        'return records if settings.adjacency == "replace-one" else self.records',
        "return records",
    ),
    Mutation(
        "questions of a pure box at the price of one",
        BOX,
        "return root_below(ratio, _questions(columns))",
        "return root_below(ratio, 1)",
    ),
    Mutation(
        "geometric noise of half the length",
        TWO_SIDED,
        "found = (scale - arb(2 * uniform + 1, 1).log()) / rate",
        "found = (scale - arb(2 * uniform + 1, 1).log()) / (2 * rate)",
    ),
    Mutation(
        "geometric noise on one side",
        TWO_SIDED,
        "return -size if drawn & 1 else size",
        "return size",
    ),
    Mutation(
        "one geometric draw for all numbers",
        TWO_SIDED,
        "return [int(value) + self.draw(rng) for value in exact]",
        "step = self.draw(rng)\n        return [int(value) + step for value in exact]",
    ),
    Mutation(
        "a box that costs nothing",
        MODES,
        "public, rng)\n        return settings.axes(box), 1 - BOX_SHARE",
        "public, rng)\n        return settings.axes(box), Q(1)",
    ),
    Mutation(
        "the threshold costs nothing",
        MODES,
        "budget = gaussian_budget(settings.ratio, settings.delta * (1 - THRESHOLD_SHARE)) * rest",
        "budget = gaussian_budget(settings.ratio, settings.delta) * rest",
    ),
    Mutation(
        "exact number of records steers the box",
        MODES,
        'len(points) if settings.adjacency == "replace-one" else None',
        "len(points)",
    ),
    Mutation(
        "exact number of records in the box",
        BOX,
        "counted if records is None else float(records)",
        "float(len(points))",
    ),
    Mutation(
        "questions without noise",
        BOX,
        "enough = noisy(int((column <= ends[middle]).sum())) >= wanted",
        "enough = int((column <= ends[middle]).sum()) >= wanted",
    ),
    Mutation(
        "half of the questions are free",
        BOX,
        "return 1 + 2 * columns *",
        "return 1 + columns *",
    ),
    Mutation(
        "bisection ends early",
        BOX,
        "for _ in range(rounds):",
        "while low < high:",
        harmless="how many questions follow depends on noisy answers alone, and is no more",
    ),
    Mutation(
        "the threshold on exact counts",
        GAUSSIAN,
        "return {group: count for group, count in noisy.items() if count >= least}",
        "return {group: count for group, count in noisy.items() if counts[group] >= least}",
    ),
    Mutation(
        "the threshold applied before the noise",
        SPARSE,
        "for cell, count in _occupied(places)}",
        "for cell, count in _occupied(places) if count > 1}",
    ),
    Mutation(
        "cells in the order of their counts",
        SPARSE,
        "order = sorted(noisy, key=lambda cell: (-noisy[cell], cell))",
        "order = sorted(noisy, key=lambda cell: (-exact[cell], cell))",
    ),
    Mutation(
        "half a threshold", SPARSE, "ceil(level * deviation) + 1", "ceil(level * deviation) // 2"
    ),
    Mutation(
        "no room for rounding in the threshold",
        SPARSE,
        "ceil(level * deviation) + 1",
        "ceil(level * deviation)",
        harmless="not here: levels go by eighths of a deviation, of which half a step is little",
    ),
    Mutation(
        "cells move by one count",
        SPARSE,
        "root_above(whole / budget)",
        "root_above(whole / budget / 2)",
    ),
    Mutation(
        "a record in several balls",
        LOCAL,
        "Frame.of(transform, centre).apply(self.points[np.flatnonzero(members == k)])",
        "Frame.of(transform, centre).apply(self.points)",
    ),
    Mutation(
        "rounds for the other adjacency",
        LOCAL,
        "return noise_for(adjacency,",
        'return noise_for("add-remove",',
    ),
    Mutation(
        "means divided by exact counts",
        LOCAL,
        "divisors = np.maximum(counts, deviation)",
        "divisors = np.array([max(len(part), deviation) for part in parts])",
    ),
    Mutation("the cells' share once more", LOCAL, "CELLS_SHARE = Q(2, 5)", "CELLS_SHARE = Q(4, 5)"),
    Mutation(
        "the longest column is the shortest",
        FIELD,
        "sum(axis=0).max())",
        "sum(axis=0).min())",
    ),
    Mutation(
        "values at knots exact",
        FIELD,
        "noisy = RoundedGaussian(noise.deviation).added_to(exact.ravel(), rng)",
        "noisy = exact.ravel().tolist()",
    ),
    Mutation(
        "records outside the box keep their place",
        FIELD,
        "inside = np.clip(values, self.low, self.high)",
        "inside = np.where(np.abs(values) < 100, values, self.low)",
    ),
    # ------------------------------------------------------------------------- exact numbers, laws
    Mutation(
        "a smaller σ than it says",
        GAUSSIAN,
        "ball(self.sigma) * normal",
        "ball(self.sigma * 9 / 10) * normal",
    ),
    Mutation(
        "one draw for all numbers",
        GAUSSIAN,
        "return [int(value) + self.draw(rng) for value in exact]",
        "step = self.draw(rng)\n        return [int(value) + step for value in exact]",
    ),
    Mutation(
        "a root below",
        BUDGET,
        "return Q(isqrt(scaled - 1) + 1, ROOT_STEPS)",
        "return Q(max(1, isqrt(scaled) // 2), ROOT_STEPS)",
    ),
    Mutation(
        "a root rounded down",
        BUDGET,
        "return Q(isqrt(scaled - 1) + 1, ROOT_STEPS)",
        "return Q(max(1, isqrt(scaled - 1)), ROOT_STEPS)",
    ),
    Mutation(
        "no allowance for roundings in the clip",
        LATTICE,
        "SHRINK = 1 - 2.0**-50",
        "SHRINK = 1.0",
        harmless="truncated integers beside the sphere by less than 2⁻³³ are on it: R² is one, too",
    ),
    Mutation(
        "ε rounded up",
        PARAMETERS,
        "high = dyadic(ball(exponent).exp().lower())",
        "high = dyadic((2 * ball(exponent)).exp().lower())",
    ),
    Mutation(
        "twice δ",
        BUDGET,
        "gaussian_sigma(_logarithm(ratio), delta)",
        "gaussian_sigma(_logarithm(ratio), min(2 * delta, Q(99, 100)))",
    ),
    Mutation(
        "δ read upwards",
        PARAMETERS,
        "return min(rational(float(value))",
        "return max(rational(float(value))",
    ),
    Mutation(
        "a cut that is rounded down",
        INVERSION,
        "return scaled.__floor__(), scaled.__ceil__()",
        "return scaled.__floor__(), scaled.__floor__()",
    ),
    Mutation(
        "balls by their middles",
        INVERSION,
        "_integer(ball.lower().floor()), _integer(ball.upper().ceil())",
        "_integer(ball.mid().floor()), _integer(ball.mid().floor())",
    ),
    Mutation(
        "a second word of zeros",
        INVERSION,
        "(uniform << WORD) | random_bits(WORD, rng)",
        "(uniform << WORD) | random_bits(WORD, rng) & 0",
    ),
    Mutation(
        "no second word",
        INVERSION,
        "while uniform >= missed[place := bisect.bisect_right(reached, uniform)]:",
        "while (place := bisect.bisect_right(reached, uniform)) < 0:",
    ),
    Mutation(
        "cuts that are reached too late",
        INVERSION,
        "missed[place := bisect.bisect_right(reached, uniform)]",
        "missed[place := bisect.bisect_left(reached, uniform)]",
        harmless="a number that just reaches a cut, whose floor it is, asks for another word",
    ),
    Mutation(
        "fewer random bits than it says",
        SAMPLING,
        "return secrets.randbits(count)",
        "return secrets.randbits(count // 2)",
    ),
    Mutation(
        "digits of twice the exponent",
        GEOMETRIC,
        "step = ball(self._ratio) ** -self._unit",
        "step = ball(self._ratio) ** (-2 * self._unit)",
    ),
    Mutation(
        "no sum over the digit",
        GEOMETRIC,
        "whole = 1 - step**self._size",
        "whole = 1 - step ** (2 * self._size)",
    ),
    Mutation(
        "all digits like the first",
        GEOMETRIC,
        "(start, GeometricDigit(ratio, 1 << start, 1 << width))",
        "(start, GeometricDigit(ratio, 1, 1 << width))",
    ),
    Mutation(
        "the high digit left out",
        GEOMETRIC,
        "range(0, bits, DIGIT_BITS)",
        "range(0, min(bits, DIGIT_BITS), DIGIT_BITS)",
    ),
    Mutation(
        "beyond the cap half as often",
        GEOMETRIC,
        "return [1 - ball(self._ratio) ** -self._steps]",
        "return [1 - ball(self._ratio) ** (-2 * self._steps)]",
    ),
    Mutation(
        "nothing beyond the cap",
        GEOMETRIC,
        "return max(beyond * self._cap, min(below, self._cap))",
        "return min(below, self._cap)",
    ),
    Mutation("δ twice", COUNT, "< self.delta.numerator", "< 2 * self.delta.numerator"),
    Mutation(
        "steps of half the length",
        COUNT,
        "Geometric(self.ratio, ((self.m - 1) // 2).bit_length())",
        "Geometric(self.ratio**2, ((self.m - 1) // 2).bit_length())",
    ),
    Mutation(
        "too few bits for the circle",
        COUNT,
        "((self.m - 1) // 2).bit_length()",
        "((self.m - 1) // 4).bit_length()",
    ),
    Mutation(
        "backwards as often as forwards",
        COUNT,
        "uniform_below(numerator + denominator, rng) < denominator",
        "uniform_below(2, rng) == 1",
    ),
    Mutation(
        "backwards from the count itself",
        COUNT,
        "return -distance - 1 if backwards else distance",
        "return -distance if backwards else distance",
    ),
    Mutation(
        "the last place twice",
        COUNT,
        "places = self.m // 2 if backwards else (self.m + 1) // 2",
        "places = (self.m + 1) // 2",
    ),
    Mutation(
        "the count itself",
        BASE,
        "return self.first + self._drawn(row, rng)",
        "return self.first + row",
    ),
    Mutation(
        "a row beside the right one",
        BASE,
        "return self._rows[row].draw(rng)",
        "return self._rows[row // 2].draw(rng)",
    ),
    Mutation(
        "Laplace noise of both signs for nothing",
        PEERS,
        "sign = 1 - 2 * uniform_below(2, rng)",
        "sign = 1",
    ),
    Mutation(
        "Laplace noise that leaves the count alone",
        PEERS,
        "moved * (1 + self._distances.draw(rng))",
        "moved * self._distances.draw(rng)",
    ),
    Mutation(
        "a response that is true too often",
        PEERS,
        "uniform_below(same + other * (self.m - 1), rng) - same",
        "uniform_below(2 * same + other * (self.m - 1), rng) - 2 * same",
    ),
    Mutation(
        "middle counts refuse no more than ends",
        PEERS,
        "return None if refused or not 0 <= column < self.m else column",
        "return None if not 0 <= column < self.m else column",
        harmless="the law of what is accepted is the same; a unit test has the number of tries",
    ),
    Mutation("any matrix behind a channel", BEHIND, "if least > self.delta:", "if False:"),
    Mutation(
        "a peer of twice its ε",
        PEERS,
        "return randomized_response_matrix(self.m, self.ratio)",
        "return randomized_response_matrix(self.m, self.ratio**2)",
    ),
    # -------------------------------------------------------- counts: any matrix, continuous noise
    Mutation(
        "a matrix that is private one way",
        GIVEN,
        "for one, two in ((a, b), (b, a)):",
        "for one, two in ((a, b),):",
    ),
    Mutation(
        "a matrix of another δ", GIVEN, "if needed > self.delta:", "if needed > self.delta + 1:"
    ),
    Mutation(
        "a matrix of twice its ε",
        GIVEN,
        "self._given[two - 1], self.ratio)",
        "self._given[two - 1], self.ratio**2)",
    ),
    Mutation(
        "a jitter without steps",
        UNIVERSAL,
        "return NoisyCount(count + steps + low, count + steps + high, rng)",
        "return NoisyCount(count + low, count + high, rng)",
    ),
    Mutation(
        "steps of twice the ε",
        UNIVERSAL,
        "return TwoSidedGeometric(self.ratio).draw",
        "return TwoSidedGeometric(self.ratio**2).draw",
    ),
    Mutation(
        "continuous noise beyond its reach",
        UNIVERSAL,
        "if self.last is None or abs(steps) < self.last:",
        "if self.last is None or abs(steps) <= self.last:",
    ),
    Mutation(
        "a cut within a unit at another place",
        UNIVERSAL,
        "return cls(int(last), abs(end), (True, end > 0, False))",
        "return cls(int(last), abs(end) / 2, (True, end > 0, False))",
    ),
    Mutation(
        "uniform steps to one side",
        UNIVERSAL,
        "return lambda rng: uniform_below(2 * last + 1, rng) - last",
        "return lambda rng: uniform_below(last + 1, rng)",
    ),
    Mutation(
        "more of a unit's middle",
        UNIVERSAL,
        "self._part = ExactSampler([rest, 2 * self._cells.middle, rest])",
        "self._part = ExactSampler([rest / 2, 1 - rest, rest / 2])",
    ),
    # ------------------------------------------------------------------- mixture: what is no noise
    Mutation(
        "weights from exact sizes",
        RELEASE,
        "state = replace(state, sizes=estimation.sizes(noisy, self.public_records))",
        "state = replace(state, sizes=np.array([len(p) + 1.0 for p in self.points]))",
    ),
    Mutation(
        "a plan for the exact number of records",
        RELEASE,
        "records = self.public_records or self.settings.records or USUAL_RECORDS",
        "records = sum(map(len, self.points)) or USUAL_RECORDS",
    ),
    Mutation(
        "a location from the data",
        RELEASE,
        "np.zeros(self.dimension) if settings.location is None",
        "features[:1].sum(axis=0) if settings.location is None",
    ),
    Mutation(
        "a floor from the data",
        RELEASE,
        "low, high = self.settings.floor, max(radius**2, self.settings.floor)",
        "low, high = 1 / (1 + len(self.points[0])), max(radius**2, self.settings.floor)",
    ),
    Mutation(
        "a radius from the data",
        RELEASE,
        "return replace(state, radius=min(radius, bound))",
        "return replace(state, radius=min(radius, bound / (1 + len(self.points[0]))))",
    ),
)
