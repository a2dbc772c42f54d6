"""Optimal releases of a count for any loss, prior and neighbours, with their certificates."""
