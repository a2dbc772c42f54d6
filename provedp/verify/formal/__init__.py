"""The machine-checked core: what a proof assistant has accepted, and whether that still stands."""
