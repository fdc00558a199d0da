"""Names the mistake that made a table, a matrix or a number.

- :func:`diagnose` judges a table, or the function that makes it.
- :func:`diagnose_offset` judges a matrix that is to move every row by k.
- :func:`diagnose_number` judges a number that answers a question of the book, and
  :func:`check_answer` prints what there is to say to an answer of any kind.

It never guesses: what is not known is described by properties.

- :mod:`pe_lab.diagnosis.recipe` is the formula as six parts, :mod:`~pe_lab.diagnosis.mistakes` what
  may stand in their place, and :mod:`~pe_lab.diagnosis.conventions` what others put there on
  purpose.
- :mod:`~pe_lab.diagnosis.reading` reads what is handed in, :mod:`~pe_lab.diagnosis.matching` and
  :mod:`~pe_lab.diagnosis.fitting` find the recipe of it, :mod:`~pe_lab.diagnosis.properties` says
  what can be said of the rest.
- :mod:`~pe_lab.diagnosis.questions` reads the book's questions, each with its foreseen answers.
"""

from pe_lab.diagnosis.asking import check_answer
from pe_lab.diagnosis.offset import diagnose_offset
from pe_lab.diagnosis.questions import diagnose_number
from pe_lab.diagnosis.result import Diagnosis
from pe_lab.diagnosis.table import diagnose

__all__ = ["Diagnosis", "check_answer", "diagnose", "diagnose_number", "diagnose_offset"]
