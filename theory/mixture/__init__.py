"""Formulas about releasing a Gaussian mixture that was fitted to labelled data."""

__all__: list[str] = []
