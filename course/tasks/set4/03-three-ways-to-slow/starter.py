import math

import torch


def slowed(d, base, way, factor, trained):
    ...
