"""The ledger of claims: everything that a file of claims needs, under one name."""

from provedp.verify.ledger.claim import Claim, Defect, Formula
from provedp.verify.ledger.decorators import (
    certified,
    open_,
    ours,
    proved,
    published,
    refuted,
    repairs,
    supported,
)
from provedp.verify.ledger.evidence import (
    Finding,
    all_of,
    at_most,
    close,
    equal,
    float_at_most,
    frequency_at_most,
    less,
    negation,
)
from provedp.verify.ledger.hypotheses import assume
from provedp.verify.ledger.instances import levels
from provedp.verify.ledger.proof import entails

__all__ = [
    "Claim",
    "Defect",
    "Finding",
    "Formula",
    "all_of",
    "assume",
    "at_most",
    "certified",
    "close",
    "entails",
    "equal",
    "float_at_most",
    "frequency_at_most",
    "less",
    "levels",
    "negation",
    "open_",
    "ours",
    "proved",
    "published",
    "refuted",
    "repairs",
    "supported",
]
