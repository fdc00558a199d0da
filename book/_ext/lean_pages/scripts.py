"""The theme's scripts, made to look at less of the page at every key and click.

They search the whole page, thousands of elements, for what a click or a key could be meant for, a
dozen times over. The same is asked here of the element that was clicked, and where it matters.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# By script: what stands in it, once, and what says the same in less time.
SHORTER = {
    # Bootstrap's delegation: is the target, or what it is in, one of those the handler is for?
    "bootstrap.js": {
        "const o=t.querySelectorAll(e);for(let{target:r}=s;r&&r!==this;r=r.parentNode)"
        "for(const a of o)if(a===r)return": (
            "for(let{target:r}=s;r&&r!==this;r=r.parentNode)if(r.matches?.(e))return"
        ),
    },
    # The field of the search, which only Escape needs.
    "pydata-sphinx-theme.js": {
        "let t=g();e.shiftKey": "e.shiftKey",
        "document.activeElement===t&&/Escape/i.test(e.key)": (
            "/Escape/i.test(e.key)&&document.activeElement===g()"
        ),
    },
}


def setup(app: Sphinx) -> None:
    app.connect("build-finished", shorten_scripts)


def shorten_scripts(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    for name in SHORTER:
        path = Path(app.outdir) / "_static" / "scripts" / name
        path.write_text(shorter(name, path.read_text(encoding="utf-8")), encoding="utf-8")


def shorter(name: str, script: str) -> str:
    """A script of the theme, with the long ways in it replaced; one done before is left alone."""
    for long, short in SHORTER[name].items():
        if script.count(long) == 1:
            script = script.replace(long, short)
        elif long in script or short not in script:
            raise ExtensionError(f"{name} is another than was expected: it should have {long!r}")
    return script
