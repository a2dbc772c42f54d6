"""Runs of a target: how many, by whom, kept where, and whether they are independent."""
