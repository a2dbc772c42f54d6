"""The least error of a private release of a count, plain or behind a channel."""
