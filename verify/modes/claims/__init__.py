"""The claims of the modes paper, in its order."""

MODULES: tuple[str, ...] = (
    "kernels",
    "score",
    "single_start",
    "joint_release",
    "joint_consequences",
    "joint_growth",
    "initialisation",
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
