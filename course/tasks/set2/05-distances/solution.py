omega = [{{ base }} ** (-2 * i / {{ d_model }}) for i in range({{ d_model // 2 }})]
s = sum(math.cos(({{ q }} - {{ p }}) * each) for each in omega)
a = {{ factor }} * math.sqrt({{ d_model }} / 2)
b = {{ factor }} ** 2 * s
c = {{ factor }} * math.sqrt({{ d_model }} - 2 * s)
product = [sum(math.cos(k * each) for each in omega) for k in range({{ least + 7 }})]
d = max(range({{ least }}, {{ least + 6 }}), key=lambda k: product[k + 1] - product[k])
