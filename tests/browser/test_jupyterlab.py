"""The explorers and the laboratory in a real JupyterLab: its own server, a kernel, Chromium."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import ROOT
from explorers_page import assert_shows, numbers
from playwright.sync_api import Browser, Locator, Page, expect

from pe_core import stepwise

PATIENCE = 60_000  # ms; a kernel that loads torch on a busy machine is slow

READERS = ROOT / "_build" / "readers" / "06_shift.ipynb"
THEOREM, HINT = "**Theorem 6.1**", "<summary><b>Hint</b></summary>"
SETTINGS = ROOT / "tools" / "jupyterlab"  # those of make lab

EXPLORERS = ["Build", "Heatmap", "Clock", "Similarity", "Offset", "Model"]
CELLS = [
    "from pe_lab.explorers import *",
    "clock = ClockExplorer(d_model=8, position=3)\nclock",
    "from ipywidgets import HBox, IntSlider, link\n"
    'knob = IntSlider(description="knob", max=1000)\n'
    'link((clock, "position"), (knob, "value"))\n'
    "HBox([knob, clock])",
    *(f"{name}Explorer()" for name in EXPLORERS),
]
CLOCK, BOX = 1, 2  # the cells that show the clock
FIRST = 3  # the cell that shows the first of all explorers

# What nobody asks for on these pages takes a third of the server's start to import.
NOT_ASKED = (
    *(f"nbgrader.server_extensions.{name}" for name in ("formgrader", "validate_assignment")),
    *(f"nbgrader.server_extensions.{name}" for name in ("assignment_list", "course_list")),
    *("notebook", "notebook_shim", "jupyter_server_terminals"),
)

IN_KERNEL = """
async (code) => {
  const { sessionContext } = jupyterapp.shell.currentWidget.context;
  const future = sessionContext.session.kernel.requestExecute({ code });
  let printed = "", raised = "";
  future.onIOPub = ({ header, content }) => {
    if (header.msg_type === "stream") printed += content.text;
    if (header.msg_type === "error") raised = `${content.ename}: ${content.evalue}`;
  };
  await future.done;
  if (raised) throw new Error(raised);
  return printed;
}
"""
OPEN = """
async (path) => {
  await jupyterapp.restored;
  await jupyterapp.commands.execute("docmanager:open", { path });
}
"""
READY = """
(path) => {
  const context = jupyterapp.shell.currentWidget?.context;
  return context?.path === path && context.isReady
    && context.sessionContext.session?.kernel?.status === "idle";
}
"""
SHOWN = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # others are behind it


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that knows no settings, with its token."""
    home = tmp_path_factory.mktemp("jupyter")
    notebooks = home / "notebooks"
    notebooks.mkdir()
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    small = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS],
        metadata={"kernelspec": kernel},
    )
    nbformat.write(small, notebooks / "small.ipynb")
    shutil.copy(ROOT / "notebooks" / "lab.ipynb", notebooks)
    nbformat.write(part_of_readers_notebook(), notebooks / READERS.name)
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    token = secrets.token_hex(16)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={free_port()}"),
            f"--IdentityProvider.token={token}",
            f"--ServerApp.root_dir={notebooks}",
            f"--LabApp.app_settings_dir={SETTINGS}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--LanguageServerManager.autodetect=False",  # it would start Node ten times
            *(f"--ServerApp.jpserver_extensions={name}=False" for name in NOT_ASKED),
        ],
        cwd=home,
        env={**os.environ, "HOME": str(home), **{name: str(home / name) for name in folders}},
        stdout=(home / "log").open("w"),
        stderr=subprocess.STDOUT,
    )
    try:
        # Written once the server listens; if the port was taken meanwhile, it is another one.
        listens = home / "JUPYTER_RUNTIME_DIR" / f"jpserver-{process.pid}.json"
        yield f"{wait_for_address(listens, process, home / 'log')}lab?token={token}"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def part_of_readers_notebook() -> nbformat.NotebookNode:
    """The cells with the theorem and a hint: to set all other formulas takes five times as long."""
    notebook = nbformat.read(READERS, 4)
    notebook.cells = [
        next(cell for cell in notebook.cells if words in cell.source) for words in (THEOREM, HINT)
    ]
    return notebook


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_address(path: Path, process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline and process.poll() is None:
        try:
            url: str = json.loads(path.read_text())["url"]
            return url
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")


Open = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def opened(browser: Browser, server: str) -> Iterator[Open]:
    """Opens a notebook, and runs it from top to bottom; a request elsewhere or an error fails.

    All are opened in one JupyterLab, which takes longer to load than most tests.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    ours = server.partition("lab?")[0]
    trouble: list[str] = []

    def answer(route: Any) -> None:
        trouble.append(f"asked for {route.request.url}")
        route.abort()

    page.route(lambda url: url.startswith("http") and not url.startswith(ours), answer)
    page.on("pageerror", lambda error: trouble.append(error.stack or str(error)))
    page.on(
        "console",
        lambda message: trouble.append(message.text) if message.type == "error" else None,
    )
    page.goto(server)
    page.wait_for_function("window.jupyterapp")

    @contextmanager
    def open_notebook(name: str, *, run: bool = True) -> Iterator[Page]:
        page.evaluate(OPEN, f"{name}.ipynb")
        page.wait_for_function(READY, arg=f"{name}.ipynb")
        if run:
            page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        yield page
        assert trouble == []

    yield open_notebook
    context.close()


@pytest.fixture(scope="module")
def small(opened: Open) -> Iterator[Page]:
    with opened("small") as page:
        expect(output(page, CLOCK).locator(".pex-clock")).to_be_visible(timeout=PATIENCE)
        yield page


@pytest.fixture(scope="module")
def laboratory(opened: Open) -> Iterator[Page]:
    """As it is stored; the second of two tests runs it."""
    with opened("lab", run=False) as page:
        yield page


@pytest.fixture
def clock(small: Page) -> Locator:
    """The clock of the small notebook, as it was made."""
    python(small, "clock.position, clock.d_model, clock.base = 3, 8, 10000.0")
    figure = output(small, CLOCK).locator(".pex-clock")
    expect(control(figure, "Position p")).to_have_value("3", timeout=10_000)
    return figure


def output(page: Page, cell: int) -> Locator:
    """What a cell shows. JupyterLab draws a cell when it comes near the screen."""
    found = page.locator(f"{SHOWN} .jp-Notebook .jp-Cell").nth(cell)
    found.scroll_into_view_if_needed()
    return found.locator(".jp-OutputArea-output")


def control(figure: Locator, name: str) -> Locator:
    return figure.get_by_role("slider", name=name, exact=True)


def python(page: Page, code: str) -> str:
    """Run ``code`` in the notebook's kernel, after everything that it still has to do."""
    printed: str = page.evaluate(IN_KERNEL, code)
    return printed.strip()


def expect_python(page: Page, expression: str, expected: object) -> None:
    """Ask the kernel until the front end's messages have arrived."""
    deadline = time.monotonic() + 10
    while (found := python(page, f"print({expression})")) != str(expected):
        assert time.monotonic() < deadline, f"{expression} is {found}, not {expected}"
        page.wait_for_timeout(50)


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_explorer_appears(small: Page, name: str) -> None:
    figure = output(small, FIRST + EXPLORERS.index(name)).locator(f".pex-{name.lower()}")
    expect(figure).to_be_visible(timeout=PATIENCE)
    expect(figure.locator(".pex-sentence")).not_to_be_empty()
    expect(figure.get_by_role("slider").first).to_be_enabled()


def test_a_model_asks_the_kernel_for_its_weights(small: Page) -> None:
    figure = output(small, FIRST + EXPLORERS.index("Model")).locator(".pex-model")
    said = figure.locator(".pex-sentence")
    for name in ("sinusoid", "RoPE"):
        figure.get_by_label("Trained with").select_option(name)
        right = python(small, f"print(sum(ModelExplorer({name!r}).right))")
        expect(said).to_contain_text(f"{name}, 32 words: {right} of 29", timeout=PATIENCE)


def test_the_sliders_move_the_traits_and_the_encoding_follows(small: Page, clock: Locator) -> None:
    python(small, "seen = []; clock.observe(lambda change: seen.append(change.new), 'position')")
    control(clock, "Position p").focus()
    small.keyboard.press("ArrowRight")
    expect_python(small, "clock.position", 4)
    small.keyboard.press("ArrowUp")  # in command mode a key of the notebook's own
    expect_python(small, "clock.position", 5)
    small.keyboard.press("End")
    expect_python(small, "clock.position", 1000)
    expect_python(small, "seen", [4, 5, 1000])
    clock.get_by_role("button", name="44").press("Enter")  # in command mode it edits the cell
    expect_python(small, "clock.position", 44)

    control(clock, "d_model").focus()
    small.keyboard.press("ArrowLeft")
    expect_python(small, "clock.d_model", 6)
    control(clock, "Base").focus()
    small.keyboard.press("Home")
    expect_python(small, "clock.base", 10.0)
    expect_python(small, "tuple(clock.encoding.shape)", (1001, 6))
    row = json.loads(python(small, "print(clock.encoding[clock.position].tolist())"))
    assert row == pytest.approx(stepwise(45, 6, base=10.0)[44].tolist(), abs=1e-5)
    assert_shows(dials(clock), row)


def test_the_traits_move_the_sliders_and_the_dials(small: Page, clock: Locator) -> None:
    python(small, "clock.position = 710")
    expect(control(clock, "Position p")).to_have_value("710")
    expect(clock.locator(".pex-sentence")).to_contain_text("Position 710")
    python(small, "clock.d_model = 4")
    expect(control(clock, "d_model")).to_have_value("4")
    expect(clock.locator(".pex-dials > li")).to_have_count(2)
    python(small, "clock.base = 100")
    expect(control(clock, "Base")).to_have_attribute("aria-valuetext", "base 100")
    assert_shows(dials(clock), json.loads(python(small, "print(clock.encoding[710].tolist())")))


def dials(clock: Locator) -> list[Any]:
    """The sines and cosines under the dials, in the order of the columns."""
    handle = clock.element_handle()
    assert handle is not None
    handle.evaluate("each => each.dataset.asked = 'yes'")
    every = numbers(clock.page, "[data-asked] .pex-dials data")  # sine, cosine, turns, wavelength
    handle.evaluate("each => delete each.dataset.asked")
    return [number for n, number in enumerate(every) if n % 4 < 2]


def test_a_wrong_setting_is_an_error_and_moves_nothing(small: Page, clock: Locator) -> None:
    with pytest.raises(Exception, match="d_model must be a positive even integer, got 5"):
        python(small, "clock.d_model = 5")
    expect_python(small, "clock.d_model", 8)
    expect(control(clock, "d_model")).to_have_value("8")


def test_a_linked_control_and_a_second_view_stay_in_step(small: Page, clock: Locator) -> None:
    box = output(small, BOX)
    second = control(box.locator(".pex-clock"), "Position p")
    knob = box.locator(".widget-readout")
    # It has the room that the other leaves, or as much of it as it may have.
    width = "document.querySelector('.widget-hbox .pex-clock').offsetWidth"
    assert small.evaluate(width) > 400
    small.evaluate(IN_KERNEL, "clock.layout.max_width = '380px'")
    small.wait_for_function(f"{width} === 380")
    small.evaluate(IN_KERNEL, "clock.layout.max_width = None")
    small.wait_for_function(f"{width} > 400")
    expect(second).to_have_value("3")
    expect(knob).to_have_text("3")
    output(small, CLOCK)
    control(clock, "Position p").focus()
    small.keyboard.press("ArrowRight")
    output(small, BOX)
    expect(second).to_have_value("4")
    expect(knob).to_have_text("4")
    knob.fill("5")
    knob.press("Enter")
    expect(second).to_have_value("5")
    expect(control(clock, "Position p")).to_have_value("5")


def test_the_explorer_follows_the_theme_of_jupyterlab(small: Page, clock: Locator) -> None:
    def lightness() -> float:
        colours = clock.evaluate("each => getComputedStyle(each).backgroundColor")
        return sum(int(part) for part in colours.strip("rgb()").split(",")) / (3 * 255)

    assert lightness() > 0.9
    small.evaluate(
        "jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
    )
    small.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
    assert lightness() < 0.2


def test_a_stored_notebook_that_has_not_run_shows_the_still_pictures(laboratory: Page) -> None:
    figure = next(
        number
        for number, cell in enumerate(nbformat.read(ROOT / "notebooks/lab.ipynb", 4).cells)
        if any("Explorer(" in str(each.get("data", "")) for each in cell.get("outputs", []))
    )
    # The state of the figures is restored by now, without their code.
    expect(output(laboratory, figure).locator("img")).to_be_visible()
    laboratory.wait_for_timeout(3_000)  # anywidget gives a model two seconds before it complains


def test_the_laboratory_runs_and_a_slider_redraws(laboratory: Page) -> None:
    laboratory.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    failed = laboratory.evaluate(
        """[...jupyterapp.shell.currentWidget.model.sharedModel.cells].flatMap(
             (cell) => cell.outputs ?? []).filter((each) => each.output_type === "error"
             || each.name === "stderr")"""
    )
    assert failed == []
    expect_python(laboratory, "ahead.position", 1000)  # by the last cell that sets anything
    figure = laboratory.locator(f"{SHOWN} .widget-interact").first
    figure.scroll_into_view_if_needed()
    picture = figure.locator("img")
    expect(picture).to_be_visible()
    before = picture.get_attribute("src")
    length = figure.locator(".widget-readout").first
    length.fill("256")
    length.press("Enter")
    expect_python(laboratory, "whole_table.widget.children[0].value", 256)
    expect(picture).not_to_have_attribute("src", before or "", timeout=PATIENCE)


def test_a_readers_notebook_shows_its_theorem_and_folds_its_hints(opened: Open) -> None:
    with opened(READERS.stem, run=False) as page:
        cells = page.locator(f"{SHOWN} .jp-Notebook .jp-Cell")
        theorem, hint = cells.nth(0), cells.nth(1)
        proof = theorem.locator("blockquote").nth(1)
        expect(proof.locator("mjx-container[display=true]")).to_have_count(1)
        expect(proof.locator("mjx-merror")).to_have_count(0)
        assert "Proof. Take one pair." in proof.inner_text()
        assert not {"$", "\\", "&", ">"} & {*(proof.text_content() or "")}
        inside = hint.locator("details p").first
        expect(inside).to_be_hidden()
        hint.locator("details summary").click()
        expect(inside).to_be_visible()
        expect(page.locator(".Toastify__toast")).to_have_count(0)  # JupyterLab asks nothing
