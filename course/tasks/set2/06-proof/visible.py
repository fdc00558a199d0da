written = "".join(order) if isinstance(order, (str, list, tuple)) else ""
letters = [sign for sign in written.lower() if sign.isalpha()]
print("letters:", len(letters), " each once:", sorted(letters) == list("abcdef"))
