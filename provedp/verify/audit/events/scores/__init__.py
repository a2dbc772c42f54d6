"""Scores of an output, of whose extreme values an event is made."""
