"""What every column of an experiment's rows is: a short heading, and a sentence for the caption."""

from collections.abc import Iterable, Mapping

MEASURES = {
    "ari": ("ARI", "adjusted Rand index of nearest-centre labels (1 is best)"),
    "nmi": ("NMI", "normalised mutual information of those labels (1 is best)"),
    "mse": ("error", "mean squared distance to the class means, eq. (14)"),
}
SPREAD = "mean ± standard error over the seeds"
QUARTILES = "median [quartiles] over the seeds, in nats or as an accuracy"
TRIALS = "mean [95 % interval of the mean] over the seeds, in nats"
VARIATION = "total variation distance of the first feature's law in this class from the fitted one"

COLUMNS: Mapping[str, tuple[str, str]] = {
    "m": ("M", "number of counts"),
    "i": ("i", "row of the release's matrix: the true count"),
    "j": ("j", "column of the matrix: the released count"),
    "paper_shared": ("(12) shares", "whether eq. (12) lists the entry as shared, as printed"),
    "shared": ("shared", "whether its least and largest values agree"),
    "canonical": ("P*", "entry of the canonical release P*, e^ε = 2"),
    "least": ("least", "exact least value of the entry over all optimal releases"),
    "largest": ("largest", "exact largest value of the entry over all optimal releases"),
    "decibels": ("E_s/N0", "signal-to-noise ratio in dB, symbol energy over total noise"),
    "optimum": ("p_e*(T)", "least error behind the channel: lower end of a certified bracket"),
    "gap": ("gap", "width of that bracket"),
    "free_error": ("p_e*", "least error without a channel, eq. (10)"),
    "channel_error": ("l(T)", "lower bound l(T), the error of the best assignment"),
    "u1_as_printed": ("u1 printed", "upper bound u₁ with the share λ* as printed"),
    "u1": ("u1 repaired", "u₁ with λ* at most 1"),
    "u2": ("u2", "upper bound u₂, printed and right"),
    "u3_as_printed": ("u3 printed", "upper bound u₃ with the share β* as printed"),
    "u3": ("u3 repaired", "u₃ with β* at most 1"),
    "below": ("below", "printed bounds that are certainly below the optimum, so no upper bounds"),
    "records": ("n", "number of records"),
    "epsilon": ("ε", "privacy budget in nats"),
    "classes": ("classes", "number of classes"),
    "features": ("features", "number of features"),
    "bound": ("bound", "public bound on the length of a record"),
    "setting": ("setting", "what is changed; all other settings are the tables'"),
    "value": ("value", "its value"),
    "method": ("method", "published method, or ours"),
    "privacy": ("privacy", "what is true of it, in nats"),
    "paper": ("printed", f"error that the paper prints ({SPREAD})"),
    "published": (
        "published",
        f"error of the paper's program, run again ({SPREAD}), or expectation in its problem",
    ),
    "published_optimum": ("optimum", "best that the paper's own problem (P2) allows; not private"),
    "published_true_delta_at_least": (
        "true δ ≥",
        "lower bound on δ, at every ε, of the published noise",
    ),
    "round": ("round", "round of Algorithm 1, without its early stop"),
    "weights_epsilon": ("ε₀", "what the round leaves for the weights, eq. (27), in nats"),
    "published_trials": ("Algorithm 1", f"its release, whose (ε, δ) is refuted: {TRIALS}"),
    "private_trials": ("private", f"private, one label hidden: {TRIALS}"),
    "published_divergence": (
        "published",
        "median divergence of the published release, in nats; not private",
    ),
    "published_accuracy": ("published", "median accuracy of the published release; not private"),
    "published_claimed_ascent_epsilon": ("claimed ε", "ε that the program claims for its ascent"),
    "published_ascent_epsilon_at_least": (
        "true ε ≥",
        "certified lower bound on the ε that this ascent spends, at the claimed δ",
    ),
    "published_delta_at_least": (
        "true δ ≥",
        "certified lower bound on δ of the whole program at its own ε",
    ),
    "published_algorithm": (
        "Algorithm 1",
        f"error of Algorithm 1 with the noise that the paper prints for it ({SPREAD})",
    ),
    "private": ("private", f"error of PrivateModes and its kin, whose (ε, δ) is proved ({SPREAD})"),
    "private_modes": ("modes", "mean number of modes that the private release finds"),
    "private_branches": ("branches", "mean number of branches of the private regression, of 2"),
    "private_clusters": ("centres", "mean number of centres that the private release finds"),
    "mean_shift": ("mean shift", "error of mean shift, without privacy"),
    "paper_mean_shift": ("mean shift, printed", "error of mean shift that the paper prints"),
    "mode": ("mode", "true mode"),
    "scale": ("scale", "scale of the law around it"),
    "freedom": ("ν", "its degrees of freedom"),
    "published_found": ("found", "share of the program's runs with a mode within 1 of it"),
    "published_distance": ("distance", "root mean square distance of those modes"),
    "private_found": ("private found", "share of private runs with a mode within 1 of it"),
    "private_distance": ("private distance", "root mean square distance of those modes"),
    "mean_shift_found": ("shift found", "whether mean shift, without privacy, has a mode there"),
    "mean_shift_distance": ("shift distance", "its distance"),
    "gaussian_kernel": (
        "Gaussian",
        "error (14) of the density's maxima, Gaussian kernel, no noise",
    ),
    "gaussian_maxima": ("maxima", "how many there are (4 modes are true)"),
    "gaussian_per_mode": ("per mode", "squared distance for each true mode, whatever their number"),
    "order4_kernel": ("order 4", "error (14) of the maxima with the kernel of order 4, no noise"),
    "order4_maxima": ("maxima, 4", "how many there are; (14) divides by their number"),
    "order4_per_mode": ("per mode, 4", "squared distance for each true mode"),
    "label": ("label", f"private, one label hidden: {QUARTILES}"),
    "replace-one": ("replace-one", f"private, one record replaced: {QUARTILES}"),
    "add-remove": ("add-remove", f"private, presence hidden: {QUARTILES}"),
    "laplace": (
        "Laplace",
        "the paper's i.i.d. Laplace noise; its (ε, 0) by label is refuted by "
        f"mixture.laplace_baseline_is_private: {QUARTILES}",
    ),
    "gaussian": (
        "Gaussian",
        "the paper's i.i.d. Gaussian noise; its (ε, δ) by label is refuted by "
        f"mixture.gaussian_baseline_is_private: {QUARTILES}",
    ),
    "coloured": (
        "coloured",
        "the paper's coloured Gaussian noise; its (ε, δ) by label is refuted by "
        f"mixture.coloured_baseline_is_private: {QUARTILES}",
    ),
    "singular": (
        "R1SMG",
        "the paper's noise along one direction; its (ε, δ) by label is refuted by "
        f"mixture.singular_noise_is_private: {QUARTILES}",
    ),
    "laplace public": (
        "Laplace, public",
        "that noise for classes of 3 or more, a public number; its exact law is private by label "
        f"by mixture.laplace_noise_for_public_sizes_is_private: {QUARTILES}",
    ),
    "gaussian public": (
        "Gaussian, public",
        "that noise for classes of 3 or more, a public number; its exact law is private by label "
        f"by mixture.gaussian_noise_for_public_sizes_is_private: {QUARTILES}",
    ),
    "class": ("class", "class of the records"),
    "fitted_marginal": (
        "fitted",
        "mean ± standard deviation of the fitted law of the first feature; not private",
    ),
    "without privacy": ("no privacy", "accuracy of the fitted mixture; not private"),
    "true records": ("true records", "accuracy when trained on the records; not private"),
    "records of the fitted mixture": (
        "fitted",
        "accuracy when trained on records of the fitted mixture; not private",
    ),
}
VARIED = {
    "published": ("Algorithm 1", "of its release, whose (ε, δ) is refuted"),
    "laplace": ("Laplace", "of i.i.d. Laplace noise, whose (ε, 0) is refuted"),
    "gaussian": ("Gaussian", "of i.i.d. Gaussian noise, whose (ε, δ) is refuted"),
    "coloured": ("coloured", "of coloured noise on the means, whose (ε, δ) is refuted"),
    "label": ("label", "of private releases, one label hidden"),
    "synthetic": ("from-fitted", "of the same for synthetic records, divergence='from-fitted'"),
}
PREFIXES = {
    "": ("", "of this one run"),
    "paper": ("printed", "as the paper prints it"),
    "paper_private_k_means": ("DP k-means", "of private k-means, as the paper prints it"),
    "published": ("published", "of the paper's program, run again"),
    "private": ("private", "of PrivateModalClustering, whose (ε, δ) is proved"),
    "k_means": ("k-means", "of k-means, without privacy"),
}


def describe(column: str) -> tuple[str, str]:
    """Return the heading and the caption of a column.

    Raises
    ------
    KeyError
        If nothing says what it is.

    >>> describe("paper_ari")[0], describe("label reverse")[0]
    ('printed ARI', 'label, reverse')
    """
    if column in COLUMNS:
        return COLUMNS[column]
    if column.endswith(" reverse"):
        heading, caption = describe(column.removesuffix(" reverse"))
        return f"{heading}, reverse", f"{caption}; divergence from the fitted mixture"
    if column.endswith(" unclipped"):
        heading, caption = describe(column.removesuffix(" unclipped"))
        return f"{heading}, unclipped", f"{caption}; to the fit of the records as they are"
    prefix, _, measure = column.rpartition("_")
    if measure == "variation":
        heading, whose = VARIED[prefix]
        return heading, f"{VARIATION} (0 is best), {whose}: median [quartiles] over the seeds"
    short, whose = PREFIXES[prefix]
    heading, caption = MEASURES[measure]
    return f"{short} {heading}".strip(), f"{caption}, {whose}"


def captions(columns: Iterable[str]) -> dict[str, str]:
    """Return the caption of each column by name, in order; points of a picture have none."""
    return {name: describe(name)[1] for name in columns if not is_points(name)}


def is_points(column: str) -> bool:
    """Return whether a column holds points for the picture, and no number for a table."""
    return column.endswith("_points")
