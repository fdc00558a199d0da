if order is ...:
    print("there is no answer yet")
else:
    print("letters:", len(order), " each once:", sorted(order) == list("abcdef"))
