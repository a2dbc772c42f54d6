"""Features of outputs that are no plain vectors: what they are, where they are, in words."""
