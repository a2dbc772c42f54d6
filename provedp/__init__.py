"""Executable checks of papers on differential privacy, and the mechanisms that survive them."""
