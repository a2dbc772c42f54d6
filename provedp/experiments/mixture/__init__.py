"""Experiments of the mixture paper, by figure."""
