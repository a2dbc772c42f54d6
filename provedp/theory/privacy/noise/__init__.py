"""The privacy of added noise: Laplace, Gaussian, Wishart, discrete and truncated."""
