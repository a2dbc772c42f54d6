"""The hypotheses of a claim, stated inside its check."""


class UnmetHypothesis(Exception):
    """An instance outside the claim's hypotheses."""


class UndecidedHypothesis(Exception):
    """An instance of which it is not known whether it meets the hypotheses."""


def assume(*conditions: bool | None) -> None:
    """State the hypotheses of a claim; an instance that does not meet them is skipped."""
    for condition in conditions:
        if condition is None:
            raise UndecidedHypothesis
        if not condition:
            raise UnmetHypothesis
