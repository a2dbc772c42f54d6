"""Mechanisms that release a Gaussian mixture: the published one, its rivals, and one that holds."""
