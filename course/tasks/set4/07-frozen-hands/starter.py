import torch

from pe_core import sinusoidal_table
from pe_lab.tasks import copy_back
from pe_lab.weights import trained

model, _ = trained("{{ model }}")
generator = torch.Generator().manual_seed({{ seed }})
words, answers = copy_back(generator, 256, 32, k=3)  # (256, 32) each
table = sinusoidal_table(32, 64)  # (32, 64)


@torch.no_grad()
def answered(table):
    """The model's answers with this table: (256, 32)."""
    x = model.embedding(words) + table
    for layer in model.layers:
        x = layer(x, model.encoding, None, None)
    return model.answer(model.norm(x)).argmax(dim=-1)


fast = ...
slow = ...
all_but_one = ...
