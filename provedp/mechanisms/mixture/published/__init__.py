"""The release of the mixture paper and its rivals as published: for study, without a guarantee."""
