"""A class: submissions that are run and graded, handouts, and the teacher's edition."""
