"""A Gaussian mixture whose guarantee holds, step by step."""
