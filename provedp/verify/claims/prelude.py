"""What a file of claims opens with: `from provedp.verify.claims.prelude import *`.

The names of the ledger, exact numbers (`Q`, `matrix`), balls (`arb`, `ball`) and `sympy`. A claim
says in its decorator how many bits its balls have: `@certified(bits=128, …)`.
"""

from fractions import Fraction as Q
from typing import Any

import sympy
from flint import acb, arb

from provedp.theory.matrices import Matrix, fmpq_matrix, matrix, product
from provedp.theory.numbers import Number, ball, rational, symbol
from provedp.verify.ledger import (
    Defect,
    Finding,
    Formula,
    Paper,
    Source,
    all_of,
    as_dyadic,
    as_printed,
    assume,
    at_most,
    base_case,
    certified,
    close,
    entails,
    equal,
    float_at_most,
    frequency_at_most,
    holds,
    is_defined,
    less,
    levels,
    machine_checked,
    negation,
    open_,
    ours,
    proved,
    published,
    refuted,
    repairs,
    same_name,
    same_set,
    supported,
)

COUNTING, MIXTURE, MODES = Paper

__all__ = [
    "Any",
    "COUNTING",
    "Defect",
    "Finding",
    "Formula",
    "MIXTURE",
    "MODES",
    "Matrix",
    "Number",
    "Q",
    "Source",
    "acb",
    "all_of",
    "arb",
    "as_dyadic",
    "as_printed",
    "assume",
    "at_most",
    "ball",
    "base_case",
    "certified",
    "close",
    "entails",
    "equal",
    "float_at_most",
    "fmpq_matrix",
    "frequency_at_most",
    "holds",
    "is_defined",
    "less",
    "levels",
    "machine_checked",
    "matrix",
    "negation",
    "open_",
    "ours",
    "product",
    "proved",
    "published",
    "rational",
    "refuted",
    "repairs",
    "same_name",
    "same_set",
    "supported",
    "symbol",
    "sympy",
]
