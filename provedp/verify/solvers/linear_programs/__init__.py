"""Linear programs over the rationals."""
