"""Arrays of machine numbers, by the names that annotations use; exact ones are in `matrices`."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
