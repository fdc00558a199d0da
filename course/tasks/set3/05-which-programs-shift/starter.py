import torch

from pe_core import sinusoidal_table


def accepts(program):
    ...
