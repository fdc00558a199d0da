a = {{ products }}
e = [math.exp(product / math.sqrt(2)) for product in a]
b = [each / sum(e) for each in e]
c = [sum(w * v for w, v in zip(b, column)) for column in zip(*{{ V }})]
d = [{{ length }}, {{ vocabulary }}, {{ vocabulary }}, {{ width }}, {{ length }}, {{ width }}]
