"""Events that tell two data sets apart, learned from runs that are not counted."""
