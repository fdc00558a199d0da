"""Live figures: each a small Python class and one ES module.

In a running notebook an explorer is an ipywidget: its settings are traits, and ``encoding`` is the
torch tensor behind the figure. On a built page the same module runs without a kernel.
"""

from pe_lab.explorers.build import BuildExplorer
from pe_lab.explorers.clinic import ClinicExplorer
from pe_lab.explorers.clock import ClockExplorer
from pe_lab.explorers.counter import CounterExplorer
from pe_lab.explorers.family import FamilyExplorer
from pe_lab.explorers.head import HeadExplorer
from pe_lab.explorers.heatmap import HeatmapExplorer
from pe_lab.explorers.model import ModelExplorer
from pe_lab.explorers.offset import OffsetExplorer
from pe_lab.explorers.order import OrderExplorer
from pe_lab.explorers.similarity import SimilarityExplorer

__all__ = [
    "BuildExplorer",
    "ClinicExplorer",
    "ClockExplorer",
    "CounterExplorer",
    "FamilyExplorer",
    "HeadExplorer",
    "HeatmapExplorer",
    "ModelExplorer",
    "OffsetExplorer",
    "OrderExplorer",
    "SimilarityExplorer",
]
