"""Node, the style sheet and its fonts, without Sphinx, for the book's extensions and the tools."""
