"""The claims of the mixture paper, in its order."""

MODULES: tuple[str, ...] = (
    "model",
    "weights",
    "columns",
    "components",
    "design_problem",
    "alternation",
    "other_adjacencies",
    "utility",
    "private",
)
