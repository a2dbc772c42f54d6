"""The claims of the counting paper, in its order."""

SUBJECT = "counting"  # the first part of the ids of its claims
MODULES = (
    "problem",
    "kernel",
    "optimum",
    "structure",
    "tightness",
    "full_rank",
    "radius",
    "channel",
    "no_loss",
    "special_channels",
    "assignment",
    "bounds",
    "proposition",
    "psk",
    "release",
    "spending",
)
