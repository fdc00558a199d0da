# One-word commands; README.md has the plain commands behind each.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PY     := $(BIN)/python
BENCH  := .bench-venv
BOOK   := _build/html

# Sums are rounded differently on another number of threads; stored outputs are for one.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help book pdf serve test lint notebooks lab edit course bench references lighthouse models lock clean

help:
	@echo "make book       build the book into $(BOOK)"
	@echo "make pdf        print the book, for students and for teachers: dist/pdf/ (needs Chromium)"
	@echo "make serve      serve the built book on localhost"
	@echo "make lab        open the chapters in JupyterLab, as copies that are yours: my-notebooks/"
	@echo "make edit       open the chapters' own files in JupyterLab, to change the book"
	@echo "make course     make what a lecturer hands out, marks, shows and imports: dist/"
	@echo "make test       check everything: lint, unit tests, every stored output, every page"
	@echo "make lint       style, types and spelling of Python and JavaScript; sources of the prose"
	@echo "make notebooks  re-execute every chapter and store it in its normal form"
	@echo "make bench      time the table against other libraries (more than 10 minutes)"
	@echo "make references ask the libraries anew for what the tests hold the encodings against"
	@echo "make lighthouse measure every page as a phone sees it, and the live figures' speed"
	@echo "make models     train the small models again and store what they show (tens of minutes)"
	@echo "make lock       pin what a change to requirements.txt asks for; other versions stay"
	@echo "make clean      remove what these commands made, environments too; my-notebooks/ stays,"
	@echo "                and all of it while dist/sets holds submissions"

# --- the environment: made once, made again when a pinned version changes -------------------

# The pip of Python 3.11 takes twice as long to find what is asked for.
PIP := 26.3
# Less than half of what is installed is ever imported: Python compiles that when it is, and keeps
# it, also where the environment says otherwise.
export PYTHONDONTWRITEBYTECODE :=

define check_python
@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Python 3.11 or later is needed; {sys.executable} is {v.major}.{v.minor}. Name another with: make PYTHON=python3.12")'
endef

$(VENV)/installed: requirements.txt constraints.txt pyproject.toml
	$(check_python)
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check pip==$(PIP)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@touch $@

node_modules/installed: package.json package-lock.json | $(VENV)/installed
	$(PY) -m web.node ci --silent
	@touch $@

ready: $(VENV)/installed node_modules/installed
.PHONY: ready

# --- read ------------------------------------------------------------------------------------

book: ready
	$(BIN)/jupyter-book build --quiet -W -n --keep-going .
	@$(PY) -c 'from pathlib import Path; page = Path("$(BOOK)/index.html").resolve(); print(f"\nThe book is in {page.parent}\nOpen {page.as_uri()}\nor run: make serve")'

serve: book
	$(PY) -m tools.serve

pdf: book
	$(PY) -m tools.pdf

# --- run -------------------------------------------------------------------------------------

lab: ready
	$(PY) -m tools.lab

# The chapters as they are stored, in a plain JupyterLab, which shows their MyST as it is typed:
# jupyterlab-myst, which would render it, does not load in JupyterLab 4.6.
edit: ready
	$(BIN)/jupyter lab --LabApp.app_settings_dir=tools/jupyterlab --notebook-dir notebooks

# --- teach -----------------------------------------------------------------------------------

# The guide leads into the book, and has its minutes from there.
course: book
	$(PY) -m course

# --- check -----------------------------------------------------------------------------------

test: ready
	$(PY) -m tools.check

lint: ready
	$(PY) -m tools.check lint

# --- keep ------------------------------------------------------------------------------------

notebooks: ready
	$(PY) -m tools.notebooks

models: ready
	$(PY) -m tools.train

lock: ready
	$(PY) -m tools.lock

$(BENCH)/installed: benchmarks/requirements.txt
	$(check_python)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

bench: $(BENCH)/installed
	$(BENCH)/bin/python -m benchmarks.table

references: $(BENCH)/installed
	$(BENCH)/bin/python -m benchmarks.encodings

lighthouse: book
	$(PY) -m benchmarks.pages

# What students handed in, and the points for it, cannot be made again: `make course` keeps it, too.
MARKS := import sqlite3; book = sqlite3.connect("dist/sets/gradebook.db"); \
	print(*book.execute("SELECT count(*) FROM submitted_assignment").fetchone())

clean:
	@if [ -n "$$(ls -A dist/sets/submitted 2>/dev/null)" ] || { [ -e dist/sets/gradebook.db ] && \
		[ "$$($(PYTHON) -c '$(MARKS)' 2>/dev/null)" != 0 ]; }; then \
		echo "dist/sets holds submissions, or a gradebook that has marks or cannot be read:" \
			"nothing was removed." \
			"Move the whole folder to where you teach, and clean again." >&2; exit 1; fi
	rm -rf $(VENV) $(BENCH) node_modules benchmarks/node_modules _build build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
