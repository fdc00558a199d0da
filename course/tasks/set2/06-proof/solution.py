order = "{{ order }}"
