"""Print the built book: ``python -m tools.pdf`` writes dist/pdf/, one PDF for each edition.

Names of editions after it restrict it to those: students, teachers.
"""

from __future__ import annotations

import sys

from tools.chapters import NO_BOOK
from tools.serve import BOOK
from web.chromium import chromium

from .document import document
from .editions import EDITIONS
from .pages import ROOT
from .printing import finished, with_page_numbers

PDF = ROOT / "dist" / "pdf"


def main(names: list[str]) -> int:
    editions = {edition.name: edition for edition in EDITIONS}
    if unknown := sorted(set(names) - set(editions)):
        print(f"no such edition: {', '.join(unknown)}; there are: {', '.join(editions)}")
        return 2
    if not BOOK.is_dir():
        print(NO_BOOK)
        return 1
    PDF.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for name in names or editions:
            made = document(editions[name])
            path = PDF / f"positional-encoding.{name}.pdf"
            path.write_bytes(finished(with_page_numbers(browser, made.html), made))
            print(path.relative_to(ROOT), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
