"""Design problems of the mixture paper, solved to check what it says of them."""
