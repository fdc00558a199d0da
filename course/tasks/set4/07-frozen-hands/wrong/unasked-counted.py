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


def right(turning):
    """The share of right answers, where the pairs of this list turn."""
    columns = [c for i in turning for c in (2 * i, 2 * i + 1)]
    frozen = table[0].repeat(32, 1)
    frozen[:, columns] = table[:, columns]
    hits = answered(frozen) == answers
    return hits.double().mean().item()  # the first three have nobody three back


fast = right(range({{ count }}))
slow = right(range({{ count }}, 32))
all_but_one = right(range(1, 32))
