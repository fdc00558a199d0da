order = "{{ right }}"
