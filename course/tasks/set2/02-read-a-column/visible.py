import matplotlib.pyplot as plt

column = {{ values }}

figure, axes = plt.subplots(figsize=(9, 3))
axes.plot(column, "o-", markersize=3)
axes.set_xlabel("position")
axes.set_xticks(range(0, {{ length }}, 5))
axes.grid(alpha=0.4)
plt.show()
