"""What is published beside the pages: addresses, buttons, the page for none, the book as a zip.

What only a published book has is asked of a toy with an address; the rest of ``_build/html``, which
``make book`` writes without one.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
import toy_book as toy
import yaml
from PIL import Image
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sphinx.errors import ConfigError

sys.path.insert(0, str(toy.EXTENSIONS))
from publishing import address, offline

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "_build" / "html"
AT = "https://example.org/repo/"


def page(path: Path) -> LexborHTMLParser:
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


# The address, and where the notebooks are


def configured(monkeypatch: pytest.MonkeyPatch, **given: str) -> SimpleNamespace:
    """A configuration after ``address`` has read what the environment and it state."""
    for name in ("BOOK_ADDRESS", "BOOK_REPOSITORY"):
        monkeypatch.setenv(name, given.pop(name, ""))
    stated = {"html_baseurl": "", "publishing_repository": "", "publishing_branch": []} | given
    config = SimpleNamespace(**stated, ogp_social_cards={"line_color": "#123456"})
    address.use_address(None, config)
    address.use_repository(None, config)
    return config


def test_a_known_address_is_that_of_the_pages_and_of_their_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = "https://other.example"
    for config in (
        configured(monkeypatch, BOOK_ADDRESS="https://example.org/book", html_baseurl=other),
        configured(monkeypatch, html_baseurl="https://example.org/book/"),
    ):
        assert config.html_baseurl == config.ogp_site_url == "https://example.org/book/"
        assert config.ogp_social_cards == {"line_color": "#123456", "enable": True}


def test_without_an_address_no_card_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(monkeypatch)
    assert config.html_baseurl == config.ogp_site_url == ""
    assert config.ogp_social_cards["enable"] is False


@pytest.mark.parametrize(
    "given", ["example.org", "https://", "https:///book", "https://a b.org", "https://a.org/?b"]
)
def test_what_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    with pytest.raises(ConfigError, match=rf"BOOK_ADDRESS must .*{re.escape(repr(given))}"):
        configured(monkeypatch, BOOK_ADDRESS=given)


@pytest.mark.parametrize(
    ("given", "branch"),
    [
        ("https://github.com/some-one/a.book", ["some-one/a.book", "readers"]),
        ("https://github.com/some-one/book/", ["some-one/book", "readers"]),
        ("https://github.com/some-one/book/tree/gh-pages", ["some-one/book", "gh-pages"]),
    ],
)
def test_a_repository_and_its_branch(
    monkeypatch: pytest.MonkeyPatch, given: str, branch: list[str]
) -> None:
    known = configured(monkeypatch, BOOK_ADDRESS=AT, BOOK_REPOSITORY=given)
    stated = configured(monkeypatch, html_baseurl=AT, publishing_repository=given)
    assert known.publishing_branch == stated.publishing_branch == branch
    assert configured(monkeypatch, BOOK_ADDRESS=AT).publishing_branch == []


@pytest.mark.parametrize(
    "given",
    [
        "some-one/book",
        "https://gitlab.com/some-one/book",
        "https://github.com/some-one",
        "https://github.com/some-one/book.git",
        "https://github.com/some-one/book/tree/a/b",
        'https://github.com/some-one/"book"',
    ],
)
def test_what_is_no_repository_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    with pytest.raises(ConfigError, match=rf"BOOK_REPOSITORY must .*{re.escape(repr(given))}"):
        configured(monkeypatch, BOOK_ADDRESS=AT, BOOK_REPOSITORY=given)


def test_a_repository_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="needs BOOK_ADDRESS"):
        configured(monkeypatch, BOOK_REPOSITORY="https://github.com/some-one/book")


# A toy with an address


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("published")
    (folder / "source" / "part").mkdir(parents=True)
    (folder / "source" / "pyproject.toml").write_text('[project]\nname = "t"\nversion = "1"\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOK_ADDRESS", AT)
        patch.setenv("BOOK_REPOSITORY", "https://github.com/some-one/book")
        patch.setattr("readers.make_wheel", lambda root, at: root / "pyproject.toml")
        book, warnings = toy.build(
            folder,
            {
                "part/01_page": "# Page\n\nWords of it.\n",
                "other": "# Other\n\nSo.\n\n```{offline-copy} All of it\n```\n",
                "progress": "# Progress\n\nSo.\n",
            },
            extensions=["myst_nb", "sphinxext.opengraph", "readers", "publishing"],
            html_theme="sphinx_book_theme",
            html_title="Toys, all",
            html_copy_source=False,
            html_context={"style_sheet": "book.css"},
            templates_path=[str(ROOT / "book" / "_templates")],
            readers_leave_out=["progress"],
        )
    assert warnings == []
    return book


PAGES = ["index", "other", "part/01_page", "progress"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_its_address_and_its_card(published: Path, name: str) -> None:
    head = page(published / f"{name}.html")
    stated = [each.attrs["href"] for each in head.css("link[rel=canonical]")]
    stated += [each.attrs["content"] for each in head.css('meta[property="og:url"]')]
    assert stated == [f"{AT}{name}.html"] * 2
    (card,) = (each.attrs["content"] for each in head.css('meta[property="og:image"]'))
    assert card.startswith(AT)
    with Image.open(published / card.removeprefix(AT)) as picture:
        assert picture.width > picture.height > 300


def test_the_sitemap_has_the_address_of_every_page(published: Path) -> None:
    pages = ElementTree.parse(published / "sitemap.xml").getroot()
    assert pages.tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}urlset"
    assert [each[0].text for each in pages] == [f"{AT}{name}.html" for name in PAGES]
    assert {each[0].tag.partition("}")[2] for each in pages} == {"loc"}


def menu(path: Path, name: str) -> dict[str, LexborNode]:
    """The entries of a menu in a page's header, by their words."""
    entries = page(path).css(f".article-header-buttons .dropdown-{name} .dropdown-item")
    return {each.text(strip=True): each for each in entries}


def test_a_page_opens_in_colab_and_on_binder(published: Path) -> None:
    found = menu(published / "part" / "01_page.html", "launch-buttons")
    assert {name: link.attrs["href"] for name, link in found.items()} == {
        "Colab": "https://colab.research.google.com/github/some-one/book/blob/readers"
        "/download/01_page.ipynb",
        "Binder": "https://mybinder.org/v2/gh/some-one/book/readers"
        "?labpath=download%2F01_page.ipynb",
    }
    assert {link.attrs["title"] for link in found.values()} == {
        "Run this page in Google Colab",
        "Run this page on mybinder.org",
    }
    downloads = menu(published / "part" / "01_page.html", "download-buttons")
    assert downloads[".ipynb"].attrs["href"] == "../download/01_page.ipynb"


def test_a_page_that_is_no_notebook_has_no_button_for_one(published: Path) -> None:
    assert menu(published / "progress.html", "launch-buttons") == {}
    assert {*menu(published / "progress.html", "download-buttons")} == {".pdf"}
    assert menu(published / "search.html", "download-buttons") == {}


def test_nothing_is_asked_of_another_host_before_a_link_is_followed(published: Path) -> None:
    for name in PAGES:
        asked = page(published / f"{name}.html").css("[src], link[rel=stylesheet]")
        assert asked
        for each in asked:
            assert not (each.attrs.get("src") or each.attrs["href"]).startswith("http"), each.html


def test_a_copy_is_linked_with_its_size_and_has_no_such_link(published: Path) -> None:
    path = published / "download" / "toys-all.zip"
    (line,) = page(published / "other.html").css(".offline-copy")
    assert line.css("a")[0].attrs["href"] == "download/toys-all.zip"
    assert line.text() == f"All of it (zip, {path.stat().st_size / 1e6:.1f}\N{NO-BREAK SPACE}MB)"
    notebook = json.loads((published / "download" / "other.ipynb").read_text(encoding="utf-8"))
    text = "".join(line for cell in notebook["cells"] for line in cell["source"])
    assert f"[All of it]({AT}download/toys-all.zip) (zip)" in text
    with ZipFile(path) as copy:
        assert b"offline-copy" not in copy.read("toys-all/other.html")
        assert b"So." in copy.read("toys-all/other.html")
        assert "toys-all/download/toys-all.zip" not in copy.namelist()


def test_a_copy_has_the_same_bytes_whenever_and_wherever_it_is_made(
    published: Path, tmp_path: Path
) -> None:
    again = tmp_path / "book"
    shutil.copytree(published, again, copy_function=shutil.copyfile)  # later, for its owner alone
    path = again / "download" / "toys-all.zip"
    path.unlink()
    for file in again.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)
    offline.pack(again, path)
    assert path.read_bytes() == (published / "download" / "toys-all.zip").read_bytes()


def test_the_page_for_no_page_leads_to_the_book_from_any_depth(published: Path) -> None:
    shown = page(published / "404.html")
    assert not shown.css("[src], link[rel=stylesheet]"), "it needs no other file"
    (base,) = (each.attrs["href"] for each in shown.css("base"))
    for wrong in ("x.html", "a/b/c", "notebooks/old.html?x#y"):
        folder = urljoin(urljoin(AT, wrong), base)
        links = [urljoin(folder, each.attrs["href"]) for each in shown.css("a")]
        assert links == [f"{AT}index.html", f"{AT}search.html"]
        assert all((published / link.removeprefix(AT)).is_file() for link in links)


# This book


def test_every_page_offers_its_own_notebook_and_no_other_service() -> None:
    offered = set()
    for path in (*BOOK.glob("notebooks/*.html"), *BOOK.glob("book/*.html")):
        links = menu(path, "download-buttons")
        assert menu(path, "launch-buttons") == {}, "no repository is known"
        if path.stem == "progress":
            assert {*links} == {".pdf"}
            continue
        link = links[".ipynb"].attrs
        assert "download" in link
        notebook = (path.parent / link["href"]).resolve()
        assert notebook == BOOK / "download" / f"{path.stem}.ipynb"
        assert notebook.is_file()
        offered.add(path.stem)
    assert {"intro", "03_step_by_step", "lab", "notation"} <= offered
    assert not (BOOK / "_sources").exists()
    assert not (BOOK / "sitemap.xml").exists(), "no address is known"


def test_the_copy_has_all_that_its_pages_ask_for() -> None:
    path = BOOK / "download" / "positional-encoding-step-by-step.zip"
    with ZipFile(path) as copy:
        names = {name.removeprefix(f"{path.stem}/") for name in copy.namelist()}
        pages = {
            name: copy.read(f"{path.stem}/{name}").decode()
            for name in names
            if name.endswith(".html")
        }
    assert {"index.html", "search.html", "notebooks/intro.html", "book/notation.html"} <= {*pages}
    assert "404.html" not in names
    for name, html in pages.items():
        tags = LexborHTMLParser(html).css("[href], [src]")
        asked = [each.attrs.get("href") or each.attrs["src"] for each in tags]
        # Late scripts stand in a template, which is no part of the page yet.
        scripts = re.findall(r'<script[^>]* src="?([^" >]+)', html)
        assert len(scripts) > 5 or name == "index.html"
        for target in (urljoin(f"//zip/{name}", each) for each in [*asked, *scripts]):
            file = unquote(urlsplit(target).path).removeprefix("/")
            assert urlsplit(target).netloc != "zip" or file in names, f"{name}: {target}"
        # What a script asks for, when a figure comes into sight.
        for file in re.findall(r"live_figures/\w+\.js", html):
            assert f"_static/{file}" in names, f"{name}: {file}"
    assert path.stat().st_size < 5e6


# Where it is published


WORKFLOW = ROOT / ".github" / "workflows" / "publish.yml"


def test_what_publishes_is_pinned_and_may_do_no_more_than_it_must() -> None:
    text = WORKFLOW.read_text(encoding="utf-8")
    uses = re.findall(r"uses: (.*)$", text, re.MULTILINE)
    assert uses
    for each in uses:
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each), each
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == {
        "build": {"contents": "read", "pages": "read"},
        "pages": {"pages": "write", "id-token": "write"},
        "readers": {"contents": "write"},
    }


def test_the_branch_has_the_project_and_its_notebooks_in_one_commit(tmp_path: Path) -> None:
    """The workflow's own commands, twice, in a clone as it gets one."""
    (step,) = (
        each["run"]
        for each in yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["readers"]["steps"]
        if "run" in each
    )

    def git(*command: str, at: Path = tmp_path / "origin") -> str:
        done = subprocess.run(["git", *command], cwd=at, capture_output=True, text=True, check=True)
        return done.stdout

    origin = tmp_path / "origin"
    for name in (".github/workflows/a.yml", ".binder/requirements.txt", ".gitignore"):
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        (origin / name).write_text("download\n", encoding="utf-8")
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    git(*author, "commit", "--quiet", "--message=a")
    for number in ("first", "second"):
        clone = tmp_path / number
        git("clone", "--quiet", "--depth=1", origin.as_uri(), str(clone), at=tmp_path)
        (clone / "download").mkdir()
        (clone / "download" / f"{number}.ipynb").write_text(number, encoding="utf-8")
        subprocess.run(["bash", "-e", "-c", step], cwd=clone, capture_output=True, check=True)
        assert git("ls-tree", "-r", "--name-only", address.BRANCH).splitlines() == [
            ".binder/requirements.txt",
            ".gitignore",
            f"download/{number}.ipynb",
        ]
        assert git("rev-list", "--count", address.BRANCH) == "1\n"


def test_binder_installs_what_the_project_pins_on_a_python_that_it_allows() -> None:
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    lines = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line and not line.startswith(("#", "-"))]
    (torch,) = (line for line in pins if line.startswith("torch=="))
    assert asked == [".[lab]", torch]
    (constraints,) = (line.split()[1] for line in lines if line.startswith("-c "))
    assert (ROOT / ".binder" / constraints).resolve() == ROOT / "constraints.txt"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert f">={runtime.removeprefix('python-')}" == project["requires-python"]
