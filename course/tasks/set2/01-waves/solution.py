a = 2 * math.pi * {{ base }} ** (2 * {{ i }} / {{ d_model }})
b = {{ length }} / a
c = next(n for n in range({{ d_model // 2 }}) if 2 * math.pi * {{ base }} ** (2 * n / {{ d_model }}) > {{ length }})
d = 2 * math.pi * {{ base }} ** ({{ d_model - 2 }} / {{ d_model }})
