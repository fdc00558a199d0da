a = {{ base }} ** ({{ column }} / {{ d_model }})
b = math.sin({{ position }} / a)
c = math.cos(({{ start }} + {{ row }}) / a)
d = {{ word }} + b
