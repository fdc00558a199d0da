a = ...  # positions
b = ...  # pair
c = ...  # column
