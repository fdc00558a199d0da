assert sorted(order) == list("abcdef"), "order has the six letters, each once"
print("Six letters, each once. Whether the order is right, the marking says.")
