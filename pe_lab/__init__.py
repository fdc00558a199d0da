"""What looks at an encoding: figures, live figures, what it is compared with, attention, mistakes.

- :mod:`pe_lab.figures` draws tensors with matplotlib.
- :mod:`pe_lab.explorers` are the live figures.
- :mod:`pe_lab.candidates` holds the simple ideas, and the properties they are judged by.
- :mod:`pe_lab.diagnosis` names the mistake that made a table, a matrix or a number.
- :mod:`pe_lab.attention` is the little of attention that the chapters need.
- :mod:`pe_lab.encodings` is the family: what else says where a word stands, and where it acts.
- :mod:`pe_lab.model` is a small Transformer, :mod:`pe_lab.tasks` what it learns,
  :mod:`pe_lab.training` how, and :mod:`pe_lab.weights` what was trained for the chapters.
- :mod:`pe_lab.shifts` compares what a head has learned with the matrices M_k.
"""
