a = [..., ..., ...]  # three dot products
b = [..., ..., ...]  # three weights
c = [..., ...]  # the output
d = [..., ..., ..., ..., ..., ...]  # rows and columns of the three matrices
