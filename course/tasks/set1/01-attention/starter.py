a = [..., ..., ...]  # three dot products
b = [..., ..., ...]  # three weights
c = [..., ...]  # the output
