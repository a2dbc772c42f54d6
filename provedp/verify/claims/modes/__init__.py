"""The claims of the modes paper, in its order."""

SUBJECT = "modes"  # the first part of the ids of its claims
MODULES = (
    "kernels",
    "score",
    "sharp_score",
    "single_start",
    "joint_release",
    "joint_consequences",
    "joint_growth",
    "initialisation",
    "masses",
    "coverage",
    "local",
    "ascent",
    "rates",
    "merging",
    "lower_bound",
    "bandwidths",
    "regression",
    "errors",
    "tables",
    "program",
    "private",
    "spending",
)
