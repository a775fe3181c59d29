"""Pages with the components of clients/react, built as applications build them, on an origin of their own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.deployment import ROOT
from tests.support.node import run

REACT = ROOT / "clients" / "react"
BIN = ROOT / "node_modules" / ".bin"
BUNDLE = ("--bundle", "--minify", "--format=esm", "--conditions=source", "--jsx=automatic", "--target=es2022")
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{head}</head><body><main>{body}</main></body></html>"""


def bundle(source: Path, target: Path, *options: str) -> None:
    """Bundles a script as an application does."""
    modules = str(ROOT / "node_modules")
    run(
        ROOT,
        str(BIN / "esbuild"),
        str(source),
        *BUNDLE,
        *options,
        f"--outfile={target}",
        seconds=300,
        NODE_PATH=modules,
    )


def write_page(folder: Path, name: str, head: str, body: str) -> None:
    """Writes a page of HTML."""
    text = _PAGE.format(title=name, head=head, body=body)
    (folder / f"{name}.html").write_text(text, encoding="utf-8")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - named by the library
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder. Yields the origin."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
