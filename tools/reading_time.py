"""The minutes that chapters take, with their parts, without building the book.

``python -m tools.reading_time [03_step_by_step …]``: the pages named, or all chapters. They are
read by Sphinx with the book's configuration and counted by the same function as in the build
(``book/_ext/chapters/counting.py`` has the rules); nothing is written.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from jupyter_book.config import get_final_config
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from tools.chapters import chapters

ROOT = Path(__file__).resolve().parent.parent

# The rest of the book's extensions work on pages that are written.
READING = (
    "myst_nb",
    "sphinx_exercise",
    "sphinx_proof",
    "sphinxcontrib.bibtex",
    "live_figures",
    "chapters",
    "asking",
)
READ_BY = ("myst_", "nb_", "bibtex_", "numfig", "live_figures_", "asking_", "exclude_patterns")


def efforts(paths: list[Path]) -> dict[str, Any]:
    """What there is to read in each notebook."""
    config, _ = get_final_config(
        user_yaml=ROOT / "_config.yml", cli_config={"latex_individualpages": False}
    )
    names = [path.relative_to(ROOT).with_suffix("").as_posix() for path in paths]
    config = {name: value for name, value in config.items() if name.startswith(READ_BY)}
    config.update(
        extensions=list(READING),
        include_patterns=[f"{name}.ipynb" for name in names],
        root_doc=names[0],
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        patch_docutils(),
        docutils_namespace(),
    ):
        app = Sphinx(
            srcdir=ROOT,
            confdir=None,
            outdir=Path(folder) / "out",
            doctreedir=Path(folder) / "doctrees",
            buildername="dummy",
            confoverrides=config,
            status=None,
            warning=None,  # the build says what is wrong with a page
        )
        app.builder.read()
        from chapters.reading_time import KEY

        return {name: app.env.metadata[name][KEY][""] for name in names}


def main(names: list[str]) -> int:
    found = efforts(chapters(names))
    from chapters.reading_time import table

    print("\n".join(table(list(found), list(found.values()))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
