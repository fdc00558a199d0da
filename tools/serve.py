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
        accepted = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (accepted and path.is_file() and path.suffix in COMPRESSED):
            super().do_GET()
            return
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
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
