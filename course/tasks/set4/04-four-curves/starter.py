from pe_lab.figures import new_figure, style

scores = {
{%- for letter, lines in curves.items() %}
    "{{ letter }}": """
    {%- for line in lines %}
        {{ line }}
    {%- endfor %}
    """,
{%- endfor %}
}
offsets = range(-{{ furthest }}, {{ furthest }} + 1)
figure = new_figure(9.0, width=8.0)
with style():
    for ax, (name, line) in zip(figure.subplots(4), scores.items()):
        ax.plot(offsets, [*map(int, line.split())], ".-", linewidth=1)
        ax.set_title(name)
        ax.set_xticks(range(-45, 46, 5))
        ax.grid(alpha=0.4)
    ax.set_xlabel("offset from query to key")

which = "...."
aim = ...
together = ...
clip = ...
place = ...

figure
