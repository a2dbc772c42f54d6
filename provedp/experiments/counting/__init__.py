"""The figures of the counting paper, with exact or certified values."""
