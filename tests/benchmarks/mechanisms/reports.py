"""Faults that were reported in public trackers, rewritten small, all together."""

from .reported_scales import ENTRIES as SCALES  # noqa: TID251
from .reported_supports import ENTRIES as SUPPORTS  # noqa: TID251

ENTRIES = [*SCALES, *SUPPORTS]
