"""The private mixture for synthetic records against one released covariance for all classes.

Four data sets of scikit-learn, standardised by their own moments (which is not private, and the
same for all methods); random halves of 70 and 30 %, δ = 1e-5. Each baseline is one Gaussian
mechanism with the same accounting: a tenth of μ² for counts, six tenths for sums, three tenths for
a covariance about the released centres, which is a scalar, a diagonal or a full matrix. A cell has
the median divergence from the fitted mixture in nats, and the share of the labels of the other
records that are right. `--quick` has ε = 1 and fewer seeds. The plans of the private mixture were
chosen with these data in view.
"""

import sys
from fractions import Fraction

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.mixture import LabelledMixture, PrivateMixture

BOUNDS = {"iris": 4.0, "wine": 5.5, "breast_cancer": 9.0, "digits": 5.0}
EPSILONS = (0.5, 1.0, 2.0, 5.0)
ADJACENCIES = ("label", "replace-one", "add-remove")
KINDS = ("scalar", "diagonal", "full")
SHARES = (0.1, 0.6, 0.3)  # counts, sums, covariance
DELTA = "1e-5"
SEEDS = 9


def data(name: str):
    """Return features and labels."""
    features, labels = getattr(datasets, f"load_{name}")(return_X_y=True)
    deviations = features.std(axis=0)
    features = (features - features.mean(axis=0)) / np.where(deviations > 0, deviations, 1)
    if name == "digits":
        features = PCA(10, random_state=0).fit_transform(features)
        features /= features.std()
    return features, labels


def fitted(features, labels) -> LabelledMixture:
    """Return the mixture without privacy."""
    parts = [features[labels == k] for k in range(labels.max() + 1)]
    small = 1e-6 * np.eye(features.shape[1])
    return LabelledMixture(
        tuple(range(len(parts))),
        np.array([len(part) for part in parts]) / len(labels),
        np.stack([part.mean(axis=0) for part in parts]),
        np.stack([np.cov(part.T) + small for part in parts]),
    )


def clipped(points, bound: float):
    """Return rows of length at most `bound`."""
    return points * np.minimum(1, bound / np.linalg.norm(points, axis=1, keepdims=True))


def baseline(features, labels, bound: float, epsilon: float, kind: str, adjacency: str, rng):
    """Return what one Gaussian mechanism releases."""
    budget = float(gaussian_budget(ratio_below(epsilon), Fraction(DELTA)))
    classes, (records, dimension) = labels.max() + 1, features.shape
    moved = 1 if adjacency == "add-remove" else 2
    sums = 4 if adjacency == "replace-one" else moved
    noise = [np.sqrt(n / (s * budget)) for n, s in zip((moved, sums, moved), SHARES, strict=True)]
    features = clipped(features, bound)
    sizes = np.bincount(labels, minlength=classes) + rng.normal(0, noise[0], classes)
    sizes = np.maximum(sizes, records / classes / 10)
    totals = np.stack([features[labels == k].sum(axis=0) for k in range(classes)])
    centres = (totals + rng.normal(0, bound * noise[1], totals.shape)) / sizes[:, None]
    centres = clipped(centres, bound)
    left = clipped(features - centres[labels], bound)
    scale, floor = bound**2 * noise[2], (bound / 60) ** 2
    if kind == "scalar":
        square = (left**2).sum() + rng.normal(0, bound**2 / np.sqrt(SHARES[2] * budget))
        one = max(square / records / dimension, floor) * np.eye(dimension)
    elif kind == "diagonal":
        squares = (left**2).sum(axis=0) + rng.normal(0, scale, dimension)
        one = np.diag(np.maximum(squares / records, floor))
    else:
        entries = rng.normal(size=(dimension, dimension))
        noisy = (left.T @ left + scale * (entries + entries.T) / 2) / records
        values, vectors = np.linalg.eigh(noisy)
        one = (vectors * np.maximum(values, floor)) @ vectors.T
    return LabelledMixture(
        tuple(range(classes)), sizes / sizes.sum(), centres, np.stack([one] * classes)
    )


def cell(name: str, adjacency: str, epsilon: float, seeds: int) -> str:
    """Return a row of the table."""
    features, labels = data(name)
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(labels))
        seen, unseen = np.split(order, [int(0.7 * len(order))])
        true = fitted(features[seen], labels[seen])
        private = PrivateMixture(
            epsilon,
            DELTA,
            bound=BOUNDS[name],
            classes=range(labels.max() + 1),
            adjacency=adjacency,
            divergence="from-fitted",
            records=len(seen),
            random_state=seed,
        )
        models = {"private": private.fit(features[seen], labels[seen]).mixture_}
        given = (features[seen], labels[seen], BOUNDS[name], epsilon)
        models |= {kind: baseline(*given, kind, adjacency, rng) for kind in KINDS}
        for method, model in models.items():
            right = float((np.array(model.predict(features[unseen])) == labels[unseen]).mean())
            found.setdefault(method, []).append((true.kl_to(model), right))
    nats = {method: float(np.median([n for n, _ in each])) for method, each in found.items()}
    right = {method: float(np.mean([r for _, r in each])) for method, each in found.items()}
    ratio = nats["private"] / min(nats[kind] for kind in KINDS)
    shown = "".join(f"{nats[method]:9.3g} {right[method]:.2f}" for method in found)
    return f"{name:<14} {adjacency:<12} {epsilon:4g} {ratio:6.2f}{shown}"


def main() -> None:
    """Print the table."""
    quick = "--quick" in sys.argv
    heads = "".join(f"{head:>9}     " for head in ("private", *KINDS))
    print(f"{'data':<14} {'adjacency':<12} {'ε':>4} {'ratio':>6}{heads}")
    for name in BOUNDS:
        for adjacency in ADJACENCIES[:1] if quick else ADJACENCIES:
            for epsilon in EPSILONS[1:2] if quick else EPSILONS:
                print(cell(name, adjacency, epsilon, 3 if quick else SEEDS), flush=True)


if __name__ == "__main__":
    main()
