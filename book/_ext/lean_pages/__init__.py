"""Pages that a phone opens at once: nothing is fetched from elsewhere, and little from here.

``_config.yml`` names the extensions that the book uses, so that no other leaves anything in a
page. What remains of the theme's weight is lifted here:

- MathJax from a CDN: the maths is rendered while building (``maths``), and written short
  (``formulas``, ``looks``), for it was half of every page;
- ten style sheets, 0.5 MB: one, cut to the rules that some page uses, and fonts, cut to the
  characters (``styles``);
- ``fontawesome.js``, 1.5 MB, and ``bootstrap.js``, which looks through the whole page at every
  click and key, for the sake of a menu: no page names them, and ``static/bar.js`` has the menu
  (beside it, ``focus.js`` and ``paper.js`` mend what the theme does to the keyboard and on paper);
- scripts that hold up a page's first sight: the templates name none before the page is there
  (``book/_templates``);
- images of unknown size, which shift the text when they arrive, and a tag around every word of
  code: each finished page is parsed once and written shorter (``pages``).
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import maths, styles


def setup(app: Sphinx) -> dict[str, Any]:
    # Jupyter Book sets this option of sphinx_comments even where the book does not load it.
    app.add_config_value("comments_config", {}, "", [dict])
    for name in ("bar.js", "focus.js", "paper.js"):
        app.add_js_file(name)
    # The template leaves out the theme's scripts; this is all of them that is the theme's own.
    app.add_js_file("scripts/pydata-sphinx-theme.js")
    maths.setup(app)
    styles.setup(app)
    return {"version": "1.0", "parallel_read_safe": True, "parallel_write_safe": True}
