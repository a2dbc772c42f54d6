"""The privacy of a mechanism that sees a random sample of the records."""
