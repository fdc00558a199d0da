"""The whole book on paper: one PDF for students and one for teachers, made of the built pages.

- ``pages``: the pages as chapters of one document, their ids told apart, their links within it;
- ``editions``: what each edition shows of questions, results and solutions, and where;
- ``document``: the title page, the contents and the chapters as one page of HTML;
- ``printing``: Chromium, the numbers of pages, and what a PDF says of itself.
"""
