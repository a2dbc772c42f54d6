"""HiGHS without its messages: the floating-point solver whose answers are hints."""

import highspy
import numpy as np
import scipy.sparse

from provedp.theory.arrays import Floats

__all__ = ["packed", "solver"]


class _Quiet(highspy.Highs):  # type: ignore[misc]
    """The constructor prints a banner when it enables callbacks, unless output is off by then."""

    def enableCallbacks(self) -> None:
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


def solver(**options: float | str) -> highspy.Highs:
    """Return a silent, single-threaded solver.

    Raises
    ------
    ValueError
        If HiGHS does not know an option or refuses its value.
    """
    result = _Quiet()
    for name, value in {"threads": 1, **options}.items():
        if result.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS refuses the option {name}={value!r}.")
    return result


def packed(
    objective: Floats,
    rows: scipy.sparse.csr_matrix,
    between: tuple[Floats, Floats],
    column_lower: Floats,
) -> highspy.HighsLp:
    """Return the program that maximises objective·x with rows·x `between` two vectors.

    Columns have the lower bounds `column_lower` and no upper bound.
    """
    matrix = scipy.sparse.csr_matrix(rows)
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = objective
    model.col_lower_ = column_lower
    model.col_upper_ = np.full(matrix.shape[1], np.inf)
    model.row_lower_, model.row_upper_ = between
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = matrix.indptr
    model.a_matrix_.index_ = matrix.indices
    model.a_matrix_.value_ = matrix.data
    return model
