"""The privacy of choices: noisy max, sparse vectors, thresholds, randomised responses."""
