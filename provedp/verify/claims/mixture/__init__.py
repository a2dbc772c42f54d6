"""The claims of the mixture paper, in its order."""

SUBJECT = "mixture"  # the first part of the ids of its claims
MODULES = (
    "model",
    "composition",
    "means",
    "covariance_noise",
    "covariance_loss",
    "scatter_noise",
    "divergence",
    "log_determinant",
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
    "spending",
)
