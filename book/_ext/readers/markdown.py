"""Nodes of the resolved document tree as plain Markdown, the kind that every notebook shows.

``Markdown.blocks`` writes what stands on lines of its own, ``Markdown.words`` what stands in a
line. A node that has no method here is an error of the build: nothing is left out in silence.

What notebooks differ in is avoided. A formula that is set off stands on one line inside a quotation
or a list, because JupyterLab takes the signs that begin the other lines for a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from docutils import nodes
from sphinx.errors import ExtensionError

LABELS = {"important": "Important", "note": "Note", "tip": "Tip", "warning": "Warning"}
ALIGNED = {"text-left": ":--", "text-center": ":-:", "text-right": "--:"}
# Nodes that show nothing of their own.
SILENT = {"target", "comment", "index", "substitution_definition", "label", "meta"}


@dataclass
class Markdown:
    """Writes the nodes of one page.

    Attributes:
        link: the address that a reference leads to in a notebook, or "" where it has none.
        picture: the address of an image.
        number: the number of a theorem, an exercise or a figure, such as "6.1".
        settings: the words that set a live figure, with the figure and what they set, so far.
    """

    link: Callable[[nodes.Element], str]
    picture: Callable[[nodes.image], str]
    number: Callable[[str, nodes.Element], str]
    settings: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    nested: int = 0
    in_table: bool = False

    # Blocks

    def blocks(self, children: Iterable[nodes.Node]) -> str:
        """Blocks with an empty line between them."""
        written = (self.block(child).strip("\n") for child in children)
        return "\n\n".join(text for text in written if text)

    def block(self, node: nodes.Node) -> str:
        if node.tagname in SILENT:
            return ""
        return str(self._method("block", node)(node))

    def quote(self, text: str) -> str:
        return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))

    def quoted(self, title: str, children: Iterable[nodes.Node]) -> str:
        """A box, as a quotation that begins with its title."""
        self.nested += 1
        text = self.blocks(children)
        self.nested -= 1
        return self.quote(f"{title}\n\n{text}" if text else title)

    def folded(self, title: str, children: Iterable[nodes.Node]) -> str:
        """What the reader opens."""
        text = self.blocks(children)
        return f"<details>\n<summary><b>{title}</b></summary>\n\n{text}\n\n</details>"

    def block_paragraph(self, node: nodes.paragraph) -> str:
        shown = [child for child in node.children if child.astext().strip()]
        # Buttons in a row look like one link where they are words.
        row = all(isinstance(child, nodes.reference) for child in shown)
        text = " · ".join(map(self.word, shown)) if row else self.words(node.children).strip()
        # A line may not begin as a list or a heading does.
        return re.sub(
            r"^(\d+)([.)] )|^([-+#>] )", r"\1\\\2\3" if text[0].isdigit() else r"\\\3", text
        )

    def block_compound(self, node: nodes.compound) -> str:
        return "" if "toctree-wrapper" in node["classes"] else self.blocks(node.children)

    def block_container(self, node: nodes.container) -> str:
        return self.blocks(node.children)

    block_section = block_container  # without a title: the contents of a theorem or an exercise

    def block_math_block(self, node: nodes.math_block) -> str:
        lines = [line for line in node.astext().split("\n") if line.strip()]
        return f"$$ {' '.join(lines)} $$" if self.nested else "\n".join(["$$", *lines, "$$"])

    def block_literal_block(self, node: nodes.literal_block) -> str:
        return f"```{node.get('language', '')}\n{node.astext()}\n```"

    def block_bullet_list(self, node: nodes.bullet_list) -> str:
        return self._items(node, ["- "] * len(node))

    def block_enumerated_list(self, node: nodes.enumerated_list) -> str:
        first = int(node.get("start", 1))
        return self._items(node, [f"{first + n}. " for n in range(len(node))])

    def _items(self, node: nodes.Element, marks: list[str]) -> str:
        self.nested += 1
        texts = [self.blocks(item.children) for item in node]
        self.nested -= 1
        gap = "\n\n" if any("\n\n" in text for text in texts) else "\n"
        return gap.join(
            mark + text.replace("\n", "\n" + " " * len(mark)).replace(" " * len(mark) + "\n", "\n")
            for mark, text in zip(marks, texts, strict=True)
        )

    def block_definition_list(self, node: nodes.definition_list) -> str:
        items = []
        for item in node:
            terms = [f"**{self.words(each.children)}**" for each in item.findall(nodes.term)]
            bodies = [each.children for each in item.findall(nodes.definition)]
            items.append(", ".join(terms) + ": " + "\n\n".join(map(self.blocks, bodies)))
        return "\n\n".join(items)

    def block_block_quote(self, node: nodes.block_quote) -> str:
        self.nested += 1
        text = self.blocks(node.children)
        self.nested -= 1
        return self.quote(text)

    def block_table(self, node: nodes.table) -> str:
        rows = [list(row) for row in node.findall(nodes.row)]
        heads = [len(list(head)) for head in node.findall(nodes.thead)] or [0]
        self.in_table = True
        lines = [f"| {' | '.join(map(self._entry, row))} |" for row in rows]
        self.in_table = False
        if not heads[0]:
            lines.insert(0, "|" + "   |" * len(rows[0]))
        rule = "|" + "|".join(self._alignment(entry) for entry in rows[-1]) + "|"
        return "\n".join([lines[0], rule, *lines[1:]])

    def _entry(self, entry: nodes.entry) -> str:
        return "<br>".join(self.words(each.children).strip() for each in entry)

    def _alignment(self, entry: nodes.entry) -> str:
        return next((ALIGNED[name] for name in entry["classes"] if name in ALIGNED), "---")

    def block_figure(self, node: nodes.figure) -> str:
        image, *_ = node.findall(nodes.image)
        return f"{self.block(image)}\n\n{self.caption(node)}".strip()

    def caption(self, node: nodes.figure) -> str:
        texts = [self.words(each.children) for each in node.findall(nodes.caption)]
        label = f"*Fig. {number}:* " if (number := self.number("figure", node)) else ""
        return "\n\n".join(label + text for text in texts)

    def block_image(self, node: nodes.image) -> str:
        words = re.sub(r"([\[\]\\])", r"\\\1", node.get("alt", "")).replace("\n", " ")
        return f"![{words}]({self.picture(node)})"

    def block_citation(self, node: nodes.citation) -> str:
        # sphinxcontrib-bibtex fills it again for each builder that asks.
        entry = next(iter(node.findall(nodes.paragraph)))
        return f"- {self.words(entry.children).strip()}"

    def block_admonition(self, node: nodes.Element) -> str:
        """A box with a title of its own, or a proof, whose first word is its title."""
        if "proof" in node["classes"]:
            return self._proof(node)
        title, *rest = node.children
        words = self.words(title.children)
        if "dropdown" in node["classes"]:
            return self.folded(words, rest)
        return self.quoted(f"**{words}**", rest)

    def _proof(self, node: nodes.Element) -> str:
        node = node.deepcopy()
        first = next(iter(node.findall(nodes.Text)))
        first.parent.replace(first, nodes.Text(first.removeprefix("Proof.").lstrip()))
        self.nested += 1
        text = self.blocks(node.children)
        self.nested -= 1
        return self.quote(f"**Proof.** {text}")

    def _labelled(self, node: nodes.Element) -> str:
        title = LABELS.get(node.tagname, node.tagname.capitalize())
        if "dropdown" in node["classes"]:
            return self.folded(title, node.children)
        return self.quoted(f"**{title}**", node.children)

    block_important = block_note = block_tip = block_warning = block_hint = _labelled

    def block_proof_node(self, node: nodes.Element) -> str:
        return self.blocks(node.children)

    def _theorem(self, node: nodes.Element) -> str:
        title, *rest = node.children
        name = f"{node['realtype'].capitalize()} {self.number(node['countertype'], node)}".strip()
        return self.quoted(f"**{name}**{self.words(title.children)}", rest)

    block_theorem_node = block_lemma_node = block_definition_node = _theorem
    block_corollary_node = block_proposition_node = block_remark_node = _theorem

    def block_answer(self, node: nodes.Element) -> str:
        return self.folded("Show the answer", node.children)

    # Words

    def words(self, children: Iterable[nodes.Node]) -> str:
        return "".join(self.word(child) for child in children)

    def word(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return escaped(node.astext())
        return "" if node.tagname in SILENT else str(self._method("word", node)(node))

    def word_inline(self, node: nodes.inline) -> str:
        return self.words(node.children)

    word_paragraph = word_inline

    def word_emphasis(self, node: nodes.emphasis) -> str:
        return marked("*", self.words(node.children))

    def word_strong(self, node: nodes.strong) -> str:
        return marked("**", self.words(node.children))

    def word_literal(self, node: nodes.literal) -> str:
        text = node.astext()
        if self.in_table:
            text = text.replace("|", r"\|")
        fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
        pad = " " if fence != "`" else ""
        return f"{fence}{pad}{text}{pad}{fence}"

    def word_math(self, node: nodes.math) -> str:
        text = " ".join(node.astext().split())
        if self.in_table:
            text = text.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
        return f"${text}${node.get('sign', '')}"

    def word_reference(self, node: nodes.Element) -> str:
        words, address = self.words(node.children), self.link(node)
        return f"[{words}]({address})" if address else words

    word_number_reference = word_reference

    def word_live_link(self, node: nodes.Element) -> str:
        self.settings.append((node["figure"], node["values"], node.astext()))
        return self.words(node.children)

    def word_raw(self, node: nodes.raw) -> str:
        if node["format"] != "html":
            return ""
        if node.astext().strip() != "<br />":
            raise ExtensionError(f"{node.astext()!r}: of HTML, a notebook gets line breaks alone")
        return "<br>\n"

    word_image = block_image

    def _method(self, kind: str, node: nodes.Node) -> Callable[[nodes.Node], str]:
        method: Callable[[nodes.Node], str] | None = getattr(self, f"{kind}_{node.tagname}", None)
        if method is None:
            raise ExtensionError(
                f"{node.source}:{node.line}: no {kind} of a readers' notebook is made from "
                f"<{node.tagname}>: {node.astext()!r:.80}"
            )
        return method


def marked(sign: str, text: str) -> str:
    """Text between signs, which take no spaces at their inner side."""
    inner = text.strip()
    before, _, after = text.partition(inner)
    return f"{before}{sign}{inner}{sign}{after}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    text = re.sub(r"([\\`*$<~|])", r"\\\1", " ".join(re.split(r"\s*\n\s*", text)))
    text = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)
    return re.sub(r"\](?=[(:\[])", r"\\]", text)
