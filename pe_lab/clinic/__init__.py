"""The bug clinic: defective programs as they were met, what each test shows of them, and a trial.

- :mod:`pe_lab.clinic.patients`: the defective programs, each with its mistake and its place.
- :mod:`~pe_lab.clinic.healthy`: six right programs in different styles.
- :mod:`~pe_lab.clinic.examinations`: five tests of a table.
- :func:`try_test` runs a test of yours on all of the programs.
"""

from pe_lab.clinic.healthy import RIGHT_PROGRAMS
from pe_lab.clinic.patients import PATIENTS, Patient
from pe_lab.clinic.trial import Trial, try_test

__all__ = ["PATIENTS", "RIGHT_PROGRAMS", "Patient", "Trial", "try_test"]
