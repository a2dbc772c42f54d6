"""All kinds of scores, read back from JSON."""

from typing import Any

from provedp.verify.audit.events.scores.bits import Atoms, LowestBit
from provedp.verify.audit.events.scores.classifiers import Linear, Tree
from provedp.verify.audit.events.scores.decorrelated import Whitened
from provedp.verify.audit.events.scores.noise_families import Family
from provedp.verify.audit.events.scores.patterns import Patterns
from provedp.verify.audit.events.scores.projections import Projected
from provedp.verify.audit.events.scores.score import Additive, Bins, Coordinate, Histogram, Score
from provedp.verify.audit.events.scores.views import Viewed
from provedp.verify.tagged_records import TaggedUnion

KINDS = (
    Coordinate, Histogram, Bins, Additive, LowestBit, Atoms, Linear, Tree,
    Whitened, Patterns, Family, Viewed, Projected,
)  # fmt: skip
SCORES = TaggedUnion[Score](KINDS)


def score_from(record: dict[str, Any]) -> Score:
    """Return the score that `record` describes.

    >>> score_from({"kind": "coordinate", "index": 2})
    Coordinate(index=2, sign=1, single=True)
    """
    return SCORES.read(record)
