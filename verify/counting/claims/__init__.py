"""The claims of the counting paper, in its order."""

MODULES = (
    "problem",
    "kernel",
    "optimum",
    "structure",
    "full_rank",
    "radius",
    "channel",
    "assignment",
    "bounds",
    "psk",
    "release",
)
