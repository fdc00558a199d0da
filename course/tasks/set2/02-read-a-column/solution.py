a, b, c = {{ wave }}, {{ pair }}, {{ column }}
