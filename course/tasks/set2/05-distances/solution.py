omega = [{{ base }} ** (-2 * i / {{ d_model }}) for i in range({{ d_model // 2 }})]
s = sum(math.cos(({{ q }} - {{ p }}) * each) for each in omega)
a = {{ factor }} * math.sqrt({{ d_model }} / 2)
b = {{ factor }} ** 2 * s
c = {{ factor }} * math.sqrt({{ d_model }} - 2 * s)
