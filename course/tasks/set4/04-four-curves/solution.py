which = "{{ which }}"
aim = {{ aim }}
together = {{ together }}
clip = {{ clip }}
place = {{ place }}
