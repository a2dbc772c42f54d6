"""Experiments of the mixture paper, by figure."""

from provedp.experiments.mixture.release import FIGURES as FIGURES
