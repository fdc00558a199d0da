"""nbgrader's settings for the problem sets.

It stands in the course's own folder (``dist/sets``, or wherever you copied it), beside ``source``,
``release`` and a copy of ``course``, from which it marks. Settings of your own go at the end.
"""

import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# nbgrader calls alembic by its name, which stands beside this Python.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# nbgrader 0.9.6 with SQLAlchemy 2.1: they warn of nothing that a marker could act on.
warnings.filterwarnings("ignore", message="Object of type <Submitted")

# Only now: what is imported finds the folder and the path that were set above.
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor  # noqa: E402
from nbgrader.preprocessors import (  # noqa: E402
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    ComputeChecksums,
    DeduplicateIds,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

from course.sets.nbgrading import (  # noqa: E402
    Examine,
    Feedback,
    Grades,
    Release,
    Restore,
    markdown2html,
)

# Whoever reads a file of settings for Jupyter gives it this function.
c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = "positional-encoding"

c.GenerateAssignment.preprocessors = [
    Release,
    LockCells,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ComputeChecksums,
    CheckCellMetadata,
]
c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    DeduplicateIds,
    Restore,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Examine,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [Grades, CSSHTMLHeaderPreprocessor]
c.GenerateFeedback.exporter_class = Feedback
# Of the page, too, on which a person marks.
c.HTMLExporter.filters = {"markdown2html": markdown2html}
