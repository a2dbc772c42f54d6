"""Faults that were reported in public trackers, rewritten small, all together."""

from .reported_scales import ENTRIES as SCALES
from .reported_supports import ENTRIES as SUPPORTS

ENTRIES = [*SCALES, *SUPPORTS]
