"""What a mechanism spends as it is run: replays on neighbours with noisy numbers forced."""
