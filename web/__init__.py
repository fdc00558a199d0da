"""Node, the style sheet and its fonts: no Sphinx in it. The book's extensions and the tools import it."""
