"""The claims of the mixture paper, in its order."""

MODULES: tuple[str, ...] = (
    "model",
    "covariance_noise",
    "covariance_loss",
    "scatter_noise",
    "divergence",
    "weights",
    "two_runs",
    "columns",
    "components",
    "design_problem",
    "alternation",
    "other_adjacencies",
    "bounded_features",
    "changed_records",
    "singular_noise",
    "utility",
    "parameters",
    "class_sizes",
    "baselines",
    "private",
)
