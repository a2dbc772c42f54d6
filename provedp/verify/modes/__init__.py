"""Checks of the modes paper: sensitivities of score fields, and experiments on finding modes."""
