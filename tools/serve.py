"""Serve the built book on localhost, compressed as hosts of pages do: ``python -m tools.serve``.

A number after it is the port, 8000 if none is given.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import sys
from pathlib import Path

from tools.chapters import NO_BOOK

BOOK = Path(__file__).resolve().parent.parent / "_build" / "html"
LAST_PORT = 65535
COMPRESSED = {".html", ".css", ".js", ".svg", ".json"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, with text compressed for whoever reads gzip."""

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # the reader has left
            super().handle()

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        if self._reads_gzip() and path.is_file() and path.suffix in COMPRESSED:
            self._send(path, 200)
        else:
            super().do_GET()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code == http.HTTPStatus.NOT_FOUND and self.command == "GET" and page.is_file():
            self._send(page, code)
        else:
            super().send_error(code, message, explain)

    def _reads_gzip(self) -> bool:
        return "gzip" in self.headers.get("Accept-Encoding", "")

    def _send(self, page: Path, code: int) -> None:
        """A file as it is, or compressed for whoever reads gzip."""
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", self.guess_type(str(page)))
        if self._reads_gzip():
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def server(port: int, handler: type[Handler] = Handler) -> http.server.ThreadingHTTPServer:
    """A server of the book on localhost; port 0 takes one that is free."""
    serving = functools.partial(handler, directory=str(BOOK))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), serving)


def main(arguments: list[str]) -> int:
    named = arguments[0] if arguments else "8000"
    if not (named.isdecimal() and int(named) <= LAST_PORT):
        print(f"The port must be a number from 0 to {LAST_PORT}, got {named}")
        return 2
    port = int(named)
    if not BOOK.is_dir():
        print(NO_BOOK)
        return 1
    try:
        running = server(port)
    except OSError as error:
        print(f"Port {port} cannot be used ({error.strerror}); name another one after the command")
        return 1
    port = running.server_address[1]  # port 0 was for one that is free
    print(f"The book is at http://127.0.0.1:{port}/ until you press Ctrl+C", flush=True)
    with running, contextlib.suppress(KeyboardInterrupt):
        running.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
