"""Faults that were reported in public trackers, rewritten small, all together."""

from provedp.verify.audit.zoo.reported_scales import ENTRIES as SCALES
from provedp.verify.audit.zoo.reported_supports import ENTRIES as SUPPORTS

ENTRIES = [*SCALES, *SUPPORTS]
