"""Writes the decks: a page each, with what they load beside them, and an index of all."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from lean_pages.looks import name_looks
from lean_pages.pages import CODE_WORD, PLAIN_CODE, element, image_size
from live_figures.figures import live_figure
from live_figures.links import live_link
from selectolax.lexbor import LexborHTMLParser
from sphinx.builders.html import StandaloneHTMLBuilder

from web.node import NODE_MODULES

from .cutting import Slide, cut
from .decks import Deck, Part, all_decks, carrying_questions, stem, time_plan
from .texts import Texts, words_of

HERE = Path(__file__).parent
REVEAL = NODE_MODULES / "reveal.js" / "dist"
KATEX = NODE_MODULES / "katex" / "dist"
TEXT_FONT = NODE_MODULES / "@fontsource" / "source-serif-4"
TEXT_CUTS = ("400-normal", "400-italic", "600-normal")

# What a deck loads, in its order; they stand together in _static.
SHEETS = ("reveal.css", "katex.min.css", "pygments.css", "formulas.css", "live_figures.css")
COPIED = (
    REVEAL / "reveal.css",
    REVEAL / "reveal.js",
    REVEAL / "plugin" / "notes.js",
    KATEX / "katex.min.css",
    HERE.parent / "lean_pages" / "static" / "formulas.css",
    HERE.parent / "live_figures" / "static" / "live_figures.css",
    HERE.parent / "live_figures" / "static" / "live_figures.js",
    HERE / "static" / "slides.css",
    HERE / "static" / "slides.js",
)

# Attributes that name an element of the page, and those that name a model.
NAMES = ("id", "aria-labelledby", "aria-describedby", "for", "data-figure")
MODEL = re.compile(r'"IPY_MODEL_')

TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class SlidesBuilder(StandaloneHTMLBuilder):
    """``-b slides``: one page for each deck, from the documents that the pages are made from."""

    name = "slides"
    epilog = "The slides are in %(outdir)s."
    allow_parallel = False
    search = False

    def get_outdated_docs(self) -> Iterator[str]:
        return iter(self.env.found_docs)

    def write(self, *_: object, **__: object) -> None:
        self.prepare_writing(set())
        self.imgpath = self.imagedir
        decks = all_decks(self.env)
        docnames = dict.fromkeys(part.docname for deck in decks for part in deck.parts)
        chapters = {docname: self.chapter(docname) for docname in docnames}
        self.front = self.front_words()
        counts = {deck.name: self.write_deck(deck, chapters) for deck in decks}
        self.write_page("index.html", "index.html", decks=decks, counts=counts)

    def finish(self) -> None:
        self.copy_image_files()
        static = Path(self.outdir) / "_static"
        (static / "fonts").mkdir(parents=True, exist_ok=True)
        for path in COPIED:
            shutil.copyfile(path, static / path.name)
        shutil.copyfile(REVEAL.parent / "LICENSE", static / "reveal-LICENSE.txt")
        for path in (KATEX / "fonts").glob("*.woff2"):
            shutil.copyfile(path, static / "fonts" / path.name)
        for name in TEXT_CUTS:
            file = f"source-serif-4-latin-{name}.woff2"
            shutil.copyfile(TEXT_FONT / "files" / file, static / "fonts" / file)
        shutil.copyfile(TEXT_FONT / "LICENSE", static / "fonts" / "source-serif-4-LICENSE.txt")
        style = self.highlighter.get_stylesheet()
        (static / "pygments.css").write_text(style, encoding="utf-8")

    # A chapter

    def chapter(self, docname: str) -> list[dict[str, Any]]:
        """The slides of a chapter, rendered."""
        document = self.env.get_doctree(docname)
        cells = nbformat.read(self.env.doc2path(docname), as_version=4).cells
        slides = cut(document, cells, Texts(self.env, docname, document))
        question = carrying_questions(self.env).get(docname)
        if question is not None:
            words = [each.deepcopy() for each in question.children]
            slides[0].blocks.insert(0, nodes.container("", *words, classes=["carries"]))
        self.resolve(document, docname, slides)
        self.current_docname = docname
        self.fignumbers = self.env.toc_fignumbers.get(docname, {})
        self.secnumbers = {}
        return [self.rendered(document, slide) for slide in slides]

    def front_words(self) -> str:
        """The question of the book, which the front page has for a slide; lessons begin with it."""
        docname = self.config.root_doc
        document = self.env.get_doctree(docname)
        texts = Texts(self.env, docname, document)
        cells = nbformat.read(self.env.doc2path(docname), as_version=4).cells
        found = [words_of(cell.metadata, docname).get("text", "") for cell in cells]
        slide = Slide([], frozenset(), blocks=texts.parsed("\n\n".join(filter(None, found))))
        self.resolve(document, docname, [slide])
        return self.html(document, slide.blocks)

    def resolve(self, document: nodes.document, docname: str, slides: list[Slide]) -> None:
        """Resolve references in place, and make plain words of those that lead into the book."""
        holders = []
        for slide in slides:
            lists = (slide.title, slide.blocks, slide.figure, slide.notes)
            holders.append([nodes.container("", *each) for each in lists])
        document.children = []
        document += [holder for parts in holders for holder in parts]
        document.settings = self.docsettings
        self.env.apply_post_transforms(document, docname)
        self.post_process_images(document)
        for link in list(document.findall(nodes.reference)):
            if not str(link.get("refuri", "")).startswith(("https://", "http://")):
                link.replace_self(link.children)
        for part in list(document.findall(nodes.section)):
            # reveal.js would take a section for a slide.
            part.replace_self(nodes.container("", *part.children, classes=part["classes"]))
        for slide, (title, blocks, figure, notes) in zip(slides, holders, strict=True):
            shown = {each["name"] for each in figure.findall(live_figure)}
            for part in (title, blocks, figure, notes):
                for words in list(part.findall(live_link)):
                    if words["figure"] not in shown or part is notes:
                        words.replace_self(words.children)
            slide.title, slide.blocks = title.children, blocks.children
            slide.figure, slide.notes = figure.children, notes.children

    def rendered(self, document: nodes.document, slide: Slide) -> dict[str, Any]:
        """A slide as its template takes it."""
        figures = [each for part in slide.figure for each in part.findall(live_figure)]
        seconds = 0 if slide.extra else round(60 * slide.effort.minutes)
        return {
            "title": self.html(document, slide.title),
            "blocks": self.html(document, slide.blocks),
            "figure": self.html(document, slide.figure),
            "notes": self.html(document, slide.notes),
            "kind": slide.kind,
            "seconds": seconds,
            "sections": slide.sections,
            "extra": slide.extra,
            "live": [each["model"] for each in figures if each["model"]],
        }

    def html(self, document: nodes.document, parts: Iterable[nodes.Node]) -> str:
        translator = self.create_translator(document, self)
        for part in parts:
            part.walkabout(translator)
        return "".join(translator.body)

    # A deck

    def write_deck(self, deck: Deck, chapters: dict[str, list[dict[str, Any]]]) -> int:
        """Write a deck; how many slides it has."""
        parts = [(each, self.slides_of(each, deck, chapters)) for each in deck.parts]
        models = [model for each, slides in parts for model in self.models(each, slides)]
        data = json.dumps(models, allow_nan=False, separators=(",", ":"))
        self.write_page(
            "deck.html",
            f"{deck.name}.html",
            deck=deck,
            parts=parts,
            plan=time_plan(deck),
            front=self.front,
            data=data.replace("<", r"\u003c"),
            sheets=SHEETS,
        )
        return sum(len(slides) for _, slides in parts) + (0 if deck.number else 2)

    def slides_of(
        self, part: Part, deck: Deck, chapters: dict[str, list[dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        """Of a lesson's part what belongs to its section, and no exercises."""
        slides = [each for each in chapters[part.docname] if deck.number or not each["extra"]]
        if part.section:
            slides = [each for each in slides if part.section in each["sections"]]
        prefix = prefix_of(part)
        return [
            {**each, **{name: prefixed(each[name], prefix) for name in ("blocks", "figure")}}
            for each in slides
        ]

    def models(self, part: Part, slides: list[dict[str, Any]]) -> list[tuple[str, Any]]:
        """The models of a part's live figures, under names that no other chapter has."""
        shown = {model for slide in slides for model in slide["live"]}
        page = self.env.metadata[part.docname].get("live_figures", {"data": []})
        prefix = prefix_of(part)
        return [
            (prefix + model, json.loads(MODEL.sub(f'"IPY_MODEL_{prefix}', json.dumps(entry))))
            for model, entry in page["data"]
            if model in shown
        ]

    def write_page(self, template: str, name: str, **values: Any) -> None:
        html = TEMPLATES.get_template(template).render(
            book=self.config.html_title, address=self.config.html_baseurl, **values
        )
        page = LexborHTMLParser(html)
        self.shorten(page)
        Path(self.outdir, name).write_text(page.html or "", encoding="utf-8")

    def shorten(self, page: LexborHTMLParser) -> None:
        """What the pages' own writer does to them, as far as a slide needs it."""
        for formula in page.css("aside.notes .katex"):
            spoken = next(formula.iter())  # with the sign after it, if there is one
            formula.replace_with(element(spoken.html or "", spoken.tag or ""))
        for named in page.css("aside.notes [id]"):
            del named.attrs["id"]
        for image in page.css("img"):
            name = (image.attributes.get("src") or "").rpartition("/")[2]
            sources = [source for source, target in self.images.items() if target == name]
            if sources:
                size = image_size(Path(self.srcdir, sources[0]))
                image.attrs["width"], image.attrs["height"] = map(str, size)
        for link in page.css("a.headerlink"):
            link.decompose()
        for word in page.css(f"{PLAIN_CODE}, a > span.std"):
            word.unwrap()
        for code in page.css(".highlight pre"):
            code.inner_html = CODE_WORD.sub(r'<b class="\1">\2</b>', code.inner_html or "")
            code.attrs["tabindex"] = "0"
        if (style := name_looks(page)) and page.head:
            page.head.insert_child(element(f"<style>{style}</style>", "style"))


def prefix_of(part: Part) -> str:
    return f"{stem(part.docname)}-"


def prefixed(html: str, prefix: str) -> str:
    """Every name in a part of a page, and what refers to it, with a prefix."""
    page = LexborHTMLParser(f"<body>{html}</body>")
    assert page.body is not None
    for node in page.body.css("*"):
        for name in NAMES:
            if value := node.attributes.get(name):
                node.attrs[name] = " ".join(prefix + each for each in value.split())
        if model := node.attributes.get("data-model"):
            node.attrs["data-model"] = prefix + model
    return page.body.inner_html or ""
