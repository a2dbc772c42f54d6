"""Tables of the modes paper: what is printed, what its program gives, and what privacy gives.

A pair in a row is a mean with its standard error. "published" columns come from releases whose
claims are refuted; lower bounds on what they really spend stand beside them. Tables 8 and 9 need
data that do not come with this project.
"""

from provedp.experiments.modes.clusters import table1, table6, table7
from provedp.experiments.modes.peaks import table2, table3
from provedp.experiments.modes.regressions import table4, table5

FIGURES = {
    "modes.table1": table1,
    "modes.table2": table2,
    "modes.table3": table3,
    "modes.table4": table4,
    "modes.table5": table5,
    "modes.table6": table6,
    "modes.table7": table7,
}
