"""The papers' experiments on data that anyone has, with each method's true privacy beside it."""
