"""Formulas: pure functions over any number field, without randomness, solvers or files."""
