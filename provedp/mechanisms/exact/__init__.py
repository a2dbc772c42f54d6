"""Exact arithmetic for releases: parameters rounded towards privacy, noise drawn from integers."""
