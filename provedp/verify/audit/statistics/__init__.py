"""What counts show: exact tests, joint regions, betting, power."""
