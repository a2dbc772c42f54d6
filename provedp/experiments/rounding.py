"""Bounds that are still bounds when they are shown: decimals of a float, rounded to one side."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

DIRECTIONS = {
    "optimum": ROUND_FLOOR,
    "channel_error": ROUND_FLOOR,
    "published_true_delta_at_least": ROUND_FLOOR,
    "published_ascent_epsilon_at_least": ROUND_FLOOR,
    "published_delta_at_least": ROUND_FLOOR,
    "gap": ROUND_CEILING,
    "u1_as_printed": ROUND_CEILING,
    "u1": ROUND_CEILING,
    "u2": ROUND_CEILING,
    "u3_as_printed": ROUND_CEILING,
    "u3": ROUND_CEILING,
}  # by column, where it holds a bound


def shown_in(column: str, value: float) -> str:
    """Return a number of a column with four figures, which is a bound still where that is one.

    >>> shown_in("published_delta_at_least", 0.99999), shown_in("published_ari", 0.99999)
    ('0.9999', '1')
    >>> shown_in("gap", 1.23451e-12)
    '1.235e-12'
    """
    if column not in DIRECTIONS or not math.isfinite(value):
        return f"{value:.4g}"
    rounded = Context(prec=4, rounding=DIRECTIONS[column]).create_decimal(Decimal(value))
    return f"{float(rounded):.4g}"


def rounded_down(value: float, decimals: int) -> str:
    """Return a lower bound with so many decimals.

    >>> rounded_down(0.99999, 3), rounded_down(0.5, 2), rounded_down(-0.26, 1)
    ('0.999', '0.50', '-0.3')
    """
    return str(Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_FLOOR))
