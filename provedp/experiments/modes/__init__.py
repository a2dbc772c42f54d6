"""Tables and figures of the modes paper: what is printed, run again, and private.

A pair in a row is a mean with its standard error. "published" columns come from releases whose
claims are refuted; lower bounds on what they really spend stand beside them.
"""
