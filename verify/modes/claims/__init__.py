"""The claims of the modes paper, in its order."""

MODULES: tuple[str, ...] = ("private",)
