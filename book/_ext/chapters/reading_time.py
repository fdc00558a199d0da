"""``time``: the minutes that the page takes; and the list of them, when the book is built."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from .counting import Effort, count, heading

# In a page's metadata: what there is to read in each of its sections, by their ids, and in all
# of it, under "".
KEY = "efforts"


class reading_time(nodes.General, nodes.Element):
    """The place of the page's minutes, until the page is read."""


class TimeDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        place = reading_time()
        self.set_source_info(place)
        return [place]


def count_page(app: Sphinx, document: nodes.document) -> None:
    """Count the page when it has been read, and say its minutes where it asks for them."""
    efforts = {"": count(document)}
    for section in document.findall(nodes.section):
        names = {*section["ids"], section.get("slug", "")} - {""}
        efforts |= dict.fromkeys(names, count(section))
    app.env.metadata[app.env.docname][KEY] = efforts
    has_more = any(heading(section) == "More" for section in document.findall(nodes.section))
    for place in list(document.findall(reading_time)):
        end_line_before(place)
        place.replace_self(sentence(efforts[""], has_more=has_more))


def end_line_before(place: reading_time) -> None:
    """Take away the backslash of a line that was to be followed by the time's."""
    if not (at := place.parent.index(place)):
        return
    before = place.parent[at - 1]
    last = before[-1] if isinstance(before, nodes.paragraph) and before.children else None
    if isinstance(last, nodes.Text) and last.astext().endswith("\\"):
        before.replace(last, nodes.Text(last.astext().rstrip("\\").rstrip()))


def sentence(effort: Effort, *, has_more: bool) -> nodes.paragraph:
    minutes = effort.printed_minutes
    apart = "exercises and More apart" if has_more else "exercises apart"
    words = f" {minutes} minute{'s' if minutes != 1 else ''}, {apart}."
    return nodes.paragraph(
        "", "", nodes.strong("", "Time"), nodes.Text(words), classes=["reading-time"]
    )


def required_chapters(env: BuildEnvironment) -> list[str]:
    """The numbered pages, in the order of the table of contents."""
    pages = env.toctree_includes.get(env.config.root_doc, [])
    return [page for page in pages if any((env.toc_secnumbers.get(page) or {}).values())]


def print_times(app: Sphinx, exception: Exception | None) -> None:
    """What the chapters take, on every build that succeeds, a quiet one too."""
    pages = required_chapters(app.env)
    if exception or not pages:
        return
    efforts = [app.env.metadata[page][KEY][""] for page in pages]
    print("\n".join(["", *table(pages, efforts)]))


def table(names: list[str], efforts: list[Effort]) -> list[str]:
    """One line for each page and one for all of them."""
    width = max(map(len, [*names, "together"]))
    all_of_them = sum(efforts, Effort())
    printed = [effort.printed_minutes for effort in efforts]
    return [
        f"{'':<{width}}  {'minutes':<12}   words  code  questions  figures",
        *(
            f"{name:<{width}}  {minutes:>3} {f'({effort.minutes:.1f})':<8}"
            f"  {effort.words:>6}  {effort.code_lines:>4}  {effort.questions:>9}"
            f"  {effort.figures:>7}"
            for name, minutes, effort in zip(
                [*names, "together"],
                [*printed, sum(printed)],
                [*efforts, all_of_them],
                strict=True,
            )
        ),
    ]


def setup(app: Sphinx) -> None:
    app.add_directive("time", TimeDirective)
    app.connect("doctree-read", count_page)
    app.connect("build-finished", print_times)
