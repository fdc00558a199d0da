"""The built book, and its slides, in Chromium, Firefox and WebKit: quiet, closed, by keyboard.

Each engine opens a copy of the book in whose pages a witness stands before all other scripts. A
policy forbids the page to get anything from another host, and the witness notes that it asked.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from answers import ANSWER_ALL, asked
from conftest import BOOK, LOADED, ROOT, Site, built_pages, missing, serving
from engines import WITNESS, Engine, chromium, firefox, use, webkit

POLICY = "default-src http://127.0.0.1:* file: data: blob: 'unsafe-inline'"
HEAD = (
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    f"<script>{LOADED}{WITNESS}</script>"
)


def program(variable: str, *names: str) -> str:
    """The program that an environment variable names, else the first of ``names`` there is."""
    named = os.environ.get(variable)
    found = [path for name in ([named] if named else names) if (path := shutil.which(name))]
    if not found:
        missing(names[-1], variable)
    return found[0]


def start_chromium(request: pytest.FixtureRequest) -> AbstractContextManager[Engine]:
    return chromium(request.getfixturevalue("browser"))


def start_firefox(_: pytest.FixtureRequest) -> AbstractContextManager[Engine]:
    return firefox(program("FIREFOX", "firefox-esr", "firefox"))


def start_webkit(_: pytest.FixtureRequest) -> AbstractContextManager[Engine]:
    return webkit(program("WEBKIT_DRIVER", "WebKitWebDriver"), program("XVFB", "Xvfb"))


STARTS: dict[str, Callable[[pytest.FixtureRequest], AbstractContextManager[Engine]]] = {
    "chromium": start_chromium,
    "firefox": start_firefox,
    "webkit": start_webkit,
}


@pytest.fixture(scope="session", params=STARTS)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """One window of each browser, for all pages."""
    with STARTS[request.param](request) as window:
        yield window


@pytest.fixture(scope="session")
def witnessed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built book with the witness in each page."""
    folder = tmp_path_factory.mktemp("witnessed") / "html"
    shutil.copytree(BOOK, folder)
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("<head>", f"<head>{HEAD}", 1), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def site(witnessed: Path) -> Iterator[Site]:
    with serving(witnessed) as site:
        yield site


def noted(engine: Engine) -> list[str]:
    """What has gone wrong on the page so far."""
    found: list[str] = engine.run("() => witness.noted()")
    return found


# In Chromium each page is used by test_pages.py, where it is open already, and its forms too.
others = pytest.mark.parametrize("engine", ["firefox", "webkit"], indirect=True)


@pytest.mark.parametrize("path", built_pages())
@others
def test_a_page_is_quiet_and_answers(engine: Engine, site: Site, path: str) -> None:
    site.failed.clear()
    engine.open(f"{site.address}/{path}")
    use(engine)
    assert noted(engine) == []
    assert site.failed == []


@others
def test_a_page_from_disk_is_quiet_and_answers(engine: Engine, witnessed: Path) -> None:
    engine.open((witnessed / "notebooks/03_step_by_step.html").as_uri())
    counts = use(engine)
    assert all(counts.values()), counts
    assert noted(engine) == []


def test_a_page_is_there_when_it_has_been_opened(engine: Engine, site: Site) -> None:
    """Although the page that is left writes addresses of its own, as a deck of slides does."""
    page = f"{site.address}/book/notation.html"
    for _ in range(3):
        engine.open(f"{site.address}/404.html")
        engine.run("() => void setInterval(() => history.replaceState(null, '', '#left'))")
        engine.open(page)
        assert engine.run("() => document.URL") == page


# How much higher a figure has become by a step of its d_model, and how far the slider has moved.
STEP = """async () => {
    const figure = document.querySelector(".live-figure[data-model]");
    const frame = () => new Promise(requestAnimationFrame);
    figure.closest("details")?.setAttribute("open", "");
    while (!figure.classList.contains("is-live")) {
        figure.scrollIntoView();
        await frame();
    }
    const sliders = [...figure.querySelectorAll("input[type=range]")];
    const slider = sliders.find((each) => each.labels[0].textContent === "d_model");
    slider.scrollIntoView({ block: "center" });
    slider.focus({ preventScroll: true });
    await new Promise((rested) => setTimeout(rested, 400)); // its sentence is written
    const look = () => [figure.offsetHeight, slider.getBoundingClientRect().top];
    const [height, top] = look();
    slider.value = 8;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    for (let n = 0; n < 3; n += 1) await frame();
    const [higher, there] = look();
    return [higher - height, Math.abs(there - top)];
}"""


@others
def test_a_slider_stays_where_it_is_while_its_figure_grows(engine: Engine, site: Site) -> None:
    engine.open(f"{site.address}/notebooks/06_shift.html")
    grown, moved = engine.run(STEP)
    assert grown > 20
    assert moved < 1.5


@others
def test_forms_judge_and_remember(engine: Engine, witnessed: Path) -> None:
    """On a page from disk: each question by every foreseen answer, and one more by keys.

    Pages from disk have one memory: the page of progress knows the answers.
    """
    page = (witnessed / "notebooks/03_step_by_step.html").as_uri()
    questions = asked("03")
    engine.open(page)
    engine.run("() => witness.survey()")
    assert engine.run(ANSWER_ALL, questions) == []
    engine.open(page)
    engine.run("n => witness.there('form.ask[data-state=right]', n)", len(questions))
    engine.run("() => document.getElementById('n-03-first-denominator').select()")
    for key in ("7", "Enter"):
        engine.press(key)
    said = engine.run("() => witness.said('ask-03-first-denominator')")
    assert said == "7 is not it, and not one of the known mistakes."
    assert noted(engine) == []
    engine.open((witnessed / "book/progress.html").as_uri())
    engine.run("n => witness.there('a[data-ask][data-state=right]', n)", len(questions))


# Waits until a deck is there, goes to a slide by its title and kind, and waits for its live figure.
GO_TO = """async ([title, kind]) => {
  const until = async (there) => {
    while (!there()) await new Promise(requestAnimationFrame);
  };
  await until(() => document.querySelector(".reveal.ready"));
  const all = [...document.querySelectorAll(".slides > section")];
  const number = all.findIndex(
    (one) => one.matches(kind) && one.querySelector("h1, h2").textContent === title);
  await until(() => {
    location.hash = `#/${number}`; // late, reveal.js may write there the slide that it came from
    return all[number].matches(".present");
  });
  if (kind !== ".live") return number;
  await until(() => all[number].querySelector(".live-figure.is-live"));
  all[number].querySelector(".live-figure input[type=range]").focus();
  return number;
}"""
SHOWN = """() => {
  const slide = document.querySelector(".slides > .present");
  return {
    number: [...slide.parentNode.children].indexOf(slide),
    fragments: slide.querySelectorAll(".fragment.visible").length,
    value: slide.querySelector("input[type=range]")?.value,
    zooms: [...slide.querySelectorAll(".is-wide > *")].map((side) => Number(side.style.zoom)),
    paused: document.querySelector(".reveal").matches(".paused"),
  };
}"""


def test_slides_from_disk_answer_keys(engine: Engine) -> None:
    engine.open((ROOT / "dist" / "slides" / "04_row_of_clocks.html").as_uri())
    number = engine.run(GO_TO, ["How long is the longest wave?", ".question"])
    assert engine.run(SHOWN)["fragments"] == 0
    engine.press("ArrowRight")
    assert engine.run(SHOWN)["fragments"] == 1
    assert engine.run(SHOWN)["number"] == number
    number = engine.run(GO_TO, ["Turn the clocks", ".live"])
    before = engine.run(SHOWN)
    engine.press("ArrowRight")
    after = engine.run(SHOWN)
    assert (after["number"], int(after["value"])) == (number, int(before["value"]) + 1)
    assert min(after["zooms"]) > 0.9
    engine.press("b")
    assert engine.run(SHOWN)["paused"]
    engine.press("b")
    assert not engine.run(SHOWN)["paused"]


def test_the_witness_notes_what_goes_wrong(engine: Engine, site: Site, witnessed: Path) -> None:
    (witnessed / "wrong.html").write_text(
        f"""<!doctype html><html lang="en"><head>{HEAD}<title>Wrong</title></head><body>
        <img src="gone.png" alt=""><img src="https://example.org/far.png" alt="">
        <script>console.error("said"); Promise.reject("refused"); fetch("http://127.0.0.2/");
        throw new Error("thrown");</script></body></html>""",
        encoding="utf-8",
    )
    engine.open(f"{site.address}/wrong.html")
    found = "\n".join(noted(engine))
    for trouble in ("gone.png", "far.png", "said", "refused", "127.0.0.2", "thrown"):
        assert trouble in found
    assert [path for path in site.failed if path != "/favicon.ico"] == ["/gone.png"]
    site.failed.clear()
