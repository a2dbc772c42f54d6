"""What a release of modes will do and can find, before anything is drawn: public numbers alone."""

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction as Q
from math import ceil, sqrt
from typing import Any

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.parameters import EPSILON_MAX, ratio_below
from provedp.mechanisms.modes.private.bins import BinAxis
from provedp.mechanisms.modes.private.certainty import noise_reach
from provedp.mechanisms.modes.private.field import Axis
from provedp.mechanisms.modes.private.local import CELLS_SHARE, THRESHOLD_SHARE
from provedp.mechanisms.modes.private.peaks import grid_of
from provedp.mechanisms.modes.private.planning import (
    SHARES,
    WIDTH,
    WIDTHS,
    Layout,
    bins_grid,
    bins_layout,
    bins_layouts,
    field_layout,
    reach_of,
)
from provedp.mechanisms.modes.private.settings import Settings
from provedp.mechanisms.modes.private.sparse import COUNT_STEPS, cell_noise
from provedp.mechanisms.modes.private.step_planning import StepPlan, best_steps
from provedp.mechanisms.modes.private.steps import StepRule

STEPS = 12  # of a bisection for ε: 1 part in 4000 of a doubling


class NothingToFindWarning(UserWarning):
    """By public numbers alone, noise hides any peak that there may be."""


@dataclass(frozen=True)
class Plan:
    """A mechanism, and what it can find.

    Parameters
    ----------
    method
        'bins', 'field' or 'local'.
    delta
        δ that it spends: 0 for binned counts.
    nodes
        Noisy numbers that are drawn; None for the local method, where records decide.
    pitch
        Bandwidths between two nodes of binned counts, at most; None for the other methods.
    order
        1 where records are counted in cells, 2 where they are shared out linearly among the nodes
        around them; None for the other methods.
    reach
        Bandwidths of the estimate in which peaks are looked for.
    displacement
        Root mean square, in bandwidths, of how far noise, nodes and the draw of the records move a
        normal mode that is 3/4 of a bandwidth wide and holds its share of the records; None where
        no number is known.
    records_needed
        Records below which no peak can stand out, even if all are in one such mode.
    epsilon_needed
        ε that would do for the number of records; None if this ε does, or no number is known.
    step_share
        Share of ε for one step from each peak, by the records around it, if all peaks are clear
        before; None without steps.
    softness
        Bandwidths from a peak within which a record's part in its step grows; None without steps.
    """

    method: str
    delta: str
    nodes: int | None
    pitch: float | None
    order: int | None
    reach: float | None
    displacement: float | None
    records_needed: int
    epsilon_needed: float | None
    step_share: str | None = None
    softness: float | None = None

    def steps(self, settings: Settings, axes: Sequence[Axis]) -> StepPlan:
        """Return what a plan with steps draws; a `ValueError` without."""
        if self.rule is None or self.pitch is None or self.order is None:
            raise ValueError("Plan.steps: this plan has none.")
        ratio = settings.pure_parts[1]
        whole = bins_grid(axes, settings.adjacency, ratio, self.pitch, self.order)
        return StepPlan(whole, ratio, settings.adjacency, self.rule)

    @property
    def rule(self) -> StepRule | None:
        """How steps are made, if they are."""
        if self.step_share is None or self.softness is None:
            return None
        return StepRule(Q(self.step_share), self.softness)

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return asdict(self)

    def warn(self, name: str, records: int | None) -> None:
        """Warn if nothing can be found."""
        if records is None or records >= self.records_needed:
            return
        way = "" if self.epsilon_needed is None else f"ε = {self.epsilon_needed:.3g}, or "
        warnings.warn(
            f"{name}: {records} records cannot show a mode at this ε and bandwidth, even if all "
            f"are in one: the noise alone reaches as high. {way}{self.records_needed} records "
            "would do.",
            NothingToFindWarning,
            stacklevel=3,
        )


def planned(
    settings: Settings,
    axes: Sequence[Axis],
    records: int | None,
    count: int | None,
    *,
    searches: bool = True,
    widths: Sequence[float] = WIDTHS,
    steps: bool = False,
) -> Plan:
    """Return the plan for a box.

    Parameters
    ----------
    settings
        Public settings.
    axes
        Box and bandwidth of each coordinate.
    records
        Number of records, if it is public.
    count
        Number of modes, if it is known: each is taken to hold as many records.
    searches
        Whether an ε that would do is looked for where this one does not.
    widths
        Bandwidths: of the modes by which grids of binned counts are compared.
    steps
        Whether there can be a step from each peak.
    """
    method = settings.method_for(tuple(axes))
    needed = records_needed(settings, axes, method, settings.ratio)
    enough = None
    if searches and records is not None and records < needed:
        enough = _epsilon_needed(settings, axes, method, records)
    if method == "local":
        return Plan(method, str(settings.delta), None, None, None, None, None, needed, enough)
    held = None if records is None else records / (count or SHARES)
    ratio = settings.pure_parts[1]
    layout = layout_of(settings, axes, method, ratio, held, widths)
    error = None if held is None else layout.error(held)
    stepped = None
    if steps and held is not None and method == "bins":
        grids = bins_layouts(axes, settings.adjacency, ratio)
        known = count is not None
        stepped = best_steps(grids, ratio, settings.adjacency, held, widths, known=known)
    if stepped is not None and held is not None:
        layout, error = stepped.whole, stepped.error(held, WIDTH)
    first, rule = layout.axes[0], None if stepped is None else stepped.rule
    return Plan(
        method,
        str(settings.delta),
        int(np.prod([len(axis.knots) for axis in layout.axes])),
        first.pitch if isinstance(first, BinAxis) else None,
        first.order if isinstance(first, BinAxis) else None,
        reach_of(layout, held),
        None if error is None else sqrt(error),
        needed,
        enough,
        None if rule is None else str(rule.share),
        None if rule is None else rule.softness,
    )


def layout_of(
    settings: Settings,
    axes: Sequence[Axis],
    method: str,
    ratio: Q,
    held: float | None,
    widths: Sequence[float] = WIDTHS,
) -> Layout:
    """Return the estimate that is planned; `held` records are in a mode."""
    if method == "bins":
        return bins_layout(axes, settings.adjacency, ratio, held, widths)
    return field_layout(axes, settings.adjacency, ratio, settings.delta)


def records_needed(settings: Settings, axes: Sequence[Axis], method: str, ratio: Q) -> int:
    """Return how many records the lowest peak has that can be marked as sure.

    All are in one mode; by the local method, in one cell.
    """
    if method == "local":
        budget = gaussian_budget(ratio, settings.delta * (1 - THRESHOLD_SHARE)) * CELLS_SHARE
        tail = settings.delta * THRESHOLD_SHARE
        noise = cell_noise(settings.adjacency, budget, ratio, tail)
        return ceil(noise.threshold / COUNT_STEPS)
    layout = layout_of(settings, axes, method, ratio, 1.0)
    wide = layout.widened(reach_of(layout, 1.0))
    return ceil(2 * noise_reach(wide, grid_of(wide.axes)) / wide.height)


def _epsilon_needed(
    settings: Settings, axes: Sequence[Axis], method: str, records: int
) -> float | None:
    """Return an ε with which so many records are enough, hardly more than the least."""

    def enough(epsilon: float) -> bool:
        return records_needed(settings, axes, method, ratio_below(epsilon)) <= records

    high = 2.0**-10
    while not enough(high):
        high *= 2
        if high > EPSILON_MAX:
            return None
    low = high / 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
