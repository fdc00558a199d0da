"""Node, and the style sheet: no Sphinx in it. The book's extensions and the tools import it."""
