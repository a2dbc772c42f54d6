"""Mechanisms that find modes, clusters and modal regressions: published ones and private ones."""
