"""The machine-checked core, built: the proof assistant run, its answers recorded."""
