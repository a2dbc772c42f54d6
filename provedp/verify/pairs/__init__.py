"""Neighbouring data sets: given, read, generated; whether they are adjacent."""
