"""What is checked of an answer: values, tables, pairs of distributions, functions of students."""
