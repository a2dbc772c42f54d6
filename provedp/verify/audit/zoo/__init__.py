"""Small mechanisms with known privacy: correct ones, wrong ones, and wrong ones that shipped."""
