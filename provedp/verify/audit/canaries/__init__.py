"""Audits from one run: coins of canaries, guesses about them, and what right guesses refute."""
