"""What is folded on a built page: a live figure in it, and links into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import toy_book as toy
from conftest import Visit
from playwright.sync_api import expect

SHOW = """
export default {
  render({ model, el }) {
    const draw = () => { el.textContent = `value ${model.get("value")}`; };
    model.on("change:value", draw);
    draw();
  },
};
"""
SOLUTION = """
See [](#sol-03-a).

```{exercise} Small
:label: ex-03-a
Why?
```

```{solution} ex-03-a
:label: sol-03-a
:class: dropdown
For a reason.
```
"""


@pytest.fixture(scope="module")
def page_url(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A page whose live figure is the folded result of a cell, far below its text."""
    figure = toy.view("model", "toy")
    figure.metadata["tags"] = ["hide-output"]
    models = {"model": toy.anywidget(SHOW, value=1)}
    page = toy.notebook(models, toy.words(SOLUTION), toy.words("Text.\n\n" * 60), figure)
    output, warnings = toy.build(
        tmp_path_factory.mktemp("folding"),
        {"03_toys": page},
        extensions=["myst_nb", "sphinx_exercise", "live_figures", "chapters"],
    )
    assert warnings == []
    return output.as_uri(), "03_toys.html"


def test_a_live_figure_starts_when_its_fold_is_opened(
    visit: Callable[..., Visit], page_url: tuple[str, str]
) -> None:
    page = visit(*page_url).page
    fold = page.locator("details.folded-result")
    figure = fold.locator(".live-figure")
    fold.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    expect(figure).not_to_be_visible()
    fold.locator("summary").click()
    expect(figure.get_by_text("value 1")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_a_solution_opens_it(
    visit: Callable[..., Visit], page_url: tuple[str, str], scripts: bool
) -> None:
    origin, name = page_url
    page = visit(origin, f"{name}#sol-03-a", java_script_enabled=scripts).page
    expect(page.get_by_text("For a reason.")).to_be_visible()
    page = visit(origin, name, java_script_enabled=scripts).page
    expect(page.get_by_text("For a reason.")).not_to_be_visible()
    page.locator('a[href="#sol-03-a"]').click()
    expect(page.get_by_text("For a reason.")).to_be_visible()
