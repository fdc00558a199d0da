letters = "".join(order) if isinstance(order, (str, list, tuple)) else ""
print("letters:", len(letters), " each once:", sorted(letters) == list("abcdef"))
