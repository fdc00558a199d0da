"""``make serve`` sends the files of the book, compressed to whoever reads gzip."""

from __future__ import annotations

import gzip
import http.server
import random
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import serve

PAGE = "<!doctype html><title>p</title>" + "sine and cosine, " * 100
PICTURE = bytes(range(256))


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "part").mkdir()
    for name in ("page.html", "index.html", "part/index.html"):
        (tmp_path / name).write_text(PAGE, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(PICTURE)
    monkeypatch.setattr(serve, "BOOK", tmp_path)
    with serve.server(0) as running:
        # It looks often whether it shall stop: by itself, twice a second.
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()


def fetch(address: str, accepted: str) -> tuple[bytes, str | None, str | None]:
    """What was sent, how it is compressed, and its type."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": accepted})
    with urllib.request.urlopen(request, timeout=10) as answer:
        sent = answer.read()
        return sent, answer.headers["Content-Encoding"], answer.headers["Content-Type"]


def test_a_page_is_compressed_for_whoever_reads_gzip(address: str) -> None:
    sent, encoding, kind = fetch(f"{address}/page.html", "gzip, deflate")
    assert (encoding, kind) == ("gzip", "text/html")
    assert len(sent) < len(PAGE) / 10
    assert gzip.decompress(sent).decode() == PAGE


def test_a_page_is_sent_as_it_is_to_others(address: str) -> None:
    assert fetch(f"{address}/page.html", "identity") == (PAGE.encode(), None, "text/html")


def test_a_picture_is_not_compressed_again(address: str) -> None:
    assert fetch(f"{address}/picture.png", "gzip") == (PICTURE, None, "image/png")


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_of_a_reader_who_leaves_nothing_is_said(
    address: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], accepted: str
) -> None:
    # More than the system keeps for a reader who does not read, compressed too.
    (tmp_path / "long.html").write_bytes(random.Random(0).randbytes(20_000_000))
    before = set(threading.enumerate())
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as reader:
        asked = f"GET /long.html HTTP/1.0\r\nAccept-Encoding: {accepted}\r\n\r\n"
        reader.sendall(asked.encode())
        assert reader.recv(4) == b"HTTP"
    deadline = time.monotonic() + 30
    while set(threading.enumerate()) - before:
        assert time.monotonic() < deadline, "it is still being sent"
        time.sleep(0.01)
    assert fetch(f"{address}/page.html", "identity")[0] == PAGE.encode()
    assert capfd.readouterr().err == ""


def test_what_is_not_there_is_not_found(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(f"{address}/nowhere.html", "gzip")


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
@pytest.mark.parametrize("name", ["nowhere.html", "part/nowhere", "nowhere/"])
def test_what_is_not_there_gets_the_book_s_own_page(
    address: str, tmp_path: Path, accepted: str, name: str
) -> None:
    (tmp_path / "404.html").write_text(PAGE, encoding="utf-8")
    with pytest.raises(urllib.error.HTTPError) as told:
        fetch(f"{address}/{name}", accepted)
    with told.value as answer:
        sent, headers = answer.read(), answer.headers
    assert (answer.code, headers["Content-Type"]) == (404, "text/html")
    assert headers["Content-Encoding"] == (accepted if accepted == "gzip" else None)
    assert (gzip.decompress(sent) if accepted == "gzip" else sent).decode() == PAGE


@pytest.mark.parametrize("folder", ["", "part/"])
def test_a_folder_is_its_index_compressed_too(address: str, folder: str) -> None:
    sent, encoding, kind = fetch(f"{address}/{folder}", "gzip")
    assert (encoding, kind) == ("gzip", "text/html")
    assert gzip.decompress(sent).decode() == PAGE


def test_a_folder_without_its_slash_is_sent_on_to_it(address: str) -> None:
    with urllib.request.urlopen(f"{address}/part", timeout=10) as answer:
        assert answer.url == f"{address}/part/"


@pytest.mark.parametrize("port", ["abc", "99999", "-1", "80.5"])
def test_a_port_that_is_none_is_told(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main([port]) == 2
    assert f"The port must be a number from 0 to 65535, got {port}" in capsys.readouterr().out


def test_port_0_is_one_that_is_free_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = []

    def stopped(running: http.server.ThreadingHTTPServer) -> None:
        ports.append(running.server_address[1])
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "BOOK", tmp_path)
    monkeypatch.setattr(http.server.ThreadingHTTPServer, "serve_forever", stopped)
    assert serve.main(["0"]) == 0
    assert ports[0] > 0
    assert f"http://127.0.0.1:{ports[0]}/ until" in capsys.readouterr().out


def test_a_port_in_use_and_a_book_not_built_are_told(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = address.rpartition(":")[2]
    assert serve.main([port]) == 1
    assert f"Port {port} cannot be used" in capsys.readouterr().out
    monkeypatch.setattr(serve, "BOOK", Path("nowhere"))
    assert serve.main([]) == 1
    assert "make book" in capsys.readouterr().out
