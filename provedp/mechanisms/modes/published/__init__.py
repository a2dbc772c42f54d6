"""The releases of the modes paper as published: for study, without a guarantee."""
