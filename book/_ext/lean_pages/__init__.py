"""Pages that a phone opens at once: nothing is fetched from elsewhere, and little from here.

What a stock page of this theme loads, and what is done with it here:

- MathJax from a CDN: the maths is rendered while building (``maths``);
- ten style sheets, 0.5 MB: one, cut to the rules that some page uses (``styles``);
- ``fontawesome.js``, 1.5 MB: the dozen icons that the pages show, as a font of 3 kB (``icons``);
- scripts of thebe, which this book does not use, and the whole search index: left out;
  all others are deferred (``scripts``);
- images of unknown size, which shift the text when they arrive: each states its size
  (``images``);
- a tag around every word of code: around those that have a colour of their own (``code``).
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import article, citations, code, images, maths, scripts, styles


def setup(app: Sphinx) -> dict[str, Any]:
    maths.setup(app)
    scripts.setup(app)
    styles.setup(app)
    images.setup(app)
    citations.setup(app)
    article.setup(app)
    code.setup(app)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
