"""Synthetic records of DataSynthesizer (PrivBayes), in the environment of private_kmeans.py.

    ELSEWHERE/bin/python tests/benchmarks/peers/private_synthetic.py < JOBS

Reads a JSON list of jobs with points, box, bins (for each column), epsilon and seed. Writes as many
synthetic records for each job, as JSON. The ranges are those of the public box; of one column there
is no network, and its noisy histogram alone is drawn from.
"""

import contextlib
import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np


def synthetic(job: dict[str, Any], folder: Path) -> list[list[float]]:
    """Return the records of a job."""
    import pandas as pd  # neither is there where this file's examples are looked for
    from DataSynthesizer.DataDescriber import DataDescriber
    from DataSynthesizer.DataGenerator import DataGenerator

    points = np.clip(np.array(job["points"]), *np.array(job["box"]).T)
    names = [f"x{i}" for i in range(points.shape[1])]
    data, description = folder / "data.csv", folder / "description.json"
    pd.DataFrame(points, columns=names).to_csv(data, index=False)
    describer = DataDescriber(histogram_bins=job["bins"], category_threshold=0)
    settings = {
        "epsilon": job["epsilon"],
        "seed": job["seed"],
        "attribute_to_datatype": dict.fromkeys(names, "Float"),
        "numerical_attribute_ranges": dict(zip(names, job["box"], strict=True)),
    }
    generator = DataGenerator()
    if len(names) == 1:
        describer.describe_dataset_in_independent_attribute_mode(str(data), **settings)
        draw = generator.generate_dataset_in_independent_mode
    else:
        describer.describe_dataset_in_correlated_attribute_mode(
            str(data), k=len(names) - 1, **settings
        )
        draw = generator.generate_dataset_in_correlated_attribute_mode
    describer.save_dataset_description_to_file(str(description))
    draw(len(points), str(description), seed=job["seed"])
    found: list[list[float]] = generator.synthetic_dataset[names].to_numpy(float).tolist()
    return found


def main() -> None:
    """Answer the jobs."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        found = [synthetic(job, Path(folder)) for job in json.load(sys.stdin)]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
