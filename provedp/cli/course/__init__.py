"""The commands of the course, a module for each."""
