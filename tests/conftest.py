"""Generated examples are the same in every run: a failure is a change of the code."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

collect_ignore = ["benchmarks"]  # scripts, some for environments of their own
