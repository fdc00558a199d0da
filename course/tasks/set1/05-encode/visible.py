from pe_lab.diagnosis import diagnose

# Looks at the table with base 10000 from position 0, and at nothing else.
print(diagnose(encode))
