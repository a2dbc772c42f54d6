"""The ledger of claims: everything that a file of claims needs, under one name."""

from provedp.verify.ledger.claim import Claim, Defect, Formula
from provedp.verify.ledger.decided import holds, same_name, same_set
from provedp.verify.ledger.decorators import ours, published, repairs
from provedp.verify.ledger.evidence import at_most, close, equal, float_at_most, is_defined, less
from provedp.verify.ledger.findings import Finding, all_of, base_case, negation
from provedp.verify.ledger.frequencies import frequency_at_most
from provedp.verify.ledger.hypotheses import assume
from provedp.verify.ledger.instances import levels
from provedp.verify.ledger.papers import Paper
from provedp.verify.ledger.proof import entails
from provedp.verify.ledger.records import certified, open_, proved, refuted, supported
from provedp.verify.ledger.source import Reference, Source
from provedp.verify.ledger.theorems import machine_checked
from provedp.verify.ledger.values import as_dyadic, as_printed

__all__ = [
    "Claim",
    "Defect",
    "Finding",
    "Formula",
    "Paper",
    "Reference",
    "Source",
    "all_of",
    "as_dyadic",
    "as_printed",
    "assume",
    "at_most",
    "base_case",
    "certified",
    "close",
    "entails",
    "equal",
    "float_at_most",
    "frequency_at_most",
    "holds",
    "is_defined",
    "less",
    "levels",
    "machine_checked",
    "negation",
    "open_",
    "ours",
    "proved",
    "published",
    "refuted",
    "repairs",
    "same_name",
    "same_set",
    "supported",
]
