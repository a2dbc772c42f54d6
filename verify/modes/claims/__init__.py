"""The claims of the modes paper, in its order."""

MODULES: tuple[str, ...] = (
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
    "experiments",
    "tables",
    "program",
    "private",
)
