"""The exercises, a module for each lesson (two where there are many)."""
