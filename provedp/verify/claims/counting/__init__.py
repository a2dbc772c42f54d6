"""The claims of the counting paper, in its order."""

SUBJECT = "counting"  # the first part of the ids of its claims
MODULES = (
    "problem",
    "kernel",
    "optimum",
    "structure",
    "forced",
    "tightness",
    "full_rank",
    "radius",
    "channel",
    "no_loss",
    "special_channels",
    "every_channel",
    "assignment",
    "bounds",
    "proposition",
    "proposition_at_every_size",
    "psk",
    "release",
    "certificates",
    "spending",
    "universal",
    "graphs",
    "rivals",
)
