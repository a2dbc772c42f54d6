"""Formulas about finding the modes of a density privately."""

__all__: list[str] = []
